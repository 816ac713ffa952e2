//! The midgame search against plain NegaMax, and its promises: the same
//! result every time, limits kept, stops obeyed.

use std::time::{Duration, Instant};

use discern_board::testing::{random_boards_with_empties, random_game_boards};
use discern_board::{Bitboard, Board, Square};
use discern_eval::{Evaluator, Material, Rev, Value};
use discern_search::{Limits, MoveTime, Options, Searcher, StopFlag};

fn searcher<E: Evaluator>(evaluator: E, threads: usize) -> Searcher<E> {
    Searcher::new(evaluator, Options { threads, table_mebibytes: 4 }).unwrap()
}

/// NegaMax to a depth, then corner quiescence, with no window at all.
fn negamax(evaluator: &impl Evaluator, board: &Board, depth: u32) -> Value {
    if depth == 0 {
        return quiescence(evaluator, board);
    }
    let moves = board.moves();
    if moves.is_empty() {
        if board.opponent_moves().is_empty() {
            return Value::proven(board.final_score());
        }
        return -negamax(evaluator, &board.pass(), depth);
    }
    let next = |square| board.play_unchecked(square, board.flips(square));
    moves.squares().map(|square| -negamax(evaluator, &next(square), depth - 1)).max().unwrap()
}

/// Stand pat or take a corner, and so on.
fn quiescence(evaluator: &impl Evaluator, board: &Board) -> Value {
    if board.mover().is_empty() || board.opponent().is_empty() || board.empty().is_empty() {
        return Value::proven(board.final_score());
    }
    let corners = board.moves() & Bitboard::CORNERS;
    let next = |square| board.play_unchecked(square, board.flips(square));
    let captures = corners.squares().map(|square| -quiescence(evaluator, &next(square)));
    captures.fold(evaluator.evaluate(board), Value::max)
}

#[test]
fn value_equals_plain_negamax() {
    let mut rev = searcher(Rev::default(), 1);
    let mut parallel = searcher(Rev::default(), 3);
    let mut material = searcher(Material, 1);
    for (i, board) in random_game_boards(1, 40).enumerate() {
        if board.is_over() || i % 7 != 0 {
            continue;
        }
        // Depth 5 runs into the table, the windows and the split points.
        for depth in [1, 2, 3, 5] {
            let limits = Limits { outcome_empties: 0, score_empties: 0, ..Limits::depth(depth) };
            if depth >= board.empties() || (depth == 5 && i % 28 != 0) {
                continue;
            }
            let stop = StopFlag::new();
            let expected = negamax(&Rev::default(), &board, depth);
            for searcher in [&mut rev, &mut parallel] {
                searcher.forget();
                let report = searcher.search(&board, &limits, &stop, |_| {});
                assert_eq!(report.best().unwrap().value, expected, "depth {depth} {board:?}");
            }
            material.forget();
            let report = material.search(&board, &limits, &stop, |_| {});
            assert_eq!(report.best().unwrap().value, negamax(&Material, &board, depth));
        }
    }
}

#[test]
fn a_move_beside_the_best_is_seen_as_deep_as_they_are() {
    for threads in [1, 2] {
        let mut rev = searcher(Rev::default(), threads);
        for board in random_game_boards(5, 12).filter(|board| !board.moves().is_empty()).step_by(23)
        {
            let depth = 4.min(board.empties());
            for square in board.moves().squares() {
                rev.forget();
                let limits = Limits {
                    outcome_empties: 0,
                    score_empties: 0,
                    beside: Some(square.into()),
                    ..Limits::depth(depth)
                };
                let report = rev.search(&board, &limits, &StopFlag::new(), |report| {
                    assert_eq!(report.lines[0].certainty, report.lines.last().unwrap().certainty);
                });
                assert!(report.lines.len() <= 2);
                let line = report.lines.iter().find(|line| line.mv == square.into()).unwrap();
                let after = board.play(square.into()).unwrap();
                assert_eq!(line.value, -negamax(&Rev::default(), &after, depth - 1), "{board:?}");
                assert!(line.value <= report.lines[0].value);
            }
        }
    }
}

