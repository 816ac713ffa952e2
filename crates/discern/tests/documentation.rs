//! The commands shown in the documentation do what it shows.

use std::path::Path;
use std::process::Command;

#[allow(dead_code)]
#[path = "../examples/kalah.rs"]
mod kalah;

/// Commands (`$ …`) of the console blocks of a page, each with its output.
fn sessions(page: &str) -> Vec<(String, String)> {
    let mut sessions: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            sessions.push((command.to_string(), String::new()));
        } else if inside && let Some((_, output)) = sessions.last_mut() {
            output.push_str(line);
            output.push('\n');
        }
    }
    sessions
}

/// What the `sh` blocks of a page give to the program, without comments and
/// with continued lines joined.
fn arguments(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut shown = String::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            let line = line.split(" #").next().unwrap_or_default().trim_end();
            match line.strip_suffix('\\') {
                Some(beginning) => shown.push_str(beginning),
                None => shown.extend([line, "\n"]),
            }
        }
    }
    let programs = ["target/release/discern ", "discern ", "cargo run --release -- "];
    shown
        .lines()
        .filter_map(|line| programs.iter().find_map(|name| line.trim().strip_prefix(name)))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_program_understands_every_command_of_the_readme() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let commands = arguments(&std::fs::read_to_string(page).unwrap());
    assert!(commands.len() >= 20, "only {} commands were found", commands.len());
    for command in commands {
        // Help is printed only if everything before it makes sense.
        let output = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(command.split_whitespace())
            .arg("--help")
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_worked_example_prints_what_it_says() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/worked-example-kalah.md");
    let page = std::fs::read_to_string(page).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_discern"));
    let mut run = 0;
    for (command, shown) in sessions(&page) {
        if let Some(file) =
            command.strip_prefix("cargo run --release -p discern --example kalah > ")
        {
            let mut table = std::fs::File::create(directory.path().join(file)).unwrap();
            kalah::write_games(&mut table, 2000).unwrap();
            continue;
        }
        let output = Command::new("sh")
            .arg("-c")
            .arg(command.replacen("discern", program.to_str().unwrap(), 1))
            .current_dir(directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        let printed = String::from_utf8(output.stdout).unwrap();
        // `…` on a line of its own stands for any number of lines.
        let mut rest = printed.as_str();
        for (index, part) in shown.split("…\n").enumerate() {
            let at = rest.find(part).unwrap_or_else(|| {
                panic!("`{command}` does not print\n{part}\nbut\n{printed}");
            });
            assert!(
                index > 0 || at == 0,
                "`{command}` prints more before\n{part}\nnamely\n{printed}"
            );
            rest = &rest[at + part.len()..];
        }
        if !shown.ends_with("…\n") {
            assert_eq!(rest, "", "`{command}` prints more than is shown");
        }
        run += 1;
    }
    assert!(run >= 4, "only {run} commands were found");
}
