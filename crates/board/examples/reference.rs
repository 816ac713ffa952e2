//! Endings solved the slow way, for `scripts/exactness`.
//!
//! ```text
//! cargo run --release -p discern-board --example reference -- SEED 4:100 14:3
//! ```
//! Takes positions of random games, here 100 with four empty squares and three
//! with fourteen, and prints for each a line of JSON: the moves that lead to
//! it as GTP says them, the position, and every legal move with its score for the side that
//! makes it. The rules are walked square by square, and nothing is known but
//! alpha-beta: neither the kernels of this crate nor the solver has a part in
//! the scores.

use std::io::Write;

use discern_board::testing::random_games;
use discern_board::{Board, Game, Move, Square};

/// Discs as two sets of squares, a1 the lowest bit.
#[derive(Clone, Copy)]
struct Discs {
    mine: u64,
    theirs: u64,
}

impl Discs {
    /// What a disc on this square would turn, found by walking away from it.
    fn turned_by(self, square: u32) -> u64 {
        let mut turned = 0;
        if (self.mine | self.theirs) >> square & 1 == 1 {
            return 0;
        }
        for (right, down) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
        {
            let (mut file, mut rank) = (square as i32 % 8, square as i32 / 8);
            let mut line = 0;
            loop {
                (file, rank) = (file + right, rank + down);
                if !(0..8).contains(&file) || !(0..8).contains(&rank) {
                    break;
                }
                let here = 1 << (8 * rank + file);
                if self.theirs & here != 0 {
                    line |= here;
                } else {
                    if self.mine & here != 0 {
                        turned |= line;
                    }
                    break;
                }
            }
        }
        turned
    }

    fn passed(self) -> Discs {
        Discs { mine: self.theirs, theirs: self.mine }
    }

    /// The legal moves with the discs after them, from the other side's view.
    fn successors(self) -> Vec<(u32, Discs)> {
        let mut found = Vec::new();
        let mut empty = !(self.mine | self.theirs);
        while empty != 0 {
            let square = empty.trailing_zeros();
            empty &= empty - 1;
            let turned = self.turned_by(square);
            if turned != 0 {
                let mine = self.mine | turned | 1 << square;
                found.push((square, Discs { mine: self.theirs & !turned, theirs: mine }));
            }
        }
        found
    }

    /// The difference at the end; empty squares are the winner's.
    fn final_score(self) -> i32 {
        let (mine, theirs) = (self.mine.count_ones() as i32, self.theirs.count_ones() as i32);
        let empties = 64 - mine - theirs;
        mine - theirs + (mine - theirs).signum() * empties
    }

    /// The score under best play, between two bounds. Where much is left, moves
    /// with few replies come first; nothing else makes it quick.
    fn score(self, alpha: i32, beta: i32) -> i32 {
        let mut next = self.successors();
        if next.is_empty() {
            return match self.passed().successors().is_empty() {
                true => self.final_score(),
                false => -self.passed().score(-beta, -alpha),
            };
        }
        if (self.mine | self.theirs).count_zeros() > 5 {
            next.sort_by_cached_key(|(_, discs)| discs.successors().len());
        }
        let mut best = -64;
        for (_, discs) in next {
            best = best.max(-discs.score(-beta, -alpha.max(best)));
            if best >= beta {
                break;
            }
        }
        best
    }
}

/// Every legal move with its score, or the pass.
fn scores(board: &Board) -> Vec<(String, i32)> {
    let discs = Discs { mine: board.mover().0, theirs: board.opponent().0 };
    let next = discs.successors();
    if next.is_empty() {
        return vec![("pass".into(), -discs.passed().score(-64, 64))];
    }
    let named = |(square, discs): (u32, Discs)| {
        (Square::from_index(square).to_string(), -discs.score(-64, 64))
    };
    next.into_iter().map(named).collect()
}

/// The beginning of a game, up to this many empty squares; `None` if it is over
/// then or before.
fn beginning(game: &Game, empties: u32) -> Option<Game> {
    let mut begun = Game::default();
    for mv in game.moves() {
        if begun.position().board.empties() <= empties {
            break;
        }
        begun.play(mv).expect("the moves of a game");
    }
    let board = begun.position().board;
    (board.empties() == empties && !board.is_over()).then_some(begun)
}

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let seed: u64 = words.next().and_then(|word| word.parse().ok()).expect("a seed");
    let mut out = std::io::stdout().lock();
    for word in words {
        let (empties, count) = word.split_once(':').expect("EMPTIES:POSITIONS");
        let [empties, count] = [empties, count].map(|word| word.parse::<u32>().expect("a number"));
        let games = random_games(seed << 8 | u64::from(empties), usize::MAX);
        for game in games.filter_map(|game| beginning(&game, empties)).take(count as usize) {
            let position = game.position();
            let scores: Vec<String> = scores(&position.board)
                .iter()
                .map(|(mv, score)| format!("\"{mv}\":{score}"))
                .collect();
            let placed = game.plies().iter().filter(|ply| ply.mv != Move::Pass);
            let plays: Vec<String> =
                placed.map(|ply| format!("\"play {} {}\"", ply.before.mover, ply.mv)).collect();
            let (plays, scores) = (plays.join(","), scores.join(","));
            writeln!(
                out,
                "{{\"empties\":{empties},\"plays\":[{plays}],\"mover\":\"{}\",\
                 \"position\":\"{position}\",\"scores\":{{{scores}}}}}",
                position.mover
            )?;
        }
    }
    Ok(())
}
