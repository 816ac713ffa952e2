//! What a newcomer sees: three commands to try, and the others by what people
//! want to do.

use clap::Command;
use clap::builder::Styles;

/// Worth trying first, and what happens then.
const FIRST: [(&str, &str); 3] = [
    ("discern serve", "play, analyse and review games in the browser"),
    ("discern analyze f5d6c3", "the winning probability of every move"),
    ("discern reproduce", "the paper's experiment with its report, in ten minutes"),
];

/// Commands by purpose. A name that no command has is skipped.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Play and understand", &["play", "analyze", "review", "solve", "book", "serve"]),
    (
        "Learn an evaluation function",
        &[
            "train",
            "generate",
            "correct",
            "label",
            "classify",
            "fit",
            "calibrate",
            "predict",
            "compare",
        ],
    ),
    ("Find out which is stronger", &["reproduce", "openings", "tournament", "report"]),
    ("Games and other programs", &["games", "gtp", "nboard", "completions"]),
    ("Check and measure", &["bench", "perft"]),
];

/// The command line whose help is what `discern` alone prints.
pub fn greeting(command: Command) -> Command {
    let mut text = heading("Try first");
    for (line, what) in FIRST {
        text += &format!("  {line:<24}{what}\n");
    }
    text += &format!("\n{}", groups(&command));
    text += "Every command explains itself: discern COMMAND --help";
    command.help_template("{about}.\n\n{after-help}").after_help(text)
}

/// The command line with its commands in groups.
pub fn with_groups(command: Command) -> Command {
    let groups = groups(&command);
    command
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{after-help}\n\nOptions:\n{options}")
        .after_help(groups)
}

/// All commands with their first sentences.
fn groups(command: &Command) -> String {
    let line = |name: &str| {
        let found = command.find_subcommand(name)?;
        Some(format!("  {name:<13}{}\n", about(found)))
    };
    let group = |(title, names): (&str, &[&str])| {
        let lines: String = names.iter().filter_map(|name| line(name)).collect();
        format!("{}{lines}\n", heading(title))
    };
    GROUPS.into_iter().map(group).collect()
}

/// A title in the style of clap's own; where there are no colours, they vanish.
fn heading(title: &str) -> String {
    let styles = Styles::styled();
    let style = styles.get_header();
    format!("{style}{title}:{style:#}\n")
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    about.trim_end_matches('.').to_owned()
}
