//! The commands shown in the documentation do what it shows.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use discern_board::testing::random_games;

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

/// A command of an `sh` block.
#[derive(Debug, PartialEq)]
struct Shown {
    /// As the page has it, without the comment.
    command: String,
    /// As a comment of the page says it is tested, if it would take too long.
    tested: Option<String>,
}

/// What stands before the arguments of our program.
const PROGRAMS: [&str; 3] = ["target/release/discern ", "discern ", "cargo run --release -- "];

/// The arguments of a command that is ours.
fn arguments(command: &str) -> Option<&str> {
    PROGRAMS.iter().find_map(|name| command.strip_prefix(name))
}

/// The commands of a page that are ours. `<!-- tested as: discern … -->` before
/// a block says how its first command with the same word and without such a
/// note is run in tests.
fn shown(page: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut notes: Vec<&str> = Vec::new();
    let (mut inside, mut beginning) = (false, String::new());
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if let Some(note) = line.strip_prefix("<!-- tested as: ") {
            notes.push(note.strip_suffix(" -->").expect("a note on one line"));
        } else if inside {
            let line = line.split(" #").next().unwrap_or_default().trim();
            if let Some(part) = line.strip_suffix('\\') {
                beginning.push_str(part);
                continue;
            }
            let command = std::mem::take(&mut beginning) + line;
            let Some(word) = arguments(&command).and_then(|rest| rest.split(' ').next()) else {
                continue;
            };
            let note = notes.iter().position(|note| {
                arguments(note).and_then(|rest| rest.split(' ').next()) == Some(word)
            });
            let tested = note.map(|at| notes.remove(at).to_owned());
            shown.push(Shown { command, tested });
        }
    }
    assert_eq!(notes, [""; 0], "notes without a command");
    shown
}

fn readme() -> Vec<Shown> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let shown = shown(&std::fs::read_to_string(page).unwrap());
    assert!(shown.len() >= 20, "only {} commands were found", shown.len());
    shown
}

