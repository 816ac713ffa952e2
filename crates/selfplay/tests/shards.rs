//! Shards are pure functions of their plan, and merging is careful.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use discern_board::{Board, Outcome};
use discern_players::{
    Accepted, Crew, Halt, Job, JobError, Openings, Plan, RunFolder, ShardState, Site, WeightStore,
    merge, run_missing,
};
use discern_records::{CanonicalGame, Format, GameFile, GameRecord};
use discern_search::{Limits, Options, StopFlag};
use discern_selfplay::{EarlyOutcome, GeneratePlan};

fn plan() -> GeneratePlan {
    let players = ["rev,depth=2,outcome=8,score=6", "rev-edges,depth=1,outcome=6,score=4"]
        .map(|player| player.parse().unwrap());
    GeneratePlan {
        openings: Openings::Distinct { plies: 7, count: Some(12) },
        rounds: 3,
        early_outcome: EarlyOutcome { empties: 12, exact: false },
        shards: 5,
        ..GeneratePlan::between(players, &WeightStore::new()).unwrap()
    }
}

fn run(run: &RunFolder<GeneratePlan>, shards: &[u32], threads: usize) {
    let crew = Crew { threads, restart: false, halt: &Halt::new() };
    run_missing(run, shards, crew, &|_| {}).unwrap();
}

fn create(folder: &Path, plan: &GeneratePlan) -> Result<RunFolder<GeneratePlan>, JobError> {
    RunFolder::create(folder, plan.clone(), &WeightStore::new(), false)
}

/// The games of some shards, without a folder.
fn played(plan: &GeneratePlan, shards: std::ops::Range<u32>) -> Vec<GameRecord> {
    let (store, halt) = (WeightStore::new(), Halt::new());
    let (name, folder) = (Plan::new(plan.clone()).name(), Path::new("."));
    let site = Site { plan: name.into(), folder, store: &store, restart: false, halt: &halt };
    let mut worker = plan.worker(&site).unwrap();
    let mut games = |shard| plan.shard(&mut worker, &site, shard, &mut |_| {}).unwrap();
    shards.flat_map(&mut games).collect()
}

fn games(path: &Path) -> Vec<GameRecord> {
    GameFile::open(path, Some(Format::Archive)).unwrap().map(Result::unwrap).collect()
}

fn finished(folder: &Path, plan: &GeneratePlan, threads: usize) -> RunFolder<GeneratePlan> {
    let folder = create(folder, plan).unwrap();
    let all: Vec<u32> = (0..plan.shards).collect();
    run(&folder, &all, threads);
    folder
}

fn merged(run: &RunFolder<GeneratePlan>) -> Result<Vec<u8>, String> {
    let output = run.path().join("merged");
    let merged = merge(run, &output, true).map_err(|e| e.to_string())?;
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
    let backwards = create(&folder.path().join("back"), &plan()).unwrap();
    run(&backwards, &[4, 3, 2, 1, 0], 1);
    let bytes = merged(&one).unwrap();
    assert!(bytes == merged(&three).unwrap() && bytes == merged(&backwards).unwrap());
    let other = GeneratePlan { seed: 2, ..plan() };
    assert_ne!(bytes, merged(&finished(&folder.path().join("other"), &other, 2)).unwrap());
}

#[test]
fn the_games_do_not_depend_on_how_they_are_cut() {
    let games = |plan: &GeneratePlan| -> Vec<_> {
        let games = played(plan, 0..plan.shards);
        games.into_iter().map(|record| (record.game, record.solved)).collect()
    };
    assert_eq!(games(&plan()), games(&GeneratePlan { shards: 1, ..plan() }));
}

