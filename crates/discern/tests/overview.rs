//! What a newcomer sees: the greeting, and the commands in groups.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::common::discern;

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

/// Each is started as it stands there, but for the address of the studio. One
/// that takes minutes has shown that it works once it reports its first step.
#[test]
fn what_is_worth_trying_works() {
    let greeting = discern(&[]).success();
    let first = greeting.split("Try first:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut tried = Vec::new();
    for line in first.lines() {
        let command = line.trim().split("  ").next().unwrap().strip_prefix("discern ").unwrap();
        let (more, on_stderr, begins): (&[&str], bool, &str) = match command {
            "serve" => (&["--port", "0", "--no-open"], false, "http://127.0.0.1:"),
            "reproduce" => (&[], true, "[1/"),
            _ => (&[], false, ""),
        };
        let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(command.split(' ').chain(more.iter().copied()))
            .current_dir(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if begins.is_empty() {
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !output.stdout.is_empty(), "{command}: {said}");
        } else {
            let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
            let pipe: Box<dyn Read> = if on_stderr { Box::new(stderr) } else { Box::new(stdout) };
            let mut said = String::new();
            BufReader::new(pipe).read_line(&mut said).unwrap();
            child.kill().unwrap();
            child.wait().unwrap();
            assert!(said.starts_with(begins), "{command}: {said}");
        }
        tried.push(command);
    }
    assert_eq!(tried, ["serve", "analyze f5d6c3", "reproduce"]);
}

#[test]
fn the_greeting_fits_a_terminal() {
    let greeting = discern(&[]).success();
    assert!(greeting.contains("Try first:\n  discern serve"), "{greeting}");
    for line in greeting.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}
