//! Selective searches: what they rest on, what they save, what they must not
//! touch.

use discern_board::Board;
use discern_board::testing::random_boards_with_empties;
use discern_eval::{Evaluator, Rev};
use discern_search::{Certainty, Engine, Limits, Options, Searcher, StopFlag, engine};

const OPTIONS: Options = Options { threads: 1, table_mebibytes: 4 };

/// LOG with the shipped weights.
fn log() -> Box<dyn Engine> {
    engine(discern_data::weights().model("log").unwrap().evaluator(), OPTIONS).unwrap()
}

/// Full width to a depth, without proofs.
fn full(depth: u32) -> Limits {
    Limits { outcome_empties: 0, score_empties: 0, ..Limits::depth(depth) }
}

fn selective(depth: u32) -> Limits {
    Limits { selective: true, ..full(depth) }
}

/// Positions as they come up in games: random openings, then sensible moves.
fn sensible_boards(games: usize, empties: std::ops::RangeInclusive<u32>) -> Vec<Board> {
    let mut engine = log();
    let mut boards = Vec::new();
    for start in random_boards_with_empties(95, 54, games) {
        let mut board = start;
        while !board.is_over() && board.empties() >= *empties.start() {
            if empties.contains(&board.empties()) && board.empties() % 5 == 0 && !board.must_pass()
            {
                boards.push(board);
            }
            let report = engine.search(&board, &full(1), &StopFlag::new(), &mut |_| {});
            board = board.play(report.best().unwrap().mv).unwrap();
        }
    }
    boards
}

#[test]
fn the_spread_is_what_searches_show() {
    let boards = sensible_boards(30, 12..=50);
    assert!(boards.len() > 200, "{} positions", boards.len());
    for model in discern_data::weights().models() {
        let evaluator = model.evaluator();
        let mut engine = engine(evaluator.clone(), OPTIONS).unwrap();
        let mut value = |board: &Board, depth| {
            let report = engine.search(board, &full(depth), &StopFlag::new(), &mut |_| {});
            f64::from(report.best().unwrap().value.thousandths())
        };
        let strayed = boards.iter().map(|board| {
            let difference = value(board, 4) - value(board, 2);
            (difference / f64::from(evaluator.spread(board.discs()).unwrap())).powi(2)
        });
        let deviations = (strayed.sum::<f64>() / boards.len() as f64).sqrt();
        assert!((0.6..1.5).contains(&deviations), "{}: {deviations:.2} deviations", model.name());
    }
}

#[test]
fn a_selective_search_visits_fewer_nodes_and_finds_nearly_the_same() {
    let mut searcher = log();
    let boards = sensible_boards(6, 20..=50);
    let (mut nodes, mut strayed) = ([0, 0], 0);
    for board in &boards {
        let mut values = [0, 0];
        for (i, limits) in [full(7), selective(7)].into_iter().enumerate() {
            searcher.forget();
            let report = searcher.search(board, &limits, &StopFlag::new(), &mut |_| {});
            nodes[i] += report.nodes;
            values[i] = report.best().unwrap().value.thousandths();
        }
        strayed += (values[0] - values[1]).abs();
    }
    let strayed = strayed / boards.len() as i32;
    assert!(nodes[1] * 3 < nodes[0] * 2, "{nodes:?} nodes");
    assert!(strayed < 200, "{strayed} thousandths of a logit on average");
}

#[test]
fn guesses_stay_out_of_searches_at_full_width() {
    let mut searcher = log();
    for board in sensible_boards(3, 20..=50) {
        searcher.forget();
        let alone = searcher.search(&board, &full(6), &StopFlag::new(), &mut |_| {});
        searcher.forget();
        searcher.search(&board, &selective(8), &StopFlag::new(), &mut |_| {});
        let after = searcher.search(&board, &full(6), &StopFlag::new(), &mut |_| {});
        assert_eq!(alone.best().unwrap().value, after.best().unwrap().value, "{board:?}");
    }
}

#[test]
fn what_a_selective_search_proves_is_proven() {
    let mut searcher = log();
    for board in random_boards_with_empties(96, 9, 40).filter(|board| !board.is_over()) {
        searcher.forget();
        let guessed = searcher.search(&board, &selective(9), &StopFlag::new(), &mut |_| {});
        let line = guessed.best().unwrap();
        searcher.forget();
        let solved = searcher.search(&board, &Limits::SOLVE, &StopFlag::new(), &mut |_| {});
        if line.certainty == Certainty::Score {
            assert_eq!(line.score(), solved.best().unwrap().score(), "{board:?}");
        } else {
            assert_eq!(solved.best().unwrap().score().map(|score| score.discs()), Some(0));
        }
    }
}

#[test]
fn without_a_known_spread_nothing_is_guessed() {
    let mut searcher = Searcher::new(Rev::default(), OPTIONS).unwrap();
    for board in sensible_boards(1, 20..=50) {
        searcher.forget();
        let all = searcher.search(&board, &full(6), &StopFlag::new(), |_| {});
        searcher.forget();
        let same = searcher.search(&board, &selective(6), &StopFlag::new(), |_| {});
        assert_eq!((all.nodes, &all.lines), (same.nodes, &same.lines));
    }
}
