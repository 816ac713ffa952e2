//! Exact means exact: the solver against plain minimax, with any number of
//! threads, any evaluator and every image of a board.

use discern_board::testing::random_boards_with_empties;
use discern_board::{Bitboard, Board, Move, Square, Symmetry};
use discern_eval::{Evaluator, Material, Rev, Value};
use discern_search::{Certainty, Limits, Options, Report, Searcher, StopFlag};

fn searcher<E: Evaluator>(evaluator: E, threads: usize) -> Searcher<E> {
    Searcher::new(evaluator, Options { threads, table_mebibytes: 4 }).unwrap()
}

fn solve<E: Evaluator>(searcher: &mut Searcher<E>, board: &Board, limits: &Limits) -> Report {
    searcher.forget();
    searcher.search(board, limits, &StopFlag::new(), |_| {})
}

fn score<E: Evaluator>(searcher: &mut Searcher<E>, board: &Board) -> i32 {
    solve(searcher, board, &Limits::SOLVE).best().unwrap().score().unwrap().discs()
}

/// The score under best play, found the slow way.
fn minimax(board: &Board) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        if board.opponent_moves().is_empty() {
            return board.final_score().discs();
        }
        return -minimax(&board.pass());
    }
    let next = |square| board.play_unchecked(square, board.flips(square));
    moves.squares().map(|square| -minimax(&next(square))).max().unwrap()
}

/// Random boards with so many empty squares whose game is not over.
fn unfinished(seed: u64, empties: u32, count: usize) -> impl Iterator<Item = Board> {
    random_boards_with_empties(seed, empties, 2 * count)
        .filter(|board| !board.is_over())
        .take(count)
}

/// The board with all but two of the opponent's discs turned over: most such
/// games end with a wipe-out.
fn lopsided(board: Board) -> Board {
    let left: Bitboard = board.opponent().squares().take(2).collect();
    Board::new(board.mover() | (board.opponent() - left), left).unwrap()
}

#[test]
fn twenty_thousand_scores_equal_minimax() {
    let (mut one, mut two) = (searcher(Rev::default(), 1), searcher(Material, 2));
    let mut wiped_out = 0;
    let mut passed = 0;
    let mut all = 0;
    let counts = [
        (1, 2500),
        (2, 3000),
        (3, 3000),
        (4, 3000),
        (5, 3000),
        (6, 2500),
        (7, 2000),
        (8, 800),
        (9, 150),
        (10, 50),
    ];
    for (empties, count) in counts {
        for (at, board) in unfinished(u64::from(empties), empties, count).enumerate() {
            let board = match lopsided(board) {
                lopsided if at % 5 == 0 && !lopsided.is_over() => lopsided,
                _ => board,
            };
            let expected = minimax(&board);
            // The first one forgets nothing, the second everything.
            let report = one.search(&board, &Limits::SOLVE, &StopFlag::new(), |_| {});
            assert_eq!(report.best().unwrap().score().unwrap().discs(), expected, "{board:?}");
            if at < 100 {
                assert_eq!(score(&mut two, &board), expected, "{board:?}");
            }
            all += 1;
            wiped_out += u32::from(expected.abs() == 64);
            passed += u32::from(board.must_pass());
        }
    }
    assert_eq!(all, 20_000);
    assert!(wiped_out > 100 && passed > 500, "{wiped_out} wiped out, {passed} passes");
}

#[test]
fn a_move_beside_the_best_is_proven_as_well() {
    for threads in [1, 2] {
        let mut searcher = searcher(Rev::default(), threads);
        for board in unfinished(17, 7, 40).filter(|board| !board.must_pass()) {
            for square in board.moves().squares() {
                let after = board.play(square.into()).unwrap();
                let limits = Limits { beside: Some(square.into()), ..Limits::SOLVE };
                let report = solve(&mut searcher, &board, &limits);
                let line = report.lines.iter().find(|line| line.mv == square.into()).unwrap();
                assert_eq!(line.score().unwrap().discs(), -minimax(&after), "{board:?}");
                assert_eq!(report.best().unwrap().score().unwrap().discs(), minimax(&board));
                assert!(report.lines.len() <= 2);
            }
        }
    }
}

#[test]
fn proven_play_leads_to_the_proven_score() {
    let mut searcher = searcher(Rev::default(), 1);
    for (empties, count) in [(1, 50), (4, 50), (8, 50), (12, 30), (15, 10)] {
        for mut board in unfinished(7, empties, count) {
            let report = solve(&mut searcher, &board, &Limits::SOLVE);
            let best = report.best().unwrap();
            let mut score = best.score().unwrap();
            assert_eq!(best.pv[0], best.mv);
            for &mv in &best.pv {
                board = board.play(mv).expect("a legal move");
                score = -score;
            }
            assert!(board.is_over());
            assert_eq!(board.final_score(), score);
        }
    }
}

