//! Games labelled by a search: the games stay, the labels are the search's.

use std::path::{Path, PathBuf};

use discern_board::testing::random_games;
use discern_players::{Crew, Halt, PlayerSpec, RunFolder, WeightStore, merge, run_missing};
use discern_records::archive::ArchiveWriter;
use discern_records::{Evaluation, Format, GameFile, GameRecord, MoveNote, Verdict};
use discern_search::StopFlag;
use discern_selfplay::{InputGames, LabelPlan, Solver};

/// An archive of random games; every move of the first has a label of somebody
/// else.
fn archive(folder: &Path) -> (PathBuf, Vec<GameRecord>) {
    let path = folder.join("input.games");
    let mut records: Vec<GameRecord> = random_games(7, 9).map(GameRecord::new).collect();
    let old = MoveNote { evaluation: Some(Evaluation::LogOdds(9500)), ..MoveNote::default() };
    records[0].notes = vec![old; records[0].game.plies().len()];
    let mut writer = ArchiveWriter::create(&path).unwrap();
    records.iter().for_each(|record| writer.append(record).unwrap());
    writer.commit().unwrap();
    (path, records)
}

fn player() -> PlayerSpec {
    let mut player: PlayerSpec = "rev,depth=2,outcome=8,score=6".parse().unwrap();
    player.fill(&InputGames::DEFAULTS);
    WeightStore::new().settle(&mut player).unwrap();
    player
}

fn begun(archive: &Path, work: &Path, shards: u32) -> RunFolder<LabelPlan> {
    let input = InputGames { shards, ..InputGames::of(archive).unwrap().0 };
    let plan = LabelPlan { input: input.clone(), player: player() };
    input.begin(archive, work, plan, &WeightStore::new(), false).unwrap()
}

fn make(folder: &RunFolder<LabelPlan>, shards: &[u32], threads: usize) {
    let crew = Crew { threads, restart: false, halt: &Halt::new() };
    run_missing(folder, shards, crew, &|_| {}).unwrap();
}

fn merged(folder: &RunFolder<LabelPlan>) -> Vec<GameRecord> {
    let output = folder.path().join("all");
    merge(folder, &output, false).unwrap();
    GameFile::open(&output, Some(Format::Archive)).unwrap().map(Result::unwrap).collect()
}

/// All but where it comes from: shards have names of their own.
fn without_source(records: &[GameRecord]) -> Vec<GameRecord> {
    records.iter().map(|record| GameRecord { source: None, ..record.clone() }).collect()
}

#[test]
fn games_stay_and_every_choice_has_the_label_of_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let (path, before) = archive(folder.path());
    let run = begun(&path, &folder.path().join("work"), 2);
    make(&run, &[0, 1], 1);
    let after = merged(&run);
    assert_eq!(after.len(), before.len());
    let mut engine = player().as_engine().unwrap().engine(&WeightStore::new()).unwrap();
    let limits = player().search_limits().unwrap();
    let (mut solver, mut proven, mut choices) = (Solver::new(&StopFlag::new()).unwrap(), 0, 0);
    for (index, (old, new)) in before.iter().zip(&after).enumerate() {
        assert_eq!(old.game, new.game);
        let bare = |record: &GameRecord| GameRecord { notes: Vec::new(), ..record.clone() };
        assert_eq!(without_source(&[bare(old)]), without_source(&[bare(new)]));
        let source = new.source.as_ref().unwrap();
        assert_eq!(*source.plan, *run.name());
        assert_eq!(source.shard, u64::from(index >= 4), "shards of 4 and 5 games");
        engine.forget();
        for (ply, note) in new.game.plies().iter().zip(&new.notes).rev() {
            let board = &ply.before.board;
            if board.moves().count() < 2 {
                assert_eq!(note.evaluation, None, "nothing to choose");
                continue;
            }
            choices += 1;
            let report = engine.search(board, &limits, &StopFlag::new(), &mut |_| {});
            let best = report.best().unwrap();
            match note.evaluation.unwrap() {
                Evaluation::Proven(verdict) => {
                    proven += 1;
                    let outcome = match verdict {
                        Verdict::Outcome(outcome) => outcome,
                        Verdict::Score(score) => score.outcome(),
                    };
                    assert_eq!(outcome, solver.outcome(board));
                }
                // Tenths are enough to learn from.
                Evaluation::LogOdds(milli) => {
                    let searched = (1000.0 * best.value.log_odds()).round() as i32;
                    assert!(
                        milli % 100 == 0 && (milli - searched).abs() <= 50,
                        "{milli}, {searched}"
                    );
                }
                other => panic!("{other}"),
            }
        }
    }
    assert!(proven > 20 && choices > 5 * proven, "{proven} of {choices}");
}

#[test]
fn no_cut_no_order_and_no_number_of_threads_changes_a_label() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = archive(folder.path());
    let one = begun(&path, &folder.path().join("one"), 1);
    make(&one, &[0], 1);
    let three = begun(&path, &folder.path().join("three"), 3);
    make(&three, &[2, 0, 1], 1);
    let side_by_side = begun(&path, &folder.path().join("threads"), 3);
    make(&side_by_side, &[0, 1, 2], 3);
    for shard in 0..3 {
        let bytes = |run: &RunFolder<LabelPlan>| std::fs::read(run.games_path(shard)).unwrap();
        assert!(bytes(&three) == bytes(&side_by_side));
    }
    assert_eq!(without_source(&merged(&one)), without_source(&merged(&three)));
}

#[test]
fn more_shards_than_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (path, _) = archive(folder.path());
    let input = InputGames { shards: 10, ..InputGames::of(&path).unwrap().0 };
    let plan = LabelPlan { input: input.clone(), player: player() };
    let work = folder.path().join("work");
    let error = input.begin(&path, &work, plan, &WeightStore::new(), false).err().unwrap();
    assert!(error.to_string().contains("10 shards for 9 games, at most 9"), "{error}");
    assert!(!work.exists());
}
