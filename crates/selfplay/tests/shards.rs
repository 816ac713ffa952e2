//! Shards are pure functions of their plan, and merging is careful.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use discern_board::{Board, Outcome};
use discern_records::{CanonicalGame, Format, GameFile, GameRecord};
use discern_search::{AnyEvaluator, Limits, Options, StopFlag};
use discern_selfplay::{
    Duplicates, EarlyOutcome, GeneratePlan, Job, Openings, RunFolder, ShardState, merge,
    run_missing,
};

fn plan() -> GeneratePlan {
    let players = ["rev,depth=2,outcome=8,score=6", "rev-edges,depth=1,outcome=6,score=4"]
        .map(|player| player.parse().unwrap());
    GeneratePlan {
        openings: Openings { plies: 7, count: Some(12) },
        rounds: 3,
        early_outcome: EarlyOutcome { empties: 12, exact: false },
        shards: 5,
        ..GeneratePlan::between(players)
    }
}

fn games(path: &Path) -> Vec<GameRecord> {
    GameFile::open(path, Some(Format::Archive)).unwrap().map(Result::unwrap).collect()
}

fn finished(folder: &Path, plan: &GeneratePlan, threads: usize) -> RunFolder<GeneratePlan> {
    let run = RunFolder::create(folder, plan).unwrap();
    let all: Vec<u32> = (0..plan.shards()).collect();
    run_missing(&run, &all, threads, &|_| {}).unwrap();
    run
}

fn merged(run: &RunFolder<GeneratePlan>) -> Result<Vec<u8>, String> {
    let output = run.path().join("merged");
    let merged = merge(run, None, &output, Duplicates::Refuse, true).map_err(|e| e.to_string())?;
    let bytes = fs::read(&output).unwrap();
    assert_eq!(merged.bytes, bytes.len() as u64);
    fs::remove_file(output).unwrap();
    Ok(bytes)
}

#[test]
fn threads_and_the_order_of_shards_do_not_change_a_byte() {
    let folder = tempfile::tempdir().unwrap();
    let one = finished(&folder.path().join("one"), &plan(), 1);
    let three = finished(&folder.path().join("three"), &plan(), 3);
    let backwards = RunFolder::create(folder.path().join("back"), &plan()).unwrap();
    run_missing(&backwards, &[4, 3, 2, 1, 0], 1, &|_| {}).unwrap();
    let bytes = merged(&one).unwrap();
    assert!(bytes == merged(&three).unwrap() && bytes == merged(&backwards).unwrap());
    let other = GeneratePlan { seed: 2, ..plan() };
    assert_ne!(bytes, merged(&finished(&folder.path().join("other"), &other, 2)).unwrap());
}

#[test]
fn the_games_do_not_depend_on_how_they_are_cut() {
    let played = |plan: &GeneratePlan| -> Vec<_> {
        let mut worker = plan.worker(Path::new(".")).unwrap();
        let mut games = Vec::new();
        for shard in 0..plan.shards() {
            games.extend(plan.shard(&mut worker, shard, &mut |_| {}).unwrap());
        }
        games.into_iter().map(|record| (record.game, record.solved)).collect()
    };
    assert_eq!(played(&plan()), played(&GeneratePlan { shards: 1, ..plan() }));
}

#[test]
fn every_opening_is_played_by_both_colours_and_no_two_games_are_the_same() {
    let plan = GeneratePlan {
        openings: Openings { plies: 2, count: None },
        rounds: 30,
        shards: 1,
        // Hardly any randomness: games must be told apart by the second try.
        randomness: discern_selfplay::Randomness { chance_permille: 10, ..Default::default() },
        ..plan()
    };
    let mut worker = plan.worker(Path::new(".")).unwrap();
    let records = plan.shard(&mut worker, 0, &mut |_| {}).unwrap();
    assert_eq!(records.len(), 90);
    let games: HashSet<_> = records.iter().map(|r| CanonicalGame::of(&r.game)).collect();
    assert_eq!(games.len(), 90);
    let lines: HashSet<Vec<Board>> =
        records.iter().map(|r| r.game.boards().map(Board::canonical).collect()).collect();
    assert_eq!(lines.len(), 90);
    let openings: HashSet<Board> =
        records.iter().map(|r| r.game.boards().nth(2).unwrap().canonical()).collect();
    assert_eq!(openings.len(), 3);
    for opening in openings {
        let of_opening =
            || records.iter().filter(|r| r.game.boards().nth(2).unwrap().canonical() == opening);
        assert_eq!(of_opening().filter(|r| &*r.players.black.name == "rev").count(), 15);
        assert_eq!(of_opening().filter(|r| &*r.players.white.name == "rev").count(), 15);
    }
    assert!(records.iter().all(|record| record.check() == Ok(()) && record.game.is_over()));
}

