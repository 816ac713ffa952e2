//! The studies with few games and few nodes: the numbers mean nothing, but they
//! are the same ones every time.

use std::path::{Path, PathBuf};

use discern_board::testing::random_games;
use discern_board::{Board, Score};
use discern_experiment::{
    Event, Experiment, ExperimentError, Folder, Pace, Source, Study, StudyPlan, StudyResults,
};
use discern_learn::fit_named;
use discern_players::Halt;
use discern_records::archive::ArchiveWriter;
use discern_records::{GameRecord, Solved, Verdict};
use tempfile::TempDir;

/// The score of a board with few empty squares, by looking at everything.
fn solve(board: &Board) -> Score {
    if board.is_over() {
        return board.final_score();
    }
    if board.must_pass() {
        return -solve(&board.pass());
    }
    let moves = board.moves().squares();
    moves.map(|sq| -solve(&board.play_unchecked(sq, board.flips(sq)))).max().expect("a move")
}

/// Random games, solved five squares before the end.
fn games(desk: &Path) -> PathBuf {
    let path = desk.join("some.games");
    let mut writer = ArchiveWriter::create(&path).unwrap();
    for game in random_games(3, 120) {
        let mut record = GameRecord::new(game);
        let plies = record.game.plies();
        if let Some(ply) = plies.iter().position(|ply| ply.before.board.empties() == 5) {
            let verdict = Verdict::Score(solve(&plies[ply].before.board));
            record.solved.push(Solved { ply, verdict });
        }
        writer.append(&record).unwrap();
    }
    writer.commit().unwrap();
    path
}

fn plan(desk: &Path, study: Study) -> StudyPlan {
    let openings = desk.join("openings.txt");
    let lines: Vec<_> = random_games(4, 2).map(|game| game.transcript()[..20].to_owned()).collect();
    std::fs::write(&openings, lines.join("\n")).unwrap();
    StudyPlan {
        experiment: Experiment {
            games: Source::read("games", &games(desk)).unwrap(),
            given: Source::read("openings", &openings).unwrap(),
            pace: Pace::NodesPerMove(100),
            openings: 1,
            seed: 1,
            concurrency: 2,
            plans_only: false,
            speed_nodes: 500,
            program: "test".into(),
            build: "this one".into(),
            command: "a test".into(),
        },
        study,
        nodes_per_move: 100,
        rivals: ["log", "mitchell", "bill"].map(|name| fit_named(name).unwrap()).into(),
    }
}

fn run(
    plan: &StudyPlan,
    folder: &Path,
    mut stop: impl FnMut(&Event, &Halt),
) -> Result<StudyResults, ExperimentError> {
    let mut folder = Folder::open(folder, &plan.settings(), false)?;
    let halt = Halt::new();
    plan.run(&mut folder, &halt, &mut |event| stop(&event, &halt))
}

#[test]
fn every_rival_is_judged_and_plays_against_the_first() {
    let desk = TempDir::new().unwrap();
    let plan = plan(desk.path(), Study::Rivals);
    let found = run(&plan, &desk.path().join("out"), |_, _| {}).unwrap();
    assert_eq!(found.yardstick, "LOG");
    assert_eq!(found.candidates.len(), 3);
    for one in &found.candidates {
        assert!(one.quality.discordance < 0.5, "{one:?}");
        assert!(one.nanoseconds.is_some_and(|ns| ns > 0.0) && one.speed.is_some());
        let yardstick = one.title == "LOG";
        assert_eq!((one.gap.is_none(), one.matches.len()), (yardstick, usize::from(!yardstick)));
        assert!(one.matches.iter().all(|played| played.ours.tally.games() == 2));
    }
}

#[test]
fn a_stopped_study_of_labels_resumes_with_the_same_numbers() {
    let desk = TempDir::new().unwrap();
    let plan = plan(desk.path(), Study::Labels);
    let whole = run(&plan, &desk.path().join("whole"), |_, _| {}).unwrap();
    let titles: Vec<&str> = whole.candidates.iter().map(|one| one.title.as_str()).collect();
    let expected = ["RESULTS", "OUTCOMES", "NEGAMAX", "CORRECTED", "WELL-PLAYED", "AS-MANY"];
    assert_eq!(titles, expected);
    assert_eq!(whole.yardstick, "CORRECTED");

    let parts = desk.path().join("parts");
    let stopped = run(&plan, &parts, |event, halt| {
        if let Event::Match(progress) = event
            && progress.fresh >= 3
        {
            halt.finish();
        }
    });
    assert!(matches!(stopped, Err(ExperimentError::Stopped)), "{stopped:?}");
    let mut fitted = 0;
    let resumed = run(&plan, &parts, |event, _| {
        fitted += usize::from(matches!(event, Event::Doing(what) if what.ends_with(": all games")));
    })
    .unwrap();
    assert_eq!(fitted, 0, "no candidate is fitted twice");
    assert_eq!(resumed.candidates, whole.candidates);

    // Another question in the same folder is refused.
    let other = StudyPlan { study: Study::Rivals, ..plan };
    let refused = Folder::open(&parts, &other.settings(), false).err().unwrap();
    assert!(refused.to_string().contains("--study"), "{refused}");
}
