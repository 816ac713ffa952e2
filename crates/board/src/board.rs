use std::fmt;

use crate::{Bitboard, Color, Move, Outcome, Score, Square, flips};

/// The discs on the board as the side to move sees them.
///
/// Colours do not matter for the value of a position, so a board has none:
/// after a move the two halves change places. The halves are disjoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[must_use]
pub struct Board {
    mover: Bitboard,
    opponent: Bitboard,
}

impl Board {
    /// The start of a game, Black to move.
    pub const START: Board = Board {
        mover: Bitboard(1 << Square::E4 as u8 | 1 << Square::D5 as u8),
        opponent: Bitboard(1 << Square::D4 as u8 | 1 << Square::E5 as u8),
    };

    /// No discs at all: no game comes here.
    pub const EMPTY: Board = Board { mover: Bitboard::EMPTY, opponent: Bitboard::EMPTY };

    /// A board with these discs; `None` if a square is claimed twice.
    pub const fn new(mover: Bitboard, opponent: Bitboard) -> Option<Board> {
        if mover.0 & opponent.0 == 0 { Some(Board { mover, opponent }) } else { None }
    }

    /// A board with these discs, which must not overlap.
    #[inline(always)]
    pub const fn new_unchecked(mover: Bitboard, opponent: Bitboard) -> Board {
        debug_assert!(mover.0 & opponent.0 == 0, "two discs on one square");
        Board { mover, opponent }
    }

    /// Discs of the side to move.
    #[inline(always)]
    pub const fn mover(&self) -> Bitboard {
        self.mover
    }

    /// Discs of the other side.
    #[inline(always)]
    pub const fn opponent(&self) -> Bitboard {
        self.opponent
    }

    /// The empty squares.
    #[inline(always)]
    pub fn empty(&self) -> Bitboard {
        !(self.mover | self.opponent)
    }

    /// How many squares are empty.
    #[inline(always)]
    pub fn empties(&self) -> u32 {
        self.empty().count()
    }

    /// How many discs are on the board: the phase of the game.
    #[inline(always)]
    pub fn discs(&self) -> u32 {
        (self.mover | self.opponent).count()
    }

    /// Squares on which the mover may place a disc.
    #[inline(always)]
    pub fn moves(&self) -> Bitboard {
        flips::moves(self.mover, self.opponent)
    }

    /// Squares on which the opponent could place a disc if it were his turn.
    #[inline(always)]
    pub fn opponent_moves(&self) -> Bitboard {
        flips::moves(self.opponent, self.mover)
    }

    /// What the mover turns over on the empty `square`; nothing if illegal.
    #[inline(always)]
    pub fn flips(&self, square: Square) -> Bitboard {
        flips::flips(self.mover, self.opponent, square)
    }

    /// The board after a legal move, `None` after an illegal one.
    pub fn play(&self, mv: Move) -> Option<Board> {
        match mv {
            Move::Place(square) => {
                let legal = self.empty().contains(square) && self.flips(square).any();
                legal.then(|| self.play_unchecked(square, self.flips(square)))
            }
            Move::Pass => self.must_pass().then(|| self.pass()),
        }
    }

    /// The board after a disc on `square` that turns over `flipped`, which
    /// must be what [`Board::flips`] says for that square.
    #[inline(always)]
    pub fn play_unchecked(&self, square: Square, flipped: Bitboard) -> Board {
        Board {
            mover: self.opponent ^ flipped,
            opponent: self.mover | flipped | Bitboard::of(square),
        }
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    pub fn pass(&self) -> Board {
        Board { mover: self.opponent, opponent: self.mover }
    }

    /// The mover cannot place a disc, but the opponent can.
    pub fn must_pass(&self) -> bool {
        self.moves().is_empty() && self.opponent_moves().any()
    }

    /// Neither side can place a disc.
    pub fn is_over(&self) -> bool {
        self.moves().is_empty() && self.opponent_moves().is_empty()
    }

    /// The mover's discs less the opponent's, empty squares to the winner:
    /// the result if the game ends here.
    #[inline]
    pub fn final_score(&self) -> Score {
        let (mine, his) = (self.mover.count() as i32, self.opponent.count() as i32);
        let empties = 64 - mine - his;
        let score = mine - his + (mine - his).signum() * empties;
        Score::new(score).expect("at most 64 discs")
    }

    /// Win, draw or loss for the mover if the game ends here.
    pub fn final_outcome(&self) -> Outcome {
        self.final_score().outcome()
    }

    /// The board drawn with coordinates, `X` and `O` for the discs and `.`
    /// for the squares the mover may play on.
    pub fn draw(&self, mover: Color) -> String {
        let moves = self.moves();
        let mut text = String::from("  a b c d e f g h\n");
        for row in 0..8 {
            text.push_str(&(row + 1).to_string());
            for column in 0..8 {
                let square = Square::from_index(8 * row + column);
                text.push(' ');
                text.push(match self.disc(square, mover) {
                    Some(color) => color.symbol(),
                    None if moves.contains(square) => '.',
                    None => '-',
                });
            }
            text.push('\n');
        }
        text
    }

    /// The colour of the disc on `square` when `mover` is to move.
    pub fn disc(&self, square: Square, mover: Color) -> Option<Color> {
        if self.mover.contains(square) {
            Some(mover)
        } else if self.opponent.contains(square) {
            Some(!mover)
        } else {
            None
        }
    }
}

impl fmt::Debug for Board {
    /// Drawn with `X` for the mover.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.draw(Color::Black))
    }
}