#[test]
fn early_outcomes_agree_with_another_solver() {
    let plan = GeneratePlan {
        early_outcome: EarlyOutcome { empties: 20, exact: false },
        openings: Openings { plies: 7, count: Some(8) },
        shards: 1,
        ..plan()
    };
    let exact =
        GeneratePlan { early_outcome: EarlyOutcome { empties: 14, exact: true }, ..plan.clone() };
    let options = Options { threads: 1, table_mebibytes: 32 };
    let mut other = AnyEvaluator::Material.engine(options).unwrap();
    let mut outcomes = HashSet::new();
    for plan in [plan, exact] {
        let mut worker = plan.worker(Path::new(".")).unwrap();
        for record in plan.shard(&mut worker, 0, &mut |_| {}).unwrap() {
            let Some(solved) = record.solved.first() else {
                assert!(record.ply_with_empties(plan.early_outcome.empties).is_none());
                continue;
            };
            let board = record.game.boards().nth(solved.ply).unwrap();
            assert_eq!(board.empties(), plan.early_outcome.empties);
            let exact = plan.early_outcome.exact;
            let limits = if exact { Limits::SOLVE } else { Limits::SOLVE_OUTCOME };
            let report = other.search(&board, &limits, &StopFlag::new(), &mut |_| {});
            let best = report.best().unwrap();
            assert_eq!(Some(solved.verdict.outcome()), best.outcome());
            assert_eq!(solved.verdict.score(), best.score());
            assert_eq!(best.score().is_some(), exact);
            outcomes.insert(solved.verdict.outcome());
        }
    }
    assert!(outcomes.contains(&Outcome::Win) && outcomes.contains(&Outcome::Loss));
}

#[test]
fn merging_refuses_gaps_copies_other_plans_and_damage() {
    let folder = tempfile::tempdir().unwrap();
    let run = finished(&folder.path().join("run"), &plan(), 2);
    let good = merged(&run).unwrap();
    let games = run.games_path(2);
    let [seal, copy] = ["shard-00002.seal.json", "again.seal.json"].map(|n| run.path().join(n));
    let sealed = fs::read(&seal).unwrap();

    fs::remove_file(&seal).unwrap();
    assert_eq!(merged(&run).unwrap_err(), "1 of 5 shards are missing, the first is 2");
    fs::write(&seal, &sealed).unwrap();

    fs::write(&copy, &sealed).unwrap();
    let said = merged(&run).unwrap_err();
    assert!(said.contains("shard 2 is there twice"), "{said}");
    fs::remove_file(&copy).unwrap();

    let other = GeneratePlan { seed: 9, ..plan() };
    let other = finished(&folder.path().join("other"), &other, 2);
    fs::copy(other.path().join("shard-00002.seal.json"), &seal).unwrap();
    let said = merged(&run).unwrap_err();
    assert!(said.contains("a shard of another plan"), "{said}");
    assert!(matches!(run.state(2).unwrap(), ShardState::Damaged(_)));
    fs::write(&seal, &sealed).unwrap();

    let whole = fs::read(&games).unwrap();
    for (what, bytes) in [
        ("byte 60 was changed", {
            let mut bytes = whole.clone();
            bytes[60] ^= 4;
            bytes
        }),
        ("not the games that were sealed", whole[..whole.len() - 5].to_vec()),
        ("not an archive", b"rubbish".to_vec()),
    ] {
        fs::write(&games, bytes).unwrap();
        let said = merged(&run).unwrap_err();
        assert!(said.contains(what) && said.contains("shard-00002.games"), "{said}");
    }
    // What is damaged is set aside, not overwritten, and made again.
    let missing = run.missing().unwrap();
    assert_eq!((missing.len(), missing[0].0), (1, 2));
    run.set_aside(2).unwrap();
    run_missing(&run, &[2], 1, &|_| {}).unwrap();
    assert_eq!(merged(&run).unwrap(), good);
    assert_eq!(fs::read(run.path().join("shard-00002.games.damaged")).unwrap(), b"rubbish");
}

#[test]
fn a_second_write_is_harmless_and_a_different_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = finished(folder.path(), &plan(), 1);
    let records = games(&run.games_path(1));
    let bytes = fs::read(run.games_path(1)).unwrap();
    run.write(1, &records).unwrap();
    assert_eq!(fs::read(run.games_path(1)).unwrap(), bytes);
    let said = run.write(1, &games(&run.games_path(0))).unwrap_err().to_string();
    assert!(said.contains("shard 1 came out differently"), "{said}");
    assert_eq!(fs::read(run.games_path(1)).unwrap(), bytes, "the first one stays");
}

#[test]
fn a_folder_keeps_to_its_plan() {
    let folder = tempfile::tempdir().unwrap();
    RunFolder::create(folder.path(), &plan()).unwrap();
    RunFolder::create(folder.path(), &plan()).unwrap();
    let other = GeneratePlan { rounds: 4, ..plan() };
    let said = RunFolder::create(folder.path(), &other).unwrap_err().to_string();
    assert!(said.ends_with("the folder belongs to another plan"), "{said}");
    let file = folder.path().join("plan.json");
    let text = fs::read_to_string(&file).unwrap();
    let open = || RunFolder::<GeneratePlan>::open(folder.path()).unwrap_err().to_string();
    fs::write(&file, text.replace("discern 0", "discern 9")).unwrap();
    assert!(open().contains("whose games would differ"));
    fs::write(&file, text.replace("generate plan 1", "generate plan 7")).unwrap();
    assert!(open().contains("a 'discern generate plan 7'"));
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert!(open().contains("EOF"));
}
