use discern_board::{Bitboard, Board, Square};

use super::groups::{GROUP_COUNT, GROUPS, Group, LANES, PAPER_LANES, VECTOR, WIDE_START};
use super::instances::Instances;

/// Lanes of the paper's patterns, in whole vectors.
pub const NARROW: usize = PAPER_LANES.next_multiple_of(VECTOR);
/// Lanes of all patterns, in whole vectors.
const ALL: usize = LANES.next_multiple_of(VECTOR);
/// Lanes of all patterns but those that others contain, in whole vectors.
pub const WIDE: usize = ALL - WIDE_START;

/// The configurations of the paper's patterns.
pub type Indices = Lanes<0, NARROW>;
/// The configurations of all patterns that no other contains, of which those of
/// the others follow: what the widest evaluators keep up to date.
pub type WideIndices = Lanes<WIDE_START, WIDE>;
/// The configurations of all patterns.
pub type AllIndices = Lanes<0, ALL>;

/// The configurations of some lookups as the mover sees them: those of `WIDTH`
/// lanes from lane `START` on, whole 256-bit vectors.
///
/// A lane holds Σ ±3^place over the discs of its instance, + for the mover:
/// balanced ternary, 0 for the empty pattern. Changing sides is a negation,
/// so that a move costs one vector addition per disc turned over and nothing
/// for the change of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Lanes<const START: usize, const WIDTH: usize>([i16; WIDTH]);

const GROUPS_IN_PLACE: &[Group; GROUP_COUNT] = &GROUPS;

/// What a mover's disc on each square adds to each lane.
static DISCS: [AllIndices; 64] = {
    let mut discs = [Lanes([0; _]); 64];
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

/// What a mover's disc on a square adds to the lanes from `START` on.
#[inline(always)]
fn disc<const START: usize, const WIDTH: usize>(square: Square) -> &'static [i16; WIDTH] {
    let lanes = &DISCS[square.index()].0;
    lanes[START..].first_chunk().expect("no more lanes than there are")
}

impl<const START: usize, const WIDTH: usize> Lanes<START, WIDTH> {
    /// The configurations of a board, from scratch.
    pub fn of(board: &Board) -> Self {
        let mut lanes = [0; WIDTH];
        for square in board.mover() {
            add(&mut lanes, disc::<START, WIDTH>(square));
        }
        for square in board.opponent() {
            subtract(&mut lanes, disc::<START, WIDTH>(square));
        }
        Lanes(lanes)
    }

    /// The groups whose lookups are all here, each with its lanes.
    pub(super) fn groups(&self) -> impl Iterator<Item = (&'static Group, &[i16])> {
        let here = |group: &&Group| group.first_lane >= START && group.end() <= START + WIDTH;
        let lanes =
            |group: &'static Group| (group, &self.0[group.first_lane - START..][..group.lanes]);
        GROUPS_IN_PLACE.iter().filter(here).map(lanes)
    }

    /// After the mover puts a disc on `square` and turns `flips` over.
    #[inline(always)]
    pub fn play(&self, square: Square, flips: Bitboard) -> Self {
        // Compiles to a register of sums per 16 lanes and one addition each
        // per disc.
        let mut turned = [0; WIDTH];
        for flip in flips {
            add(&mut turned, disc::<START, WIDTH>(flip));
        }
        let placed = disc::<START, WIDTH>(square);
        let mut lanes = [0; WIDTH];
        for i in 0..WIDTH {
            // −(old + placed + 2 turned), for the other side.
            let twice = turned[i].wrapping_add(turned[i]);
            lanes[i] = 0i16.wrapping_sub(self.0[i].wrapping_add(placed[i])).wrapping_sub(twice);
        }
        Lanes(lanes)
    }

    /// After a pass.
    #[inline(always)]
    pub fn pass(&self) -> Self {
        Lanes(self.0.map(|lane| 0i16.wrapping_sub(lane)))
    }

    /// The lanes, in the order of the groups; those of no group are 0.
    #[inline(always)]
    pub fn lanes(&self) -> &[i16; WIDTH] {
        &self.0
    }
}

#[inline(always)]
fn add<const WIDTH: usize>(lanes: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
    for i in 0..WIDTH {
        lanes[i] = lanes[i].wrapping_add(row[i]);
    }
}

#[inline(always)]
fn subtract<const WIDTH: usize>(lanes: &mut [i16; WIDTH], row: &[i16; WIDTH]) {
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
        let mut lanes: Vec<i16> = Vec::new();
        for group in &GROUPS {
            lanes.resize(group.first_lane, 0);
            let instances = Instances::of(group.pattern());
            for squares in &instances.squares[..instances.len] {
                let digits = group.pattern().squares.iter().zip(squares).map(|(_, &square)| {
                    i16::from(board.mover().contains(square))
                        - i16::from(board.opponent().contains(square))
                });
                lanes.push(digits.rev().fold(0, |sum, digit| 3 * sum + digit));
            }
        }
        lanes.resize(LANES, 0);
        lanes
    }

    #[test]
    fn lanes_are_balanced_ternary_numbers() {
        for board in random_discs(11, 3000) {
            let all = by_definition(&board);
            assert_eq!(AllIndices::of(&board).lanes()[..LANES], all);
            assert_eq!(WideIndices::of(&board).lanes()[..LANES - WIDE_START], all[WIDE_START..]);
            assert_eq!(Indices::of(&board).lanes()[..PAPER_LANES], all[..PAPER_LANES]);
        }
    }

    #[test]
    fn playing_on_equals_starting_anew() {
        for game in random_games(12, 40_000) {
            let mut board = Board::START;
            let (mut indices, mut wide) = (Indices::of(&board), WideIndices::of(&board));
            for ply in game.plies() {
                match ply.mv {
                    Move::Place(square) => {
                        let flips = board.flips(square);
                        (indices, wide) = (indices.play(square, flips), wide.play(square, flips));
                        board = board.play_unchecked(square, flips);
                    }
                    Move::Pass => {
                        (indices, wide) = (indices.pass(), wide.pass());
                        board = board.pass();
                    }
                }
                assert_eq!((indices, wide), (Indices::of(&board), WideIndices::of(&board)));
            }
        }
    }
}