#[test]
fn every_opening_is_played_by_both_colours_and_no_two_games_are_the_same() {
    let mut plan = GeneratePlan {
        openings: Openings::Distinct { plies: 2, count: None },
        rounds: 30,
        shards: 1,
        ..plan()
    };
    // Hardly any randomness: games must be told apart by the second try.
    for player in &mut plan.players {
        player.randomness.as_mut().unwrap().chance_permille = 10;
    }
    let records = played(&plan, 0..1);
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
        openings: Openings::Distinct { plies: 7, count: Some(8) },
        shards: 1,
        ..plan()
    };
    let exact =
        GeneratePlan { early_outcome: EarlyOutcome { empties: 14, exact: true }, ..plan.clone() };
    let options = Options { threads: 1, table_mebibytes: 32 };
    let mut other = WeightStore::new().engine("material", None, options).unwrap();
    let mut outcomes = HashSet::new();
    for plan in [plan, exact] {
        for record in played(&plan, 0..1) {
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
    super::shards::run(&run, &[2], 1);
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
fn a_shard_from_another_machine_is_checked_before_it_counts() {
    let folder = tempfile::tempdir().unwrap();
    let there = finished(&folder.path().join("there"), &plan(), 1);
    let here = create(&folder.path().join("here"), &plan()).unwrap();
    let made = |from: &RunFolder<GeneratePlan>, shard: u32| {
        let seal = from.path().join(format!("shard-{shard:05}.seal.json"));
        (fs::read(from.games_path(shard)).unwrap(), fs::read_to_string(seal).unwrap())
    };
    let (bytes, seal) = made(&there, 3);
    assert_eq!(here.accept(3, &bytes, &seal, false).unwrap(), Accepted::New);
    assert_eq!(here.accept(3, &bytes, &seal, false).unwrap(), Accepted::Same);
    assert!(fs::read(here.games_path(3)).unwrap() == bytes);
    let refused = |shard, bytes: &[u8], seal: &str| {
        here.accept(shard, bytes, seal, false).unwrap_err().to_string()
    };
    assert!(refused(2, &bytes, &seal).contains("something else"));
    assert!(refused(2, &bytes, &made(&there, 2).1).contains("not the games that were sealed"));
    let program = &here.plan().build.program;
    assert!(refused(3, &bytes, &seal.replace(&program[..], "another")).contains("made by"));
    let other = finished(&folder.path().join("other"), &GeneratePlan { seed: 2, ..plan() }, 1);
    let (others, their_seal) = made(&other, 2);
    assert!(refused(2, &others, &their_seal).contains("another plan"));
    let forged = their_seal.replace(other.name(), here.name());
    assert!(refused(2, &others, &forged).contains("game 1 is not of this shard"));

    // A machine that computes wrongly, and seals what it has computed.
    let broken = create(&folder.path().join("broken"), &plan()).unwrap();
    let mut games = played(&plan(), 3..4);
    games.reverse();
    broken.write(3, &games).unwrap();
    let (wrong, their_seal) = made(&broken, 3);
    let Accepted::Differs(evidence) = here.accept(3, &wrong, &their_seal, false).unwrap() else {
        panic!("the difference was not seen");
    };
    assert!(fs::read(evidence).unwrap() == wrong);
    assert!(fs::read(here.games_path(3)).unwrap() == bytes, "the first one stays");
    let inputs = here.inputs().unwrap();
    assert_eq!(inputs, [here.path().join("plan.json")], "rev has no weights");
}

#[test]
fn a_folder_keeps_to_its_plan_and_its_build() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    create(path, &plan()).unwrap();
    create(path, &plan()).unwrap();
    let mut other = GeneratePlan { rounds: 4, ..plan() };
    other.players[0].limits.depth = Some(5);
    let said = create(path, &other).err().unwrap().to_string();
    let differs = "begun with other settings: players rev depth 2 there, 5 here; \
                   rounds 3 there, 4 here";
    assert!(said.ends_with(differs), "{said}");
    let file = path.join("plan.json");
    let text = fs::read_to_string(&file).unwrap();
    let open = || RunFolder::<GeneratePlan>::open(path);
    let wrong = || open().err().unwrap().to_string();
    fs::write(&file, text.replace("\"version\": \"0", "\"version\": \"9")).unwrap();
    let said = open().unwrap().check_build(false).unwrap_err().to_string();
    assert!(said.contains("begun by discern 9.") && said.contains("this is discern 0."), "{said}");
    assert!(create(path, &plan()).err().unwrap().to_string().contains("--other-build"));
    RunFolder::create(path, plan(), &WeightStore::new(), true).unwrap();
    open().unwrap().check_build(true).unwrap();
    fs::write(&file, text.replace("generate plan 2", "generate plan 7")).unwrap();
    assert!(wrong().contains("a 'discern generate plan 7'"));
    fs::write(&file, &text[..text.len() / 2]).unwrap();
    assert!(wrong().contains("EOF"));
}

#[test]
fn shards_know_their_plan_and_one_player_may_play_itself() {
    let player: discern_players::PlayerSpec = "rev,depth=1".parse().unwrap();
    let twins = [player.clone(), player];
    let plan = GeneratePlan {
        openings: Openings::Games(vec!["f5d6c3".parse().unwrap(), "f5f6".parse().unwrap()]),
        shards: 1,
        ..GeneratePlan::between(twins, &WeightStore::new()).unwrap()
    };
    let folder = tempfile::tempdir().unwrap();
    let run = finished(folder.path(), &plan, 1);
    let mut reader = GameFile::open(run.games_path(0), None).unwrap();
    assert_eq!(reader.plans(), [run.plan_text()]);
    assert_eq!(discern_players::name_of(run.plan_text()), run.name());
    let records: Vec<GameRecord> = reader.by_ref().map(Result::unwrap).collect();
    assert_eq!(records.len(), 12);
    assert!(records.iter().all(|record| *record.source.as_ref().unwrap().plan == *run.name()));
    assert_eq!(records[0].players.black.name, records[0].players.white.name);
    let state = run.state(0).unwrap();
    let ShardState::Whole(seal) = state else { panic!("{state:?}") };
    assert_eq!(seal.build, *discern_players::Build::current());
}
