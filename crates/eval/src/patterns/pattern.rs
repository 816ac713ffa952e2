use discern_board::Square;

/// A set of squares whose discs are looked up together.
///
/// The squares are those of one instance; the others follow from the eight
/// symmetries of the board. Their order gives the digits of a configuration,
/// the first square the least.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// Short name, as in reports.
    pub name: &'static str,
    /// What people call its feature.
    pub title: &'static str,
    /// What its feature looks at, in a sentence.
    pub explanation: &'static str,
    /// The squares of the first instance.
    pub squares: &'static [Square],
    /// A straight line, which also counts for mobility.
    pub line: Line,
    /// Does a feature belong to it, or is it here for its mobility only?
    pub scored: bool,
    /// The pattern whose squares come first in this one. Rare configurations
    /// of this pattern lean on its statistics, and in the evaluators one
    /// lookup serves both.
    pub extends: Option<usize>,
}

/// What a pattern has to do with mobility.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// Not a straight line.
    No,
    /// A line on the rim: moves are counted, but no potential moves.
    Edge,
    /// Any other line.
    Inner,
}

/// How many of the patterns the paper's features need: those before them in
/// the list. Evaluators that need no others keep fewer configurations up to
/// date.
pub(crate) const PAPER_PATTERNS: usize = 12;

