use discern_board::{Bitboard, Board, Square};

use super::groups::{GROUP_COUNT, GROUPS, LANES};
use super::instances::Instances;

/// Lanes with room to fill whole 256-bit vectors.
const WIDTH: usize = LANES.next_multiple_of(16);

/// The configurations of all lookups as the mover sees them.
///
/// A lane holds Σ ±3^place over the discs of its instance, + for the mover:
/// balanced ternary, 0 for the empty pattern. Changing sides is a negation,
/// so that a move costs one vector addition per disc turned over and nothing
/// for the change of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices([i16; WIDTH]);

/// What a mover's disc on each square adds to each lane.
static DISCS: [Indices; 64] = {
    let mut discs = [Indices([0; WIDTH]); 64];
    let mut g = 0;
    while g < GROUP_COUNT {
        let pattern = GROUPS[g].pattern();
        let instances = Instances::of(pattern);
        let mut i = 0;
        while i < instances.len {
            let (mut place, mut power) = (0, 1);
            while place < pattern.squares.len() {
                let square = instances.squares[i][place].index();
                discs[square].0[GROUPS[g].first_lane + i] = power;
                power = power.wrapping_mul(3);
                place += 1;
            }
            i += 1;
        }
        g += 1;
    }
    discs
};

impl Indices {
    /// The configurations of a board, from scratch.
    pub fn of(board: &Board) -> Indices {
        let mut lanes = [0; WIDTH];
        for square in board.mover {
            add(&mut lanes, &DISCS[square.index()].0);
        }
        for square in board.opponent {
            subtract(&mut lanes, &DISCS[square.index()].0);
        }
        Indices(lanes)
    }

    /// After the mover puts a disc on `square` and turns `flips` over.
    #[inline(always)]
    pub fn play(&self, square: Square, flips: Bitboard) -> Indices {
        // Compiles to three registers of sums and one addition each per disc.
        let mut turned = [0; WIDTH];
        for flip in flips {
            add(&mut turned, &DISCS[flip.index()].0);
        }
        let placed = &DISCS[square.index()].0;
        let mut lanes = [0; WIDTH];
        for i in 0..WIDTH {
            // −(old + placed + 2 turned), for the other side.
            let twice = turned[i].wrapping_add(turned[i]);
            lanes[i] = 0i16.wrapping_sub(self.0[i].wrapping_add(placed[i])).wrapping_sub(twice);
        }
        Indices(lanes)
    }

    /// After a pass.
    #[inline(always)]
    pub fn pass(&self) -> Indices {
        Indices(self.0.map(|lane| 0i16.wrapping_sub(lane)))
    }

    /// The lanes in use, in the order of the groups.
    #[inline(always)]
    pub fn lanes(&self) -> &[i16; LANES] {
        self.0.first_chunk().expect("the width is rounded up")
    }
}

#[inline(always)]
fn add(lanes: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
    for i in 0..WIDTH {
        lanes[i] = lanes[i].wrapping_add(row[i]);
    }
}

#[inline(always)]
fn subtract(lanes: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
    for i in 0..WIDTH {
        lanes[i] = lanes[i].wrapping_sub(row[i]);
    }
}

#[cfg(test)]
mod tests {
    use discern_board::Move;
    use discern_board::testing::{random_discs, random_games};

    use super::*;

    /// The lanes as the definition has them, square by square.
    fn by_definition(board: &Board) -> Vec<i16> {
        let mut lanes = Vec::new();
        for group in &GROUPS {
            let instances = Instances::of(group.pattern());
            for squares in &instances.squares[..instances.len] {
                let digits = group.pattern().squares.iter().zip(squares).map(|(_, &square)| {
                    i16::from(board.mover.contains(square))
                        - i16::from(board.opponent.contains(square))
                });
                lanes.push(digits.rev().fold(0, |sum, digit| 3 * sum + digit));
            }
            lanes.resize(lanes.len().next_multiple_of(4), 0);
        }
        lanes
    }

    #[test]
    fn lanes_are_balanced_ternary_numbers() {
        for board in random_discs(11, 3000) {
            assert_eq!(Indices::of(&board).lanes()[..], by_definition(&board));
        }
    }

    #[test]
    fn playing_on_equals_starting_anew() {
        for game in random_games(12, 40_000) {
            let mut board = Board::START;
            let mut indices = Indices::of(&board);
            for ply in game.plies() {
                match ply.mv {
                    Move::Place(square) => {
                        let flips = board.flips(square);
                        indices = indices.play(square, flips);
                        board = board.play_unchecked(square, flips);
                    }
                    Move::Pass => {
                        indices = indices.pass();
                        board = board.pass();
                    }
                }
                assert_eq!(indices, Indices::of(&board));
            }
        }
    }
}
