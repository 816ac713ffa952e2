//! What a newcomer sees: the greeting, and the commands in groups.

mod common;

use std::collections::BTreeSet;

use common::discern;

/// The commands of an overview, in its order.
fn listed(text: &str) -> Vec<&str> {
    let indented = text.lines().filter_map(|line| line.strip_prefix("  "));
    let words = indented.filter_map(|line| line.split("  ").next());
    words.filter(|word| word.chars().all(|c| c.is_ascii_lowercase())).collect()
}

#[test]
fn every_command_is_in_one_group() {
    let help = discern(&["--help"]).success();
    let grouped = listed(&help);
    let once: BTreeSet<&str> = grouped.iter().copied().collect();
    assert_eq!(once.len(), grouped.len(), "a command is in two groups: {grouped:?}");
    // A shell completes all commands, whatever the groups say.
    let shell = discern(&["completions", "fish"]).success();
    let known = shell.lines().filter(|line| line.contains("__fish_discern_needs_command"));
    let commands: BTreeSet<&str> = known
        .filter_map(|line| line.split(" -a \"").nth(1)?.split('"').next())
        .filter(|&name| name != "help" && name != "manual")
        .collect();
    assert!(commands.len() > 20, "{shell}");
    assert_eq!(once, commands);
}

#[test]
fn what_is_worth_trying_is_a_command_line() {
    let greeting = discern(&[]).success();
    let first = greeting.split("Try first:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    assert_eq!(first.lines().count(), 3, "{first}");
    for line in first.lines() {
        let command = line.trim().split("  ").next().unwrap().strip_prefix("discern ").unwrap();
        let mut words: Vec<&str> = command.split(' ').collect();
        words.push("--help");
        discern(&words).success();
    }
}

#[test]
fn the_greeting_fits_a_terminal() {
    let greeting = discern(&[]).success();
    assert!(greeting.contains("Try first:\n  discern serve"), "{greeting}");
    for line in greeting.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