#[test]
fn the_program_understands_every_command_of_the_readme() {
    for Shown { command, .. } in readme() {
        // Help is printed only if everything before it makes sense.
        let output = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(arguments(&command).unwrap().split_whitespace())
            .arg("--help")
            .output()
            .unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// In one folder, in their order, those that take long in their small form.
#[cfg(unix)]
#[test]
fn every_command_of_the_readme_does_its_work() {
    let folder = tempfile::tempdir().unwrap();
    let games: Vec<String> = random_games(3, 400).map(|game| game.transcript()).collect();
    let starts = games.iter().take(12).map(|game| game[..20].to_owned() + "\n").collect();
    let rows = ["OXXXXXXX"; 7].concat();
    for (name, content) in [
        ("some.txt", games.join("\n")),
        ("starts.txt", starts),
        ("endgames.obf", format!("{rows}-OOOOOO- X;\n")),
        ("table.csv", table()),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let program = env!("CARGO_BIN_EXE_discern");
    for Shown { command, tested } in readme() {
        let run = tested.as_ref().unwrap_or(&command);
        let line = format!(
            "{program} {}",
            arguments(run).unwrap().replace("discern ", &format!("{program} "))
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {line}")]).current_dir(&folder).stdin(Stdio::null());
        let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        if run.contains(" serve") {
            end_when_it_speaks(child, run);
            continue;
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{run}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A server works until it is told to end.
#[cfg(unix)]
fn end_when_it_speaks(mut child: std::process::Child, run: &str) {
    let mut said = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.starts_with("http://127.0.0.1:"), "{run}: {said}");
    let ended = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(ended.success() && child.wait().unwrap().success(), "{run}");
}

/// A table of results with a feature that tells them, in two phases.
#[cfg(unix)]
fn table() -> String {
    let row = |index: u64| {
        let noise = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        let won = index % 7 + noise % 7 > 6;
        format!(
            "{},{},{},{}\n",
            index / 4,
            20 + index % 2,
            index % 7,
            if won { "win" } else { "loss" }
        )
    };
    "game,discs,mobility,result\n".to_owned() + &(0..400).map(row).collect::<String>()
}

/// Benchmarks that `cargo bench` would pass by measure nothing.
#[test]
fn the_benchmarks_of_the_readme_exist_and_are_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    assert!(read(&root.join("README.md")).contains("`cargo bench --workspace`"));
    let mut benches = 0;
    for entry in std::fs::read_dir(root.join("crates")).unwrap() {
        let member = entry.unwrap().path();
        let Ok(files) = std::fs::read_dir(member.join("benches")) else { continue };
        let manifest = read(&member.join("Cargo.toml"));
        for file in files {
            let name = file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
            let declared = format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
            assert!(manifest.contains(&declared), "{}: {name}", member.display());
            benches += 1;
        }
    }
    assert!(benches >= 5);
}

#[test]
fn the_worked_example_of_kalah_prints_what_it_says() {
    worked_example("kalah", |table| crate::kalah::write_games(table, 2000));
}

#[test]
fn the_worked_example_of_connect_four_prints_what_it_says() {
    worked_example("connect_four", |rows| crate::connect_four::write_games(rows, 1000));
}

/// Runs the commands of a page; `write` is the example that makes its data.
fn worked_example(name: &str, write: impl Fn(&mut BufWriter<File>) -> std::io::Result<()>) {
    let page = format!("../../docs/worked-example-{}.md", name.replace('_', "-"));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    let page = std::fs::read_to_string(page).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_discern"));
    let example = format!("cargo run --release -p discern --example {name} > ");
    let mut run = 0;
    for (command, shown) in sessions(&page) {
        if let Some(file) = command.strip_prefix(&example) {
            let file = File::create(directory.path().join(file)).unwrap();
            let mut file = BufWriter::new(file);
            write(&mut file).and_then(|()| file.flush()).unwrap();
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

#[test]
fn the_crates_stand_on_each_other_as_they_are_drawn() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/architecture.md")).unwrap();
    let drawn = page.split("```").find(|block| block.contains("discern          python")).unwrap();
    let lines: Vec<Vec<&str>> =
        drawn.lines().map(|line| line.split_whitespace().collect()).collect();
    let line_of = |name: &str| lines.iter().position(|line| line.contains(&name));
    let mut crates = 0;
    for (at, line) in lines.iter().enumerate() {
        for name in line {
            let folder = match *name {
                "data" | "python" => root.join(name),
                _ => root.join("crates").join(name),
            };
            let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let dependencies = manifest.split("[dependencies]\n").nth(1).unwrap_or_default();
            let dependencies = dependencies.split("\n[").next().unwrap_or_default();
            for line in dependencies.lines() {
                let Some(other) = line.strip_prefix("discern-") else { continue };
                let other = other.split(['.', ' ', '=']).next().unwrap();
                let below = line_of(other).unwrap_or_else(|| panic!("{other} is not drawn"));
                assert!(below > at, "{name} is built on {other}, which is not drawn below it");
            }
            assert!(page.contains(&format!("| `{name}` |")), "{name} is not in the table");
            crates += 1;
        }
    }
    assert_eq!(crates, 2 + std::fs::read_dir(root.join("crates")).unwrap().count());
}

/// The tests of a crate are linked into few programs, which name their files:
/// a file that none of them names would never run.
#[test]
fn every_file_of_tests_is_part_of_a_test_program() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut suites = 0;
    for one in std::fs::read_dir(crates).unwrap() {
        let folder = one.unwrap().path();
        let Ok(suite) = std::fs::read_to_string(folder.join("tests/main.rs")) else { continue };
        let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        suites += 1;
        for file in std::fs::read_dir(folder.join("tests")).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            if path.extension().is_some_and(|end| end == "rs") && name != "main" {
                let named = suite.contains(&format!("mod {name};"))
                    || manifest.contains(&format!("[[test]]\nname = \"{name}\""));
                assert!(named, "{} is in no test program", path.display());
            }
        }
    }
    assert!(suites > 5, "{suites} crates with one program for their tests");
}
