//! Games of random moves on bare boards, the way a search walks the tree.

use discern_board::testing::Seeded;
use discern_board::{Board, Outcome};

/// Plays to the end; the result for the side that moves first.
fn playout(random: &mut Seeded) -> Outcome {
    let (mut board, mut turned) = (Board::START, false);
    loop {
        let moves = board.moves();
        if moves.is_empty() {
            if board.opponent_moves().is_empty() {
                let outcome = board.final_outcome();
                return if turned { -outcome } else { outcome };
            }
            board = board.pass();
        } else {
            let chosen = random.below(moves.count() as usize);
            let square = moves.squares().nth(chosen).expect("one of the moves");
            board = board.play_unchecked(square, board.flips(square));
        }
        turned = !turned;
    }
}

pub(crate) fn main() {
    let mut random = Seeded::new(1995);
    let games = 2000;
    let outcomes: Vec<Outcome> = (0..games).map(|_| playout(&mut random)).collect();
    let count = |wanted| outcomes.iter().filter(|&&outcome| outcome == wanted).count();
    let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count);
    println!("Black won {won}, drew {drawn} and lost {lost} of {games} random games");
    // Moving second is a small advantage among players who know nothing.
    assert!(lost > won && drawn < games / 10);
}
