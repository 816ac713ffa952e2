//! Too long for every day: `scripts/nightly`.

use std::sync::atomic::{AtomicUsize, Ordering};

use discern_board::Board;
use discern_board::testing::random_boards_with_empties;
use discern_eval::Rev;
use discern_search::{Limits, Options, Searcher, StopFlag};

/// Empty squares of the positions.
const EMPTIES: u32 = 14;

/// Plain alpha-beta, fail-soft: no table, no null window, no bound that is not
/// the rules'. Few replies first, or it would take days.
fn alpha_beta(board: &Board, mut alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        return match board.opponent_moves().any() {
            true => -alpha_beta(&board.pass(), -beta, -alpha),
            false => board.final_score().discs(),
        };
    }
    let next = |square| board.play_unchecked(square, board.flips(square));
    let mut successors: Vec<Board> = moves.squares().map(next).collect();
    if board.empties() > 5 {
        successors.sort_by_key(|next| next.moves().count());
    }
    let mut best = -64;
    for next in &successors {
        best = best.max(-alpha_beta(next, -beta, -alpha));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

#[test]
#[ignore = "takes an hour: scripts/nightly"]
fn a_hundred_thousand_scores_equal_plain_alpha_beta() {
    let wanted = std::env::var("DISCERN_NIGHTLY_POSITIONS").ok();
    let wanted: usize = wanted.map_or(100_000, |text| text.parse().expect("a number"));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let compared = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let compared = &compared;
            scope.spawn(move || {
                let options = Options { threads: 1, table_mebibytes: 16 };
                let mut searcher = Searcher::new(Rev::default(), options).unwrap();
                let boards = random_boards_with_empties(thread as u64, EMPTIES, usize::MAX);
                for board in boards.filter(|board| !board.is_over()) {
                    if compared.fetch_add(1, Ordering::Relaxed) >= wanted {
                        break;
                    }
                    let report = searcher.search(&board, &Limits::SOLVE, &StopFlag::new(), |_| {});
                    let score = report.best().unwrap().score().unwrap().discs();
                    assert_eq!(score, alpha_beta(&board, -64, 64), "{board:?}");
                }
            });
        }
    });
    println!("{wanted} positions with {EMPTIES} empty squares: every score is right");
}