#[test]
fn outcome_agrees_with_the_score() {
    let mut searcher = searcher(Rev::default(), 1);
    for (empties, count) in [(3, 100), (6, 100), (10, 60), (14, 20)] {
        for board in unfinished(8, empties, count) {
            let exact = solve(&mut searcher, &board, &Limits::SOLVE).best().unwrap().clone();
            let outcome = solve(&mut searcher, &board, &Limits::SOLVE_OUTCOME);
            let best = outcome.best().unwrap();
            assert_eq!(best.certainty, Certainty::Outcome);
            assert_eq!(best.score(), None);
            assert_eq!(best.outcome(), exact.outcome(), "{board:?}");
        }
    }
}

#[test]
fn all_images_evaluators_and_thread_counts_agree() {
    let mut threads: Vec<_> = [2, 3, 4, 16].map(|n| searcher(Rev::default(), n)).into();
    let (mut rev, mut material) = (searcher(Rev::default(), 1), searcher(Material, 1));
    for board in unfinished(9, 15, 6) {
        let expected = score(&mut rev, &board);
        assert_eq!(score(&mut material, &board), expected);
        for symmetry in Symmetry::ALL {
            assert_eq!(score(&mut rev, &symmetry.board(board)), expected);
        }
        for searcher in &mut threads {
            assert_eq!(score(searcher, &board), expected, "{:?}", searcher.options());
        }
    }
}

#[test]
fn a_warm_table_changes_nothing() {
    let mut searcher = searcher(Rev::default(), 2);
    let boards: Vec<Board> = unfinished(10, 13, 40).collect();
    let cold: Vec<i32> = boards.iter().map(|board| score(&mut searcher, board)).collect();
    for (board, expected) in boards.iter().zip(cold) {
        // Neighbours first, so that the table is full of related entries.
        for limits in [Limits::SOLVE_OUTCOME, Limits::depth(6), Limits::SOLVE] {
            let report = searcher.search(board, &limits, &StopFlag::new(), |_| {});
            if let Some(score) = report.best().unwrap().score() {
                assert_eq!(score.discs(), expected);
            }
        }
    }
}

#[test]
fn several_lines_have_the_scores_of_their_moves() {
    let mut searcher = searcher(Rev::default(), 1);
    for board in unfinished(11, 11, 15) {
        let all = Limits { lines: 64, ..Limits::SOLVE };
        let report = solve(&mut searcher, &board, &all);
        let moves = board.moves().count().max(1) as usize;
        assert_eq!(report.lines.len(), moves);
        assert!(report.lines.is_sorted_by(|a, b| a.value >= b.value));
        for line in &report.lines {
            let next = board.play(line.mv).unwrap();
            let expected = if next.is_over() {
                -next.final_score().discs()
            } else {
                -score(&mut searcher, &next)
            };
            assert_eq!(line.score().unwrap().discs(), expected);
        }
    }
}

#[test]
fn a_finished_game_has_no_line_and_a_forced_pass_is_a_move() {
    let mut searcher = searcher(Rev::default(), 1);
    let blocked: discern_board::Position =
        "OX--------------------------------------------------------------  X".parse().unwrap();
    let report = solve(&mut searcher, &blocked.board, &Limits::SOLVE);
    let best = report.best().unwrap();
    assert_eq!(best.mv, Move::Pass);
    assert_eq!(best.score().unwrap().discs(), -64);
    assert_eq!(best.pv.len(), 2);
    let over = blocked.board.pass().play("c1".parse().unwrap()).unwrap();
    assert_eq!(solve(&mut searcher, &over, &Limits::SOLVE).best(), None);
}

/// Expects the contrary of what the discs say, and is sure of it: nearly all
/// its guesses are wrong.
struct Misled;

impl Evaluator for Misled {
    type State = ();

    fn state(&self, _: &Board) {}

    fn play(&self, _: &(), _: Square, _: Bitboard) {}

    fn pass(&self, _: &()) {}

    fn value(&self, _: &(), board: &Board) -> Value {
        let diff = board.mover().count() as i32 - board.opponent().count() as i32;
        Value::estimate(-400 * diff)
    }
}

#[test]
fn guesses_of_the_selective_passes_prove_nothing() {
    // Selective passes begin with 17 empty squares.
    let (mut right, mut one, mut two) =
        (searcher(Rev::default(), 1), searcher(Misled, 1), searcher(Misled, 2));
    for board in unfinished(23, 17, 12) {
        let expected = score(&mut right, &board);
        assert_eq!(score(&mut one, &board), expected, "{board:?}");
        assert_eq!(score(&mut two, &board), expected, "two threads, {board:?}");
    }
}