/// All patterns, those of the paper's features first. A further one is a
/// further line.
pub const PATTERNS: [Pattern; 24] = {
    use Line::{Edge, Inner, No};
    use discern_board::Square::*;

    /// Name and title; the squares; the explanation; line, scored, extends.
    const fn pattern(
        [name, title]: [&'static str; 2],
        squares: &'static [Square],
        explanation: &'static str,
        (line, scored, extends): (Line, bool, Option<usize>),
    ) -> Pattern {
        Pattern { name, title, explanation, squares, line, scored, extends }
    }
    [
        pattern(
            ["R1", "Edges"],
            &[A1, B1, C1, D1, E1, F1, G1, H1],
            "The discs on the four edges: how often the mover won where they stood so.",
            (Edge, true, None),
        ),
        pattern(
            ["R2", "Second lines"],
            &[A2, B2, C2, D2, E2, F2, G2, H2],
            "The four lines next to the edges.",
            (Inner, true, None),
        ),
        pattern(
            ["R3", "Third lines"],
            &[A3, B3, C3, D3, E3, F3, G3, H3],
            "The four lines two squares from an edge.",
            (Inner, true, None),
        ),
        pattern(
            ["R4", "Middle lines"],
            &[A4, B4, C4, D4, E4, F4, G4, H4],
            "The four lines through the centre.",
            (Inner, true, None),
        ),
        pattern(
            ["D8", "Long diagonals"],
            &[A1, B2, C3, D4, E5, F6, G7, H8],
            "The two diagonals from corner to corner.",
            (Inner, true, None),
        ),
        pattern(
            ["D7", "Diagonals of 7"],
            &[B1, C2, D3, E4, F5, G6, H7],
            "The four diagonals of seven squares.",
            (Inner, true, None),
        ),
        pattern(
            ["D6", "Diagonals of 6"],
            &[C1, D2, E3, F4, G5, H6],
            "The four diagonals of six squares.",
            (Inner, true, None),
        ),
        pattern(
            ["D5", "Diagonals of 5"],
            &[D1, E2, F3, G4, H5],
            "The four diagonals of five squares.",
            (Inner, true, None),
        ),
        pattern(
            ["D4", "Diagonals of 4"],
            &[E1, F2, G3, H4],
            "The four diagonals of four squares.",
            (Inner, true, None),
        ),
        pattern(
            ["C2x4", "Corners 2×4"],
            &[A1, B1, C1, D1, A2, B2, C2, D2],
            "The eight blocks of two by four squares at the corners.",
            (No, true, None),
        ),
        pattern(
            ["C2x5", "Corners 2×5"],
            &[A1, B1, C1, D1, A2, B2, C2, D2, E1, E2],
            "The eight blocks of two by five squares at the corners.",
            (No, true, Some(9)),
        ),
        pattern(
            ["E2X", "Edges with X"],
            &[A1, B1, C1, D1, E1, F1, G1, H1, B2, G2],
            "Each edge with the two squares diagonally next to its corners.",
            (No, true, Some(0)),
        ),
        pattern(
            ["TRI", "Corner triangles"],
            &[A1, B1, C1, D1, A2, B2, C2, A3, B3, A4],
            "The four triangles of ten squares in the corners.",
            (No, true, None),
        ),
        pattern(
            ["C3x3D", "Corners 3×3"],
            &[A1, B1, C1, A2, B2, C2, A3, B3, C3, D4],
            "The four blocks of three by three squares in the corners with the next square of the diagonal.",
            (No, true, None),
        ),
        pattern(
            ["E2x4", "Edge blocks"],
            &[C1, D1, E1, F1, C2, D2, E2, F2, D3, E3],
            "The middle of each edge and of the line behind it, and two squares of the third line.",
            (No, true, None),
        ),
        pattern(
            ["I3x3C", "Inner blocks with corners"],
            &[B2, C2, D2, B3, C3, D3, B4, C4, D4, A1],
            "The four blocks of three by three squares next to the centre, each with the corner behind.",
            (No, true, None),
        ),
        pattern(
            ["M2x4", "Middle blocks"],
            &[C2, D2, E2, F2, C3, D3, E3, F3, D4, E4],
            "The middle of the second and third line from each side, and two squares of the centre.",
            (No, true, None),
        ),
        pattern(
            ["R2C", "Second lines with corners"],
            &[A2, B2, C2, D2, E2, F2, G2, H2, A1, H1],
            "Each line next to an edge with the two corners of that edge.",
            (No, true, None),
        ),
        pattern(
            ["R3X", "Third lines with X"],
            &[A3, B3, C3, D3, E3, F3, G3, H3, B2, G2],
            "Each third line with the two squares diagonally next to the corners.",
            (No, true, None),
        ),
        pattern(
            ["R4I", "Middle lines with inner corners"],
            &[A4, B4, C4, D4, E4, F4, G4, H4, C3, F3],
            "Each line through the centre with two corners of the inner block of sixteen squares.",
            (No, true, None),
        ),
        pattern(
            ["D8C", "Long diagonals with C"],
            &[A1, B2, C3, D4, E5, F6, G7, H8, A2, B1],
            "Each long diagonal with the two squares next to one of its corners.",
            (No, true, None),
        ),
        pattern(
            ["D7C", "Diagonals of 7 with corners"],
            &[B1, C2, D3, E4, F5, G6, H7, A1, H8],
            "Each diagonal of seven squares with the two corners beside it.",
            (No, true, None),
        ),
        pattern(
            ["D6X", "Diagonals of 6 with X"],
            &[C1, D2, E3, F4, G5, H6, B1, B2, G7, H7],
            "Each diagonal of six squares with the squares beyond its ends and the X squares beside them.",
            (No, true, None),
        ),
        pattern(
            ["D5B", "Bands of diagonals"],
            &[D1, E2, F3, G4, H5, E1, F2, G3, H4, H1],
            "Each diagonal of five squares with that of four next to it and the corner behind.",
            (No, true, None),
        ),
    ]
};

impl Pattern {
    /// How many configurations there are: three to the number of squares.
    #[inline]
    pub const fn configurations(&self) -> usize {
        3usize.pow(self.squares.len() as u32)
    }

    /// The squares as bits.
    pub(super) const fn set(&self) -> u64 {
        let (mut set, mut i) = (0, 0);
        while i < self.squares.len() {
            set |= 1 << self.squares[i].index();
            i += 1;
        }
        set
    }

    /// The configuration of an empty board, in the middle of the range:
    /// digits are 0 for the opponent, 1 for empty, 2 for the mover, so that
    /// configurations on opposite sides of it have swapped colours.
    #[inline]
    pub const fn centre(&self) -> usize {
        self.configurations() / 2
    }
}
