use std::fmt;

use crate::{Bitboard, Color, Move, Outcome, Score, Square, flips};

/// The discs on the board as the side to move sees them.
///
/// Colours do not matter for the value of a position, so a board has none:
/// after a move the two halves change places. The halves are disjoint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub mover: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

impl Board {
    /// The start of a game, Black to move.
    pub const START: Board = Board {
        mover: Bitboard(1 << Square::E4 as u8 | 1 << Square::D5 as u8),
        opponent: Bitboard(1 << Square::D4 as u8 | 1 << Square::E5 as u8),
    };

    /// A board with these discs; `None` if a square is claimed twice.
    pub const fn new(mover: Bitboard, opponent: Bitboard) -> Option<Board> {
        if mover.0 & opponent.0 == 0 { Some(Board { mover, opponent }) } else { None }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        text.parse::<crate::Position>().unwrap().board
    }

    #[test]
    fn start_has_four_moves() {
        assert_eq!(
            Board::START.moves().squares().map(|s| s.to_string()).collect::<String>(),
            "d3c4f5e6"
        );
        assert!(Board::START.play(Move::Pass).is_none());
        assert!(Board::START.play(Square::D4.into()).is_none());
        assert!(Board::START.play(Square::A1.into()).is_none());
    }

    #[test]
    fn a_move_changes_sides() {
        let after = Board::START.play(Square::F5.into()).unwrap();
        assert_eq!(
            after.opponent,
            [Square::E4, Square::D5, Square::E5, Square::F5].into_iter().collect()
        );
        assert_eq!(after.mover, Bitboard::of(Square::D4));
    }

    #[test]
    fn empties_go_to_the_winner() {
        let wiped_out = Board { mover: Bitboard(0b111), opponent: Bitboard::EMPTY };
        assert_eq!(wiped_out.final_score(), Score::MAX);
        assert_eq!(wiped_out.pass().final_score(), Score::MIN);
        let even = Board { mover: Bitboard(0b11), opponent: Bitboard(0b1100) };
        assert_eq!(even.final_score(), Score::DRAW);
        assert!(wiped_out.is_over() && !wiped_out.must_pass());
    }

    #[test]
    fn full_board_is_over() {
        let full = Board { mover: Bitboard(0xffff_ffff), opponent: Bitboard(!0xffff_ffff) };
        assert!(full.is_over());
        assert_eq!(full.final_outcome(), Outcome::Draw);
    }

    #[test]
    fn pass_needs_a_blocked_mover_and_a_free_opponent() {
        // X (the mover) has no disc to outflank with; O plays c1.
        let blocked = board("OX--------------------------------------------------------------  X");
        assert!(blocked.must_pass());
        assert_eq!(blocked.play(Move::Pass), Some(blocked.pass()));
        assert!(blocked.pass().play(Square::C1.into()).is_some());
    }
}
