use discern_board::{Bitboard, Board, Square, Symmetry};

use super::{PATTERNS, Pattern};

/// The largest number of squares of a pattern whose configurations fit into
/// 16 bits, and with room to spare the largest of ours.
pub(crate) const MAX_SQUARES: usize = 10;

/// The places a pattern has on the board: its images under the eight
/// symmetries, each set of squares once, digits in the pattern's order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instances {
    /// How many of `squares` are in use.
    pub(crate) len: usize,
    /// The squares of each instance; beyond the pattern's length A1.
    pub(crate) squares: [[Square; MAX_SQUARES]; 8],
}

impl Instances {
    pub(crate) const fn of(pattern: &Pattern) -> Instances {
        let mut instances = Instances { len: 0, squares: [[Square::A1; MAX_SQUARES]; 8] };
        let mut seen = [0u64; 8];
        let mut s = 0;
        while s < 8 {
            let (squares, set) = image(pattern, Symmetry::ALL[s]);
            let mut known = false;
            let mut i = 0;
            while i < instances.len {
                known |= seen[i] == set;
                i += 1;
            }
            if !known {
                seen[instances.len] = set;
                instances.squares[instances.len] = squares;
                instances.len += 1;
            }
            s += 1;
        }
        instances
    }
}

/// The places of a pattern and its configurations there, square by square: the
/// reference for everything fast.
pub(crate) fn configurations(pattern: usize, board: &Board) -> Vec<(Bitboard, usize)> {
    let pattern = &PATTERNS[pattern];
    let instances = Instances::of(pattern);
    let digit = |square| {
        1 + usize::from(board.mover().contains(square))
            - usize::from(board.opponent().contains(square))
    };
    let of_place = |place: &[Square; MAX_SQUARES]| {
        let squares = &place[..pattern.squares.len()];
        let configuration = squares.iter().rev().fold(0, |sum, &square| 3 * sum + digit(square));
        (squares.iter().copied().collect(), configuration)
    };
    instances.squares[..instances.len].iter().map(of_place).collect()
}

/// Where a pattern's squares go, in order and as a set.
const fn image(pattern: &Pattern, symmetry: Symmetry) -> ([Square; MAX_SQUARES], u64) {
    let mut squares = [Square::A1; MAX_SQUARES];
    let mut set = 0;
    let mut i = 0;
    while i < pattern.squares.len() {
        let bit = symmetry.bitboard(Bitboard::of(pattern.squares[i])).0;
        squares[i] = Square::from_index(bit.trailing_zeros());
        set |= bit;
        i += 1;
    }
    (squares, set)
}

/// The orders in which the symmetries of the board read the pattern's own
/// squares: `squares[order[i]]` is the image of `squares[i]`.
pub(crate) fn own_symmetries(pattern: &Pattern) -> Vec<Vec<usize>> {
    let (_, own) = image(pattern, Symmetry::Identity);
    let mut orders: Vec<Vec<usize>> = Symmetry::ALL
        .into_iter()
        .map(|symmetry| image(pattern, symmetry))
        .filter(|&(_, set)| set == own)
        .map(|(squares, _)| {
            let place = |square| pattern.squares.iter().position(|&s| s == square);
            squares[..pattern.squares.len()]
                .iter()
                .map(|&square| place(square).expect("the same set"))
                .collect()
        })
        .collect();
    orders.sort();
    orders.dedup();
    orders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::PATTERNS;

    #[test]
    fn patterns_have_the_instances_of_the_1995_source_and_later_ones_four_each() {
        let expected = [
            ("R1", 4),
            ("R2", 4),
            ("R3", 4),
            ("R4", 4),
            ("D8", 2),
            ("D7", 4),
            ("D6", 4),
            ("D5", 4),
            ("D4", 4),
            ("C2x4", 8),
            ("C2x5", 8),
            ("E2X", 4),
            ("TRI", 4),
            ("C3x3D", 4),
            ("E2x4", 4),
            ("I3x3C", 4),
            ("M2x4", 4),
            ("R2C", 4),
            ("R3X", 4),
            ("R4I", 4),
            ("D8C", 4),
            ("D7C", 4),
            ("D6X", 4),
            ("D5B", 4),
        ];
        let found = PATTERNS.map(|pattern| (pattern.name, Instances::of(&pattern).len));
        assert_eq!(found, expected);
    }

    #[test]
    fn lines_cover_the_34_lines_of_length_four_and_more() {
        let mut covered = [0; 64];
        for pattern in PATTERNS.iter().filter(|p| p.line != crate::patterns::Line::No) {
            let instances = Instances::of(pattern);
            for squares in &instances.squares[..instances.len] {
                for square in &squares[..pattern.squares.len()] {
                    covered[square.index()] += 1;
                }
            }
        }
        for square in Square::ALL {
            // A row, a column, and the diagonals that are long enough.
            let (x, y) = (square.column() as i32, square.row() as i32);
            let falling = 8 - (x - y).abs();
            let rising = 8 - (x + y - 7).abs();
            let lines = 2 + i32::from(falling >= 4) + i32::from(rising >= 4);
            assert_eq!(covered[square.index()], lines, "{square}");
        }
    }

    #[test]
    fn an_extension_begins_with_what_it_extends_and_lies_in_as_many_places() {
        for pattern in &PATTERNS {
            assert!(pattern.squares.len() <= MAX_SQUARES);
            if let Some(base) = pattern.extends {
                let base = &PATTERNS[base];
                assert_eq!(&pattern.squares[..base.squares.len()], base.squares);
                assert_eq!(Instances::of(pattern).len, Instances::of(base).len);
            }
        }
    }

    #[test]
    fn edges_read_the_same_from_both_ends_and_corners_do_not() {
        let orders =
            |name| own_symmetries(PATTERNS.iter().find(|pattern| pattern.name == name).unwrap());
        assert_eq!(orders("D5"), [vec![0, 1, 2, 3, 4], vec![4, 3, 2, 1, 0]]);
        assert_eq!(orders("E2X")[1], [7, 6, 5, 4, 3, 2, 1, 0, 9, 8]);
        assert_eq!(orders("C2x5").len(), 1);
    }
}