#[test]
fn moves_left_out_are_not_searched_unless_they_are_all() {
    let mut rev = searcher(Rev::default(), 1);
    for board in random_game_boards(6, 12).filter(|board| !board.moves().is_empty()).step_by(11) {
        let depth = 4.min(board.empties());
        let full = Limits { outcome_empties: 0, score_empties: 0, ..Limits::depth(depth) };
        let value = |square: Square| {
            let after = board.play(square.into()).unwrap();
            (-negamax(&Rev::default(), &after, depth - 1), square)
        };
        let mut except = Bitboard::EMPTY;
        while (board.moves() - except).any() {
            let expected = (board.moves() - except).squares().map(value).max().unwrap().0;
            rev.forget();
            let report = rev.search(&board, &Limits { except, ..full }, &StopFlag::new(), |_| {});
            let best = report.best().unwrap();
            let square = best.mv.square().unwrap();
            assert_eq!(best.value, expected, "{board:?} without {except:?}");
            assert_eq!(value(square).0, expected);
            assert!(!except.contains(square));
            except |= Bitboard::of(square);
        }
        rev.forget();
        let all = rev.search(&board, &Limits { except, ..full }, &StopFlag::new(), |_| {});
        assert!(all.best().is_some());
    }
}

#[test]
fn one_thread_gives_the_same_report_every_time() {
    let mut one = searcher(Rev::default(), 1);
    let mut other = searcher(Rev::default(), 1);
    let limits = [
        Limits::depth(7),
        Limits { lines: 3, ..Limits::depth(5) },
        Limits { nodes: Some(20_000), ..Limits::default() },
        Limits::SOLVE_OUTCOME,
    ];
    for board in random_boards_with_empties(2, 14, 5).filter(|board| !board.is_over()) {
        for limits in &limits {
            let mut reports = Vec::new();
            for searcher in [&mut one, &mut other] {
                for _ in 0..2 {
                    searcher.forget();
                    let mut steps = Vec::new();
                    let report = searcher.search(&board, limits, &StopFlag::new(), |report| {
                        steps.push((report.lines.clone(), report.nodes));
                    });
                    reports.push((report.lines, report.nodes, steps));
                }
            }
            assert!(reports.windows(2).all(|pair| pair[0] == pair[1]), "{limits:?}");
        }
    }
}

#[test]
fn node_limit_is_kept() {
    let mut searcher = searcher(Rev::default(), 1);
    for nodes in [1, 100, 5_000, 100_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        searcher.forget();
        let report = searcher.search(&Board::START, &limits, &StopFlag::new(), |_| {});
        assert!(report.interrupted && report.best().is_some());
        // The limit is looked at between nodes high up in the tree.
        assert!(report.nodes >= nodes && report.nodes < nodes + 2_000, "{}", report.nodes);
    }
}

#[test]
fn time_is_kept_and_the_stop_flag_obeyed() {
    let mut searcher = searcher(Rev::default(), 2);
    for board in random_boards_with_empties(3, 40, 3).chain(random_boards_with_empties(4, 27, 3)) {
        let time = Duration::from_millis(60);
        let limits = Limits { time: Some(MoveTime::fixed(time)), ..Limits::SOLVE };
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        assert!(report.time < time + Duration::from_millis(40), "{:?}", report.time);

        let stop = StopFlag::new();
        let late = std::thread::scope(|scope| {
            let stopped = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(60));
                stop.stop();
                Instant::now()
            });
            let report = searcher.search(&board, &Limits::SOLVE, &stop, |_| {});
            let ended = Instant::now();
            assert!(report.best().is_some());
            ended.saturating_duration_since(stopped.join().unwrap())
        });
        assert!(late < Duration::from_millis(40), "stopped {late:?} late");
    }
}

#[test]
fn lines_are_told_best_first_with_the_values_of_their_moves() {
    let mut searcher = searcher(Rev::default(), 1);
    let rev = Rev::default();
    for board in random_boards_with_empties(5, 30, 5) {
        let limits = Limits { lines: 64, ..Limits::depth(3) };
        searcher.forget();
        let report = searcher.search(&board, &limits, &StopFlag::new(), |_| {});
        assert_eq!(report.lines.len(), board.moves().count() as usize);
        assert!(report.lines.is_sorted_by(|a, b| a.value >= b.value));
        for line in &report.lines {
            let next = board.play(line.mv).unwrap();
            assert_eq!(line.value, -negamax(&rev, &next, 2), "{}", line.mv);
        }
    }
}
