//! Errors found in an archive, and the games that are better.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use discern_board::testing::random_games;
use discern_board::{Color, Outcome};
use discern_players::{
    Crew, Halt, Job, PlayerSpec, RunFolder, Site, WeightStore, merge, run_missing,
};
use discern_records::archive::ArchiveWriter;
use discern_records::{Evaluation, Format, GameFile, GameId, GameRecord, Verdict};
use discern_selfplay::{CorrectPlan, EarlyOutcome, InputGames};

/// An archive of random games: full of errors.
fn archive(folder: &Path, seed: u64, games: usize) -> (PathBuf, Vec<GameRecord>) {
    let path = folder.join(format!("{seed}.games"));
    let records: Vec<GameRecord> = random_games(seed, games).map(GameRecord::new).collect();
    let mut writer = ArchiveWriter::create(&path).unwrap();
    for record in &records {
        writer.append(record).unwrap();
    }
    writer.commit().unwrap();
    (path, records)
}

fn begun(archive: &Path, work: &Path) -> RunFolder<CorrectPlan> {
    let store = WeightStore::new();
    let mut player: PlayerSpec = "rev,depth=3,outcome=12,score=8".parse().unwrap();
    player.fill(&InputGames::DEFAULTS);
    store.settle(&mut player).unwrap();
    let (input, _) = InputGames::of(archive).unwrap();
    let input = InputGames { shards: input.games.min(3) as u32, ..input };
    let plan = CorrectPlan {
        proven_empties: 12,
        early_outcome: EarlyOutcome { empties: 12, exact: false },
        ..CorrectPlan::of(input.clone(), player)
    };
    input.begin(archive, work, plan, &store, false).unwrap()
}

fn corrected(archive: &Path, work: &Path, threads: usize) -> Vec<GameRecord> {
    let folder = begun(archive, work);
    let all: Vec<u32> = (0..folder.shards()).collect();
    let crew = Crew { threads, restart: false, halt: &Halt::new() };
    run_missing(&folder, &all, crew, &|_| {}).unwrap();
    let output = work.join("corrected");
    merge(&folder, &output, false).unwrap();
    GameFile::open(&output, Some(Format::Archive)).unwrap().map(Result::unwrap).collect()
}

fn mover_outcome(record: &GameRecord, ply: usize) -> Outcome {
    let black = record.score_black.unwrap().outcome();
    if record.game.plies()[ply].before.mover == Color::Black { black } else { -black }
}

#[test]
fn the_archive_grows_by_better_games_and_nothing_else_changes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = archive(folder.path(), 1, 20);
    let before = fs::read(&path).unwrap();
    let all = corrected(&path, &folder.path().join("work"), 1);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(all[..records.len()], records);
    let new = &all[records.len()..];
    assert!(new.len() > 20, "random games have more than one error each: {}", new.len());
    let mut proven = 0;
    for better in new {
        assert_eq!(better.check(), Ok(()));
        assert!(better.game.is_over());
        let correction = better.correction.unwrap();
        let parent = records.iter().find(|r| GameId::of(&r.game) == correction.parent).unwrap();
        let (new, old) = (better.game.plies(), parent.game.plies());
        assert_eq!(new[..correction.ply], old[..correction.ply]);
        assert_ne!(new[correction.ply].mv, old[correction.ply].mv);
        match (correction.better, correction.played) {
            (Evaluation::Proven(better_verdict), Evaluation::Proven(played)) => {
                proven += 1;
                assert!(better_verdict.outcome() > played.outcome());
                // From here on the corrector plays without fault.
                assert_eq!(mover_outcome(better, correction.ply), better_verdict.outcome());
                let stored = better.solved_at(correction.ply).unwrap().verdict;
                assert_eq!(stored, Verdict::Outcome(better_verdict.outcome()));
            }
            (Evaluation::LogOdds(value), played) => {
                assert!(value >= 2000);
                let lost = match played {
                    Evaluation::LogOdds(value) => value <= -2000,
                    Evaluation::Proven(verdict) => verdict.outcome() < Outcome::Win,
                    Evaluation::Discs(_) => false,
                };
                assert!(lost, "{played}");
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(proven > 10 && proven < new.len(), "{proven} of {}", new.len());
}

#[test]
fn corrections_are_the_same_with_any_threads_and_no_error_is_corrected_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (path, records) = archive(folder.path(), 2, 9);
    let all = corrected(&path, &folder.path().join("one"), 1);
    assert_eq!(all, corrected(&path, &folder.path().join("three"), 3));
    let again = corrected(&folder.path().join("one/corrected"), &folder.path().join("again"), 2);
    assert_eq!(again[..all.len()], all);
    let errors: Vec<_> =
        again.iter().filter_map(|r| r.correction).map(|c| (c.parent, c.ply)).collect();
    assert_eq!(errors.iter().collect::<HashSet<_>>().len(), errors.len());
    let originals: HashSet<GameId> = records.iter().map(|r| GameId::of(&r.game)).collect();
    assert!(again[all.len()..].iter().all(|r| !originals.contains(&r.correction.unwrap().parent)));
}

#[test]
fn the_archive_in_the_folder_must_be_the_plans() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = archive(folder.path(), 3, 2);
    let work = folder.path().join("work");
    let run = begun(&path, &work);
    fs::copy(archive(folder.path(), 4, 2).0, run.work().input.path_in(&work)).unwrap();
    let (store, halt) = (WeightStore::new(), Halt::new());
    let site = Site { plan: "".into(), folder: &work, store: &store, restart: false, halt: &halt };
    let said = run.work().worker(&site).err().unwrap().to_string();
    assert!(said.contains("this is not the plan's archive"), "{said}");
}
