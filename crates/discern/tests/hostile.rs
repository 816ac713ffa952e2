//! Wishes beyond every bound, inputs without an end, outputs without room:
//! each gets a sentence soon, and nothing is left behind.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Run, discern, discern_with_input};
use discern_board::testing::random_games;
use discern_records::GameRecord;
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use tempfile::TempDir;

/// A folder to work in.
struct Desk(TempDir);

impl Desk {
    /// With `some.games`.
    fn new() -> Desk {
        Desk::with(120)
    }

    /// With this many games in it: correcting random ones takes long.
    fn with(games: usize) -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        let mut writer = ArchiveWriter::create(desk.path("some.games")).unwrap();
        for game in random_games(5, games) {
            writer.append(&GameRecord::new(game)).unwrap();
        }
        writer.commit().unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The words of a command, with `@name` for a path on the desk.
    fn words(&self, line: &str) -> Vec<String> {
        let word = |word: &str| word.replace('@', &format!("{}/", self.0.path().display()));
        line.split_whitespace().map(word).collect()
    }

    fn run(&self, line: &str) -> Run {
        let words = self.words(line);
        discern(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

#[test]
fn numbers_beyond_their_bounds_are_wrong_usage() {
    let desk = Desk::new();
    for line in [
        "compare @some.positions --threads 18446744073709551615",
        "compare @some.positions --threads 257",
        "fit --positions @some.positions --output @x.weights --threads 1000000",
        "correct @some.games --player rev -o @x.games --shards 1000000000",
        "generate plan @x --player rev --player rev --shards 1000000000",
        "tournament plan @x --player rev --player rev-edges --shards 0",
        "openings --bound -1",
        "openings --bound nan",
        "solve @some.obf --hash 2000000",
    ] {
        let run = desk.run(line);
        assert_eq!(run.code, Some(2), "{line}: {}", run.stderr);
    }
    let said = desk.run("correct @some.games --player rev -o @x.games --shards 121").failure();
    assert!(said.contains("121 shards for 120 games"), "{said}");
    assert_eq!(desk.files(), ["some.games"]);
}

#[test]
fn memory_that_is_not_there_is_not_taken() {
    let desk = Desk::new();
    for line in [
        "analyze f5 --depth 1 --hash 1048576",
        "tournament --player rev,hash=1048576 --player rev-edges --depth 1 --pairs 1",
        "serve --port 0 --no-open --hash 1048576",
    ] {
        let said = desk.run(line).failure();
        assert!(said.contains("this needs about 1099.5 GB; "), "{line}: {said}");
    }
}

#[test]
fn a_full_disk_behind_standard_output_is_one_sentence() {
    let desk = Desk::new();
    desk.run("classify @some.games -o @some.positions").success();
    for line in [
        "compare @some.positions --models log",
        "compare @some.positions --models log --json",
        "fit --positions @some.positions --output @full.weights --models log --force",
        "perft 3",
        "games summary @some.games",
        "openings --count 1 --depth 1",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discern"));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command.args(desk.words(line)).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let last = said.lines().last().unwrap_or_default();
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(last.starts_with("discern: ") && last.contains("No space left"), "{line}: {said}");
    }
}

#[test]
fn inputs_without_an_end_are_refused_at_once() {
    let desk = Desk::new();
    let begun = Instant::now();
    for line in [
        "analyze f5 --weights /dev/zero",
        "tournament --config /dev/zero",
        "report /dev/zero",
        "fit /dev/zero --label x",
        "predict /dev/zero /dev/zero",
        "fit --positions /dev/zero --output @x.weights",
        "solve /dev/zero",
        "classify /dev/zero",
        "correct /dev/zero --player rev -o @x.games",
        "generate run /dev/zero",
        "serve --port 0 --no-open --weights /dev/zero",
    ] {
        let run = desk.run(line);
        assert_eq!(run.code, Some(1), "{line}: {}", run.stderr);
        assert!(run.stderr.lines().count() <= 3, "{line}: {}", run.stderr);
    }
    let answers = discern_with_input(&["gtp", "--depth", "1"], "loadsgf /dev/zero\nname\n");
    assert!(answers.success().starts_with("? "), "the file is refused, the program goes on");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    assert_eq!(desk.files(), ["some.games"]);
}

#[test]
fn correcting_leaves_nothing_but_its_output() {
    let desk = Desk::with(2);
    let line = "correct @some.games --player rev,depth=1 --prove 4 --deeper 1 -o @better.games";
    // What cannot work is found before anything is written.
    let said = desk.run(&line.replace("--prove 4", "--prove 40")).failure();
    assert!(said.contains("takes too long"), "{said}");
    assert_eq!(desk.files(), ["some.games"]);
    fs::write(desk.path("better.games.manifest.json"), "mine").unwrap();
    let said = desk.run(line).failure();
    assert!(said.contains("better.games.manifest.json: the file exists"), "{said}");
    fs::remove_file(desk.path("better.games.manifest.json")).unwrap();
    desk.run(line).success();
    let all = ["better.games", "better.games.manifest.json", "some.games"];
    assert_eq!(desk.files(), all);
    // Other settings are nobody's business.
    desk.run(&format!("{line} --certain 1500 --force")).success();
    assert_eq!(desk.files(), all);
    // A folder that was there keeps what else is in it.
    fs::create_dir(desk.path("mine")).unwrap();
    fs::write(desk.path("mine/notes.txt"), "notes").unwrap();
    desk.run(&format!("{line} --force --work @mine")).success();
    assert_eq!(fs::read_dir(desk.path("mine")).unwrap().count(), 1);
}

#[test]
fn a_cut_archive_is_corrected_with_a_word_about_it() {
    let desk = Desk::with(6);
    let whole = fs::read(desk.path("some.games")).unwrap();
    fs::write(desk.path("cut.games"), &whole[..whole.len() / 2]).unwrap();
    let run = desk.run("correct @cut.games --player rev,depth=1 --prove 4 -o @better.games");
    assert!(run.stderr.contains("bytes are unfinished"), "{}", run.stderr);
    run.success();
    assert!(ArchiveReader::open(desk.path("better.games")).unwrap().count() > 2);
}

#[test]
fn files_where_folders_should_be_are_named() {
    let desk = Desk::new();
    for line in [
        "generate plan @some.games --player rev --player rev",
        "tournament plan @some.games --player rev --player rev-edges --depth 1",
        "correct @some.games --player rev,depth=1 -o @some.games/x",
        "reproduce --output @some.games",
    ] {
        let said = desk.run(line).failure();
        assert!(said.contains("some.games"), "{line}: {said}");
    }
    assert_eq!(desk.files(), ["some.games"]);
}

#[test]
fn a_link_to_nowhere_is_not_replaced_by_weights() {
    let desk = Desk::new();
    desk.run("classify @some.games -o @some.positions").success();
    std::os::unix::fs::symlink("nowhere", desk.path("x.weights")).unwrap();
    let said = desk.run("fit --positions @some.positions --output @x.weights --force").failure();
    assert!(said.contains("a link to a file that does not exist"), "{said}");
    assert!(desk.path("x.weights").is_symlink());
}

#[test]
fn a_terminal_obeys_no_header() {
    let desk = Desk::new();
    let mut table = "y,\"a\u{1b}[31mb\",\u{9b}c\n".to_owned();
    for row in 0..60 {
        table += &format!("{},{},{}\n", row % 2, row % 7, row * row % 11);
    }
    fs::write(desk.path("t.csv"), &table).unwrap();
    let fine = desk.run("fit @t.csv --label y --diagnostics");
    fs::write(desk.path("bad.csv"), table + "1,x\u{1b}[2J,3\n").unwrap();
    let bad = desk.run("fit @bad.csv --label y");
    let missing = desk.run("fit @t.csv --label nothing");
    fs::write(desk.path("apart.csv"), "y,\u{1b}[31m\n1,1\n1,2\n0,-1\n0,-2\n").unwrap();
    let apart = desk.run("fit @apart.csv --label y --models log --trials 1");
    assert!(apart.stderr.contains("separation"), "{}", apart.stderr);
    for run in [&fine, &bad, &missing, &apart] {
        let said = format!("{}{}", run.stdout, run.stderr);
        assert!(!said.contains(['\u{1b}', '\u{9b}']), "{said:?}");
        assert!(said.contains("\\u{1b}"), "{said}");
    }
}

#[test]
fn a_tournament_whose_file_is_moved_away_stops_with_a_sentence() {
    let desk = Desk::new();
    let line = "tournament --player rev --player rev-edges --depth 3 --pairs 5000 -o @t.games";
    let child = Command::new(env!("CARGO_BIN_EXE_discern"))
        .args(desk.words(line))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while fs::metadata(desk.path("t.games")).map_or(0, |data| data.len()) < 2000 {
        assert!(begun.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::rename(desk.path("t.games"), desk.path("moved.games")).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.contains("moved away or replaced"), "{said}");
    assert!(ArchiveReader::open(desk.path("moved.games")).unwrap().all(|game| game.is_ok()));
    assert!(!desk.path("t.games").exists());
}

#[test]
fn a_full_disk_behind_standard_error_ends_nothing() {
    let desk = Desk::with(2);
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discern"));
        command.args(desk.words(line)).stderr(full()).output().unwrap().status.code()
    };
    assert_eq!(run("correct @some.games --player rev,depth=1 --prove 4 -o @better.games"), Some(0));
    assert!(desk.path("better.games.manifest.json").exists());
    assert_eq!(run("games summary @nowhere.games"), Some(1));
}

#[test]
fn the_second_signal_ends_a_correction_at_once() {
    let desk = Desk::with(2);
    let line = "correct @some.games --player rev,depth=40 --prove 4 -o @better.games";
    let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
        .args(desk.words(line))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    for _ in 0..2 {
        std::thread::sleep(Duration::from_secs(1));
        assert!(child.try_wait().unwrap().is_none(), "it has work for years");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    }
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait().unwrap() {
            Some(ended) => break Some(ended),
            None if begun.elapsed() > Duration::from_secs(20) => break None,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    if ended.is_none() {
        child.kill().unwrap();
    }
    assert_eq!(ended.expect("it goes on").code(), Some(1));
    assert!(!desk.path("better.games").exists());
}
