//! From games to classified positions as a user makes them: whatever happens
//! to the processes, the files come out the same.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Run, discern};
use discern_board::testing::{Seeded, random_games};
use discern_records::archive::{ArchiveReader, ArchiveWriter};
use discern_records::{GameRecord, Solved, Verdict};
use tempfile::TempDir;

const PLAN: &str = "--player rev,depth=2,outcome=10,score=8 --player rev-edges,depth=2 \
                    --openings 36 --rounds 2 --shards 12 --solve 14";

/// A folder to work in.
struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The words of a command, with `@name` for a path on the desk.
    fn words(&self, line: &str) -> Vec<String> {
        let word = |word: &str| match word.strip_prefix('@') {
            Some(name) => self.path(name).to_str().unwrap().to_owned(),
            None => word.to_owned(),
        };
        line.split_whitespace().map(word).collect()
    }

    fn run(&self, line: &str) -> Run {
        let words = self.words(line);
        discern(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// Runs the command and kills it after so long; `false` if it was done.
    fn kill(&self, line: &str, after: Duration) -> bool {
        let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(self.words(line))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(after);
        child.kill().unwrap();
        !child.wait().unwrap().success()
    }

    fn archive(&self, name: &str, seed: u64, games: usize) {
        let mut writer = ArchiveWriter::create(self.path(name)).unwrap();
        for game in random_games(seed, games) {
            writer.append(&GameRecord::new(game)).unwrap();
        }
        writer.commit().unwrap();
    }
}

fn count(path: &Path) -> usize {
    ArchiveReader::open(path).unwrap().map(Result::unwrap).count()
}

#[test]
fn a_manifest_is_not_replaced_unasked() {
    let desk = Desk::new();
    let mut writer = ArchiveWriter::create(desk.path("a.games")).unwrap();
    random_games(1, 5).for_each(|game| writer.append(&GameRecord::new(game)).unwrap());
    writer.commit().unwrap();
    let manifest = desk.path("a.positions.manifest.json");
    fs::write(&manifest, "precious").unwrap();
    let refused = desk.run("classify @a.games -o @a.positions").failure();
    assert_eq!(refused, format!("{}: the file exists; --force replaces it", manifest.display()));
    assert_eq!(fs::read(&manifest).unwrap(), b"precious");
    assert!(!desk.path("a.positions").exists());
    desk.run("classify @a.games -o @a.positions --force").success();
}

#[test]
fn a_plan_becomes_games_and_games_become_positions() {
    let desk = Desk::new();
    let said = desk.run(&format!("generate plan @run {PLAN}")).success();
    assert!(said.ends_with(": 36 openings, 72 games, 12 shards\n"), "{said}");
    assert_eq!(desk.run("generate missing @run").success().lines().count(), 12);
    // A machine of a cluster makes one shard, another one the rest.
    desk.run("generate run @run --shard 5/12").success();
    assert!(!desk.run("generate missing @run").success().contains("5/12"));
    let said = desk.run("generate merge @run -o @all.games").failure();
    assert_eq!(said, "11 of 12 shards are missing, the first is 0");
    desk.run("generate run @run").success();
    assert_eq!(desk.run("generate missing @run").success(), "");
    desk.run("generate merge @run -o @all.games").success();
    assert_eq!(count(&desk.path("all.games")), 72);
    let manifest: serde_json::Value =
        serde_json::from_slice(&desk.bytes("all.games.manifest.json")).unwrap();
    assert_eq!(manifest["games"], 72);
    assert_eq!(manifest["plan"]["work"]["rounds"], 2);
    assert_eq!(manifest["shards"].as_array().unwrap().len(), 12);
    let shown = desk.run("games show @all.games 3").success();
    for line in ["discern generate plan 2, begun by discern 0.", "player rev,", "rounds 2"] {
        assert!(shown.contains(line), "no '{line}' in:\n{shown}");
    }
    // Copies of games keep their plan.
    desk.run("games merge @all.games @run/shard-00001.games -o @twice.games").success();
    assert_eq!(desk.run("games show @twice.games 3").success(), shown);

    let said = desk.run("classify @all.games -o @all.parquet -o @all.positions --json").success();
    let counts: serde_json::Value = serde_json::from_str(&said).unwrap();
    let positions = discern_learn::load_positions(desk.path("all.positions")).unwrap();
    assert_eq!(counts["positions"], positions.len());
    assert_eq!(counts["games"], 72);
    assert_eq!(counts["groups"], 36);
    let sum = |field: &str| -> u64 {
        counts["phases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|phase| phase[field].as_u64().unwrap())
            .sum()
    };
    for field in ["positions", "wins", "draws", "losses", "changed_by_solving"] {
        assert_eq!(counts[field], sum(field), "{field}");
    }
    let table = desk.run("classify @all.games").success();
    assert!(table.starts_with("games                                 72  36 groups\n"), "{table}");

    let said = desk.run("classify @all.games -o @all.parquet").failure();
    assert!(said.ends_with("all.parquet: the file exists; --force replaces it"), "{said}");
}

#[test]
fn labels_of_one_process_and_of_shards_are_the_same_bytes() {
    let desk = Desk::new();
    desk.archive("old.games", 5, 12);
    let (player, cut) = ("--player rev,depth=2,outcome=8,score=6", "--shards 4");
    // Killed at some moment, the same command resumes, and the work folder goes.
    let line = format!("label @old.games {player} {cut} -o @one.games");
    desk.kill(&line, Duration::from_millis(200));
    let work = desk.path("one.games.work");
    fs::create_dir_all(&work).unwrap();
    fs::write(work.join(".shard-00001.games.Ab3xYz.part"), "half a sha").unwrap();
    desk.run(&format!("{line} --force")).success();
    assert!(!work.exists());

    let said = desk.run(&format!("label plan @labels @old.games {player} {cut}")).success();
    assert!(said.ends_with(": labels, 12 games, 4 shards\n"), "{said}");
    for shard in [2, 0, 3] {
        desk.run(&format!("label run @labels --shard {shard}/4")).success();
    }
    let said = desk.run("label merge @labels -o @many.games").failure();
    assert_eq!(said, "1 of 4 shards are missing, the first is 1");
    assert_eq!(desk.run("label missing @labels").success(), "1/4\n");
    desk.run("label run @labels").success();
    desk.run("label merge @labels -o @many.games").success();
    assert!(desk.bytes("one.games") == desk.bytes("many.games"));

    let labelled = ArchiveReader::open(desk.path("one.games")).unwrap().map(Result::unwrap);
    let labels = labelled.flat_map(|game| game.notes).filter_map(|note| note.evaluation).count();
    assert!(labels > 400, "{labels} labels of 12 games");
    let said = desk.run("correct merge @labels -o @other.games").failure();
    assert!(said.contains("a 'discern label plan 2', not a 'discern correct plan 3'"), "{said}");
}

#[test]
fn a_book_grown_in_shards_is_the_same_in_any_order() {
    let desk = Desk::new();
    let plan = "--player rev,depth=2,outcome=8,score=6 --plies 3 --roots 3 --positions 8";
    for (folder, order) in [("@a", [0, 1, 2]), ("@b", [2, 0, 1])] {
        let said = desk.run(&format!("book plan {folder} {plan}")).success();
        assert!(said.ends_with(": a book, 24 positions, 3 shards\n"), "{said}");
        for shard in order {
            let missing = desk.run(&format!("book missing {folder}")).success();
            assert!(missing.contains(&format!("{shard}/3\n")), "{missing}");
            desk.run(&format!("book run {folder} --shard {shard}/3")).success();
        }
    }
    desk.run("book merge @a.book @a").success();
    desk.run("book merge @b.book @b").success();
    assert!(desk.bytes("a.book") == desk.bytes("b.book"));
    // What is there already is not entered twice.
    desk.run("book merge @a.book @b").success();
    let said = desk.run("book verify @a.book").success();
    assert!(said.contains("all in order"), "{said}");
    let shown = desk.run("book show --book @a.book --json").success();
    let answer: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert!(answer["positions"].as_u64().unwrap() >= 20, "{answer}");
    assert_eq!(answer["moves"].as_array().unwrap().len(), 1, "all first moves are one: {answer}");
}

#[test]
fn killed_twenty_times_at_random_moments_everything_comes_out_the_same() {
    let desk = Desk::new();
    let mut random = Seeded::new(20);
    // Kills a command some times, each time within a share of the time that it
    // takes undisturbed, so that it is really at work; sooner if it was done
    // before, as it is when a busy machine has become a quiet one.
    let mut kill = |line: &str, times: usize, calm: Duration, share: f64| {
        let (mut within, mut hits) = (calm.mul_f64(share), 0);
        for _ in 0..4 * times {
            match desk.kill(line, within.mul_f64(random.below(1000) as f64 / 1000.0)) {
                true => hits += 1,
                false => within = within.mul_f64(0.7),
            }
            if hits == times {
                return;
            }
        }
        assert!(hits >= times / 2, "{line}: only {hits} of {times} were hit while at work");
    };
    let timed = |line: &str| {
        let start = Instant::now();
        desk.run(line).success();
        start.elapsed()
    };

    for name in ["calm", "wild"] {
        desk.run(&format!("generate plan @{name} {PLAN}")).success();
    }
    let calm = timed("generate run @calm --threads 2");
    kill("generate run @wild --threads 2", 7, calm, 0.25);
    desk.run("generate run @wild").success();
    for name in ["wild", "calm"] {
        desk.run(&format!("generate merge @{name} -o @{name}.games")).success();
    }
    assert!(desk.bytes("wild.games") == desk.bytes("calm.games"));

    let correct = |output: &str| {
        format!(
            "correct @calm.games --player rev,depth=3 --prove 12 --shards 12 -o @{output}.games"
        )
    };
    let calm = timed(&correct("better"));
    kill(&correct("worse"), 7, calm, 0.25);
    desk.run(&correct("worse")).success();
    assert!(desk.bytes("better.games") == desk.bytes("worse.games"));
    assert!(count(&desk.path("better.games")) > 72, "something was corrected");
    // The same as a plan whose shards are made one by one, as on many machines.
    desk.run("correct plan @parts @calm.games --player rev,depth=3 --prove 12 --shards 12")
        .success();
    for shard in 0..12 {
        desk.run(&format!("correct run @parts --shard {shard}/12 --threads 1")).success();
    }
    desk.run("correct merge @parts -o @parted.games").success();
    assert!(desk.bytes("better.games") == desk.bytes("parted.games"));

    let classify = |output: &str| {
        format!("classify @better.games -o @{output}.parquet -o @{output}.positions --force")
    };
    let calm = timed(&classify("calm"));
    kill(&classify("wild"), 6, calm, 0.8);
    // Whole or not at all.
    if desk.path("wild.positions").exists() {
        discern_learn::load_positions(desk.path("wild.positions")).unwrap();
    }
    desk.run(&classify("wild")).success();
    for kind in ["parquet", "positions", "parquet.manifest.json"] {
        assert!(desk.bytes(&format!("wild.{kind}")) == desk.bytes(&format!("calm.{kind}")));
    }
}

#[test]
fn two_at_once_are_one_too_many_and_the_folder_survives() {
    let desk = Desk::new();
    desk.run(&format!("generate plan @run {PLAN}")).success();
    let plan = fs::File::open(desk.path("run/plan.json")).unwrap();
    plan.lock().unwrap();
    let said = desk.run("generate run @run").failure();
    assert!(said.ends_with("plan.json: another process is working on this plan"), "{said}");
    // Single shards may be made by anybody at any time.
    let words = desk.words("generate run @run --shard 3/12");
    let start = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_discern"));
        command.args(&words).stderr(Stdio::null()).spawn().unwrap()
    };
    for mut child in [start(), start(), start()] {
        assert!(child.wait().unwrap().success());
    }
    drop(plan);
    desk.run("generate run @run").success();
    desk.run("generate merge @run -o @all.games").success();
    assert_eq!(count(&desk.path("all.games")), 72);
}

#[test]
fn damage_and_full_disks_are_named_and_nothing_is_lost() {
    let desk = Desk::new();
    desk.run(&format!("generate plan @run {PLAN}")).success();
    // A full disk under one of the shards.
    symlink("/dev/full", desk.path("run/shard-00007.games")).unwrap();
    let said = desk.run("generate run @run --threads 1").failure();
    assert!(said.contains("shard-00007.games: No space left on device"), "{said}");
    assert_eq!(desk.run("generate missing @run").success(), {
        (7..12).map(|shard| format!("{shard}/12\n")).collect::<String>()
    });
    fs::remove_file(desk.path("run/shard-00007.games")).unwrap();
    desk.run("generate run @run").success();
    desk.run("generate merge @run -o @all.games").success();
    let good = desk.bytes("all.games");

    let mut bytes = desk.bytes("run/shard-00002.games");
    bytes[70] ^= 1;
    fs::write(desk.path("run/shard-00002.games"), bytes).unwrap();
    let said = desk.run("generate merge @run -o @again.games").failure();
    assert!(said.contains("shard-00002.games") && said.contains("byte 70 was changed"), "{said}");
    assert!(!desk.path("again.games").exists());
    let run = desk.run("generate run @run");
    assert!(run.stderr.contains("byte 70 was changed") && run.code == Some(0), "{}", run.stderr);
    desk.run("generate merge @run -o @again.games").success();
    assert!(desk.bytes("again.games") == good);

    // Classifying a damaged or cut archive, and onto a full disk.
    let mut bytes = good.clone();
    bytes[500] ^= 1;
    fs::write(desk.path("changed.games"), bytes).unwrap();
    let run = desk.run("classify @changed.games -o @x.positions");
    assert!(run.stderr.contains("byte 500 was changed") && run.code == Some(1), "{}", run.stderr);
    assert!(!desk.path("x.positions").exists());
    fs::write(desk.path("cut.games"), &good[..good.len() - 9]).unwrap();
    let run = desk.run("classify @cut.games");
    assert!(run.stderr.contains("bytes are unfinished") && run.code == Some(0), "{}", run.stderr);
    symlink("/dev/full", desk.path("full.parquet")).unwrap();
    let said = desk.run("classify @all.games -o @full.parquet --force").failure();
    assert!(said.contains("full.parquet") && said.contains("No space left"), "{said}");
    assert!(desk.bytes("all.games") == good);
}

#[test]
fn bad_input_gets_one_clear_sentence() {
    let desk = Desk::new();
    desk.archive("a.games", 1, 3);
    fs::write(desk.path("rubbish"), "rubbish").unwrap();
    for (line, sentence) in [
        ("generate plan @x --player rev", "two players are needed: give --player twice"),
        ("generate plan @x --player rev --player edax", "there is no model 'edax', only log, "),
        ("generate plan @x --player rev --player rev,time=5", "rev: games must repeat: give depth"),
        ("generate plan @x --player rev --player log,weights=@rubbish", "rubbish: "),
        ("generate run @nowhere", "nowhere/plan.json: No such file"),
        (
            "classify @a.games -o @a.csv",
            "a.csv: the name must end in .parquet, .positions, .svm or .svm.zst",
        ),
        ("correct @a.games --player rev,nodes=100 -o @b.games", "the corrector needs a depth"),
        ("correct @nowhere --player rev -o @b.games", "nowhere: No such file"),
        ("correct @rubbish --player rev -o @b.games", "rubbish: not an archive"),
        ("correct @a.games --player rev -o @a.games", "a.games: the file exists; --force"),
    ] {
        let line = line
            .replace("weights=@rubbish", &format!("weights={}", desk.path("rubbish").display()));
        let said = desk.run(&line).failure();
        assert!(said.contains(sentence), "{line}: {said}");
    }
    let run = desk.run("generate run @x --shard 3/3");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("'3/3' is not a shard"), "{}", run.stderr);
    assert!(!desk.path("b.games").exists());

    // Two games that cannot both be true are named.
    let game = random_games(9, 1).next().unwrap();
    for (name, outcome) in [("w.games", 2), ("l.games", -2)] {
        let mut record = GameRecord::new(game.clone());
        let verdict = Verdict::Score(discern_board::Score::new(outcome).unwrap());
        record.solved.push(Solved { ply: 30, verdict });
        let mut writer = ArchiveWriter::create(desk.path(name)).unwrap();
        writer.append(&record).unwrap();
        writer.commit().unwrap();
    }
    let run = desk.run("classify @w.games @l.games --json");
    let said = "l.games: game 1 (";
    assert!(run.stderr.contains(said) && run.stderr.contains("ply 30: proven -2, which other"));
    let counts: serde_json::Value = serde_json::from_str(&run.success()).unwrap();
    assert_eq!(counts["disputed"], 1);
}
