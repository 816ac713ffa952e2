//! `discern reproduce` and `discern report` from the outside, with few games
//! and tiny clocks: the numbers mean nothing, but all the rest is real.
#![cfg(unix)]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Run, discern};
use discern_board::Game;
use discern_board::testing::random_games;
use discern_experiment::{Allowance, Preset, Reproduction};
use discern_records::GameRecord;
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use tempfile::TempDir;

/// Games to learn from and openings to begin with, in a folder to work in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(tempfile::tempdir().unwrap());
        let mut writer = ArchiveWriter::create(desk.path("some.games")).unwrap();
        for game in random_games(3, 500) {
            writer.append(&GameRecord::new(game)).unwrap();
        }
        writer.commit().unwrap();
        let openings: String =
            random_games(4, 12).map(|game| format!("{}\n", &game.transcript()[..20])).collect();
        fs::write(desk.path("openings.txt"), openings).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command of a tiny reproduction, with more arguments.
    fn words(&self, more: &str) -> Vec<String> {
        let [games, openings, output] =
            ["some.games", "openings.txt", "out"].map(|name| self.path(name).display().to_string());
        let line = format!(
            "reproduce --games {games} --openings-file {openings} --output {output} \
             --minutes 0.0005 {more}"
        );
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn run(&self, more: &str) -> Run {
        let words = self.words(more);
        discern(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn start(&self, more: &str) -> Child {
        Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(self.words(more))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn numbers(&self) -> Reproduction {
        serde_json::from_slice(&fs::read(self.path("out/numbers.json")).unwrap()).unwrap()
    }

    /// The stored games of every row: number in the plan → moves and times.
    fn rows(&self) -> BTreeMap<String, BTreeMap<u64, String>> {
        let mut rows = BTreeMap::new();
        for entry in fs::read_dir(self.path("out/work")).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|end| end == "games") {
                rows.insert(path.file_name().unwrap().to_str().unwrap().into(), games(&path));
            }
        }
        rows
    }
}

fn games(path: &Path) -> BTreeMap<u64, String> {
    let mut games = BTreeMap::new();
    for record in ArchiveReader::open(path).into_iter().flatten() {
        let record = record.unwrap();
        let number = record.source.clone().unwrap().game;
        let played = format!("{} {:?}", record.game, record.notes);
        assert!(games.insert(number, played).is_none(), "game {number} twice");
    }
    games
}

fn last_line(run: Run) -> String {
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    run.stderr.lines().last().unwrap().to_owned()
}

#[test]
fn a_tiny_reproduction_goes_from_games_to_the_table_and_is_there_the_second_time() {
    let desk = Desk::new();
    let run = desk.run("--openings 3");
    assert!(run.stderr.contains("[1/6]") && run.stderr.contains("[6/6]"), "{}", run.stderr);
    let text = run.success();
    assert!(text.contains("116–15–69") && text.contains("p paired"), "{text}");

    let found = desk.numbers();
    assert_eq!((found.database.games, found.run.openings, found.table.len()), (500, 3, 7));
    assert_eq!(found.run.preset, Preset::Custom);
    assert_eq!(found.run.thirty_minutes, Allowance::Seconds(60.0 * 0.0005));
    for row in &found.table {
        assert_eq!(row.ours.tally.games(), 6);
        assert!(row.nodes_per_game.iter().all(|&nodes| nodes > 100.0), "{row:?}");
        let ratio = row.factor() / (row.minutes[1] / row.minutes[0]);
        assert!((ratio - 1.0).abs() < 0.02, "{row:?}");
    }
    assert_eq!(found.fits.len(), 61);
    assert_eq!(found.speed.len(), 3);
    assert_eq!(found.quality.gaps.len(), 3);
    assert!(found.findings.len() > 12);
    assert!(found.run.files.iter().all(|file| file.blake3.len() == 64 && file.bytes > 0));
    let total: u64 = found.database.phases.iter().map(|phase| phase.positions).sum();
    assert_eq!(total, found.database.all.positions);

    let before = fs::read(desk.path("out/numbers.json")).unwrap();
    let rows = desk.rows();
    let again = desk.run("--openings 3 --json");
    assert!(again.stderr.contains("exist already"), "{}", again.stderr);
    assert!(again.success().as_bytes() == before, "the numbers as they are in the file");
    assert!(fs::read(desk.path("out/numbers.json")).unwrap() == before);

    // The report is drawn again from the numbers, the same or elsewhere.
    let page = fs::read_to_string(desk.path("out/index.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("LOG"));
    fs::remove_file(desk.path("out/index.html")).unwrap();
    let [out, other] = ["out", "other"].map(|name| desk.path(name).display().to_string());
    discern(&["report", &out]).success();
    discern(&["report", &format!("{out}/numbers.json"), "--output", &other]).success();
    for folder in ["out", "other"] {
        let again = fs::read_to_string(desk.path(folder).join("index.html")).unwrap();
        assert!(again == page, "{folder}");
        assert!(desk.path(folder).join("weights.csv").exists());
    }
    let complaint = discern(&["report", &desk.path("some.games").display().to_string()]).failure();
    assert!(complaint.contains("not the numbers of a reproduction"), "{complaint}");

    // Without the numbers the games tell them again.
    fs::remove_file(desk.path("out/numbers.json")).unwrap();
    let told = desk.run("--openings 3");
    assert!(told.stderr.contains("done before"), "{}", told.stderr);
    told.success();
    assert_eq!(desk.numbers().table, found.table);
    assert_eq!(desk.rows(), rows);
}

#[test]
fn other_settings_in_the_same_folder_are_refused_until_forced() {
    let desk = Desk::new();
    desk.run("--openings 1").success();
    let before = fs::read(desk.path("out/numbers.json")).unwrap();
    for (more, what) in [("--openings 2", "openings"), ("--openings 1 --seed 2", "--seed")] {
        let complaint = desk.run(more).failure();
        assert!(complaint.contains(what) && complaint.contains("--force"), "{complaint}");
    }
    // Another program, even of the same version, may play otherwise.
    let settings = desk.path("out/work/settings.json");
    let ours = fs::read_to_string(&settings).unwrap();
    let build = ours.split("\"build\":\"").nth(1).unwrap().split('"').next().unwrap();
    fs::write(&settings, ours.replace(build, &"0".repeat(build.len()))).unwrap();
    let complaint = desk.run("--openings 1").failure();
    assert!(complaint.contains("builds") && complaint.contains("--force"), "{complaint}");
    assert!(fs::read(desk.path("out/numbers.json")).unwrap() == before);
    desk.run("--openings 2 --force").success();
    let found = desk.numbers();
    assert_eq!(found.run.openings, 2);
    assert!(desk.rows().values().all(|games| games.len() == 4));
}

#[test]
fn openings_beyond_those_given_are_made_even_and_different() {
    let desk = Desk::new();
    desk.run("--openings 14").success();
    let given = fs::read_to_string(desk.path("openings.txt")).unwrap();
    let made = fs::read_to_string(desk.path("out/work/openings.txt")).unwrap();
    assert_eq!((given.lines().count(), made.lines().count()), (12, 2));
    let ends = given.lines().chain(made.lines()).map(|line| {
        let game: Game = line.parse().unwrap();
        assert_eq!(game.position().board.discs(), 14, "{line}");
        game.position().board.canonical()
    });
    assert_eq!(ends.collect::<HashSet<_>>().len(), 14);
    assert!(desk.rows().values().all(|games| games.len() == 28));
}

#[test]
fn killed_at_any_moment_it_goes_on_without_repeating_a_finished_game() {
    let desk = Desk::new();
    // In the first steps, before any game, and in the middle of the games.
    let mut child = desk.start("--openings 6");
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    let mut before = BTreeMap::new();
    for least in [3, 30] {
        let mut child = desk.start("--openings 6");
        let start = Instant::now();
        while desk.rows().values().map(BTreeMap::len).sum::<usize>() < least {
            assert!(start.elapsed() < Duration::from_secs(300), "no games");
            assert!(child.try_wait().unwrap().is_none(), "it ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let now = desk.rows();
        for (row, games) in &before {
            let kept: &BTreeMap<u64, String> = &now[row];
            for (number, game) in games {
                assert_eq!(kept.get(number), Some(game), "{row} game {number}");
            }
        }
        before = now;
    }
    let run = desk.run("--openings 6");
    assert!(run.stderr.contains("done before"), "{}", run.stderr);
    run.success();
    let after = desk.rows();
    assert_eq!(after.len(), 7);
    for (row, games) in &after {
        assert_eq!(games.len(), 12, "{row}");
        for (number, game) in before.get(row).into_iter().flatten() {
            assert_eq!(games.get(number), Some(game), "{row} game {number}");
        }
    }
    let found = desk.numbers();
    assert!(found.run.started < found.run.finished);
}

#[test]
fn bad_files_get_one_sentence_and_leave_nothing() {
    let desk = Desk::new();
    fs::write(desk.path("rubbish"), b"\x00\x01 not games at all").unwrap();
    fs::write(desk.path("empty"), b"").unwrap();
    let [missing, rubbish, empty] =
        ["missing", "rubbish", "empty"].map(|name| desk.path(name).display().to_string());
    for more in [
        format!("--games {missing}"),
        format!("--games {rubbish}"),
        format!("--openings-file {missing}"),
        format!("--openings-file {empty}"),
    ] {
        let mut words = desk.words("");
        // The last of two equal options would be an error of usage.
        let option = more.split(' ').next().unwrap();
        let place = words.iter().position(|word| word == option).unwrap();
        words[place + 1] = more.split(' ').nth(1).unwrap().to_owned();
        let run = discern(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let complaint = run.failure();
        assert!(complaint.contains(&words[place + 1]), "{complaint}");
        assert!(!desk.path("out").exists(), "{more}");
    }
    let few = desk.path("few.games");
    let mut writer = ArchiveWriter::create(&few).unwrap();
    for game in random_games(5, 2) {
        writer.append(&GameRecord::new(game)).unwrap();
    }
    writer.commit().unwrap();
    let mut words = desk.words("");
    words[2] = few.display().to_string();
    let complaint = last_line(discern(&words.iter().map(String::as_str).collect::<Vec<_>>()));
    assert!(complaint.starts_with("discern: "), "{complaint}");
    assert!(!desk.path("out/numbers.json").exists());
    assert_eq!(desk.run("--minutes 0").code, Some(2));
}

#[test]
fn nothing_is_written_outside_the_output() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let checkout = desk.path("checkout");
    fs::create_dir(&checkout).unwrap();
    fs::set_permissions(&checkout, fs::Permissions::from_mode(0o555)).unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_discern"))
        .args(desk.words("--openings 1"))
        .current_dir(&checkout)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(fs::read_dir(&checkout).unwrap().count(), 0);
    let listed: Vec<_> = fs::read_dir(desk.0.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(listed.len(), 4, "{listed:?}");
}

#[test]
fn the_shipped_report_is_what_its_numbers_give() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reproduction");
    let drawn = tempfile::tempdir().unwrap();
    let [from, to] = [&shipped, drawn.path()].map(|path| path.display().to_string());
    discern(&["report", &from, "--output", &to]).success();
    let mut files = 0;
    for entry in fs::read_dir(drawn.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let [ours, theirs] = [drawn.path(), &shipped].map(|folder| fs::read(folder.join(&name)));
        assert!(ours.unwrap() == theirs.unwrap(), "{name:?}");
        files += 1;
    }
    assert_eq!(files, 16);
    let [readme, table] = ["../../README.md", "table.md"].map(|name| shipped.join(name));
    let [readme, table] = [readme, table].map(|path| fs::read_to_string(path).unwrap());
    assert!(readme.contains(&table), "the README quotes the table of the shipped run");
    let numbers = fs::read(shipped.join("numbers.json")).unwrap();
    let found = Reproduction::from_json(&numbers).unwrap();
    assert!(found.to_json().as_bytes() == numbers, "read and written, the numbers are the same");
}
