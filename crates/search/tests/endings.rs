//! What a search that runs out of time still knows, and what guesses of the
//! outcome are worth.

use discern_board::testing::random_boards_with_empties;
use discern_board::{Board, Outcome};
use discern_search::{Certainty, Engine, Limits, Options, Report, StopFlag, engine};

const OPTIONS: Options = Options { threads: 1, table_mebibytes: 4 };

fn direct() -> Box<dyn Engine> {
    engine(discern_data::weights().model("direct").unwrap().evaluator(), OPTIONS).unwrap()
}

/// A search that begins with an empty table.
fn search(engine: &mut dyn Engine, board: &Board, limits: &Limits) -> Report {
    engine.forget();
    engine.search(board, limits, &StopFlag::new(), &mut |_| {})
}

/// Full width, without proofs.
fn full(limits: Limits) -> Limits {
    Limits { outcome_empties: 0, score_empties: 0, selective: false, ..limits }
}

/// Boards of games that are random at first and sensible then.
fn boards(empties: u32, count: usize) -> Vec<Board> {
    let mut engine = direct();
    let starts = random_boards_with_empties(17, 50, count);
    let grown = starts.filter_map(|mut board| {
        while !board.is_over() && board.empties() > empties {
            let report = search(&mut *engine, &board, &full(Limits::depth(1)));
            board = board.play(report.best()?.mv)?;
        }
        (!board.is_over() && !board.must_pass()).then_some(board)
    });
    grown.collect()
}

#[test]
fn a_move_found_in_an_interrupted_step_is_better_at_that_depth() {
    let mut engine = direct();
    let mut changed = 0;
    for board in boards(40, 25) {
        for nodes in (1..12).map(|step| step * 700) {
            engine.forget();
            let limits = full(Limits { nodes: Some(nodes), ..Limits::SOLVE });
            let mut reports = Vec::new();
            let whole = &mut |report: &Report| reports.push(report.clone());
            let end = engine.search(&board, &limits, &StopFlag::new(), whole);
            let [.., before, last] = &reports[..] else { continue };
            let (old, new) = (before.best().unwrap(), last.best().unwrap());
            assert_eq!(end.best(), last.best());
            if old.mv == new.mv {
                continue;
            }
            let Certainty::Depth(depth) = new.certainty else { panic!("{new:?}") };
            let both = Limits { beside: Some(old.mv), ..full(Limits::depth(depth)) };
            let found = search(&mut *engine, &board, &both);
            let best = found.best().unwrap().value;
            let worth = |mv| found.lines.iter().find(|line| line.mv == mv).map(|line| line.value);
            // The old move is among the lines; the new one unless a third is
            // better still.
            assert!(worth(old.mv).is_some_and(|old| old <= best), "{board:?} {depth}");
            assert!(new.value <= best, "{board:?} {depth}");
            assert!(new.value >= worth(old.mv).unwrap(), "{board:?} {depth}");
            changed += 1;
        }
    }
    assert!(changed > 20, "only {changed} moves changed in the last step");
}

#[test]
fn guesses_are_mostly_right_and_proofs_always() {
    let mut engine = direct();
    let (mut guesses, mut wrong, mut proofs) = (0, 0, 0);
    for board in boards(18, 60) {
        let truth = search(&mut *engine, &board, &Limits::SOLVE_OUTCOME);
        let truth = truth.best().unwrap().outcome().unwrap();
        for nodes in [20_000, 60_000, 200_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::STRONGEST };
            let report = search(&mut *engine, &board, &limits);
            let line = report.best().unwrap();
            if let Some(outcome) = line.outcome() {
                assert_eq!(outcome, truth, "{board:?}");
                proofs += 1;
            } else if line.certainty == Certainty::Depth(18) {
                let guess = match line.value.thousandths() {
                    0 => Outcome::Draw,
                    value if value > 0 => Outcome::Win,
                    _ => Outcome::Loss,
                };
                assert!(report.confidence.is_some());
                guesses += 1;
                wrong += usize::from(guess != truth);
            }
        }
    }
    assert!(proofs > 30 && guesses > 30, "{proofs} proofs, {guesses} guesses");
    assert!(wrong * 8 < guesses, "{wrong} of {guesses} guesses are wrong");
}

#[test]
fn with_enough_nodes_the_guess_becomes_a_proof() {
    let mut engine = direct();
    for board in boards(17, 12) {
        let limits = Limits { nodes: Some(20_000_000), score_empties: 0, ..Limits::STRONGEST };
        let report = search(&mut *engine, &board, &limits);
        let solved = search(&mut *engine, &board, &Limits::SOLVE_OUTCOME);
        assert_eq!(report.best().unwrap().certainty, Certainty::Outcome);
        assert_eq!(report.best().unwrap().outcome(), solved.best().unwrap().outcome());
        assert_eq!(report.confidence, None);
    }
}
