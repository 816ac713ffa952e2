//! Counts all move paths of a given length: the classic check of a move
//! generator. `cargo run --release --example perft -- 9`

use std::time::Instant;

use discern_board::{Board, flips, perft};

pub(crate) fn main() {
    let depth = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(7);
    let start = Instant::now();
    let paths = perft(Board::START, depth);
    println!("{paths} paths of {depth} moves in {:?}, kernel {}", start.elapsed(), flips::KERNEL);
    let known = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288];
    if let Some(&expected) = known.get(depth as usize) {
        assert_eq!(paths, expected);
    }
}
