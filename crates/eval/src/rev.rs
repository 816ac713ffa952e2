use discern_board::{Bitboard, Board};

use crate::Value;
use crate::evaluator::stateless;

/// A player with hand-set weights in a style of its own: many moves, few
/// frontier discs, corners and safe edges. No weight was fitted to data.
///
/// All weights are thousandths of a logit; every term is the mover's less the
/// opponent's, and the sum grows with the disc count, since the same
/// advantage decides more the fewer moves are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rev {
    /// For all the moves against none: (mine − his) / (mine + his + 2).
    pub mobility: i32,
    /// For all the empty squares next to the other side's discs, likewise.
    pub frontier: i32,
    /// For a corner.
    pub corner: i32,
    /// For a disc diagonally next to an empty corner (a liability).
    pub x_square: i32,
    /// For an edge disc next to an empty corner (a liability).
    pub c_square: i32,
    /// For a disc that a chain of own edge discs ties to an own corner.
    pub anchored: i32,
    /// For an edge disc elsewhere.
    pub edge: i32,
    /// For a disc anywhere, after 40 discs.
    pub late_disc: i32,
    /// For the last move in an odd number of empty squares, after 40 discs.
    pub parity: i32,
}

impl Default for Rev {
    fn default() -> Rev {
        Rev {
            mobility: 2200,
            frontier: 1500,
            corner: 650,
            x_square: -420,
            c_square: -160,
            anchored: 180,
            edge: 40,
            late_disc: 8,
            parity: 120,
        }
    }
}

impl Rev {
    /// The same player with another taste: it likes edges, cares less for the
    /// frontier and grabs discs, so that two different programs can meet
    /// before anything has been learned.
    pub fn edge_lover() -> Rev {
        Rev {
            mobility: 1500,
            frontier: 500,
            corner: 800,
            x_square: -300,
            c_square: -60,
            anchored: 150,
            edge: 140,
            late_disc: 20,
            parity: 0,
        }
    }

    #[inline]
    fn estimate(&self, board: &Board) -> Value {
        let empty = board.empty();
        let discs = 64 - empty.count() as i32;
        let share = |mine: Bitboard, his: Bitboard| {
            let (mine, his) = (mine.count() as i32, his.count() as i32);
            (mine - his, mine + his + 2)
        };

        let (more, all) = share(board.moves(), board.opponent_moves());
        let mut sum = self.mobility * more / all;
        // Empty squares beside the opponent's discs are my future moves.
        let (more, all) = share(board.opponent().grown() & empty, board.mover().grown() & empty);
        sum += self.frontier * more / all;
        sum += self.solid(board.mover(), empty) - self.solid(board.opponent(), empty);
        if discs > 40 {
            sum +=
                self.late_disc * (board.mover().count() as i32 - board.opponent().count() as i32);
            sum += if discs % 2 == 1 { self.parity } else { -self.parity };
        }
        // From 0.7 at the start to 1.5 at the end.
        Value::estimate(sum * (44 + 53 * discs / 64) / 64)
    }

    /// Corners, edges and liabilities of one side.
    #[inline]
    fn solid(&self, discs: Bitboard, empty: Bitboard) -> i32 {
        let count = |set: Bitboard| set.count() as i32;
        let near_empty_corner = (empty & Bitboard::CORNERS).grown();
        let edge = discs & Bitboard::EDGES;
        let anchored = anchored(edge);
        let corners = discs & Bitboard::CORNERS;
        let loose_c = edge & Bitboard::C_SQUARES & near_empty_corner;
        self.corner * count(corners)
            + self.x_square * count(discs & Bitboard::X_SQUARES & near_empty_corner)
            + self.c_square * count(loose_c)
            + self.anchored * count(anchored - corners)
            + self.edge * count(edge - anchored - loose_c)
    }
}

/// Edge discs joined to an own corner by own discs along the edge.
#[inline]
fn anchored(edge: Bitboard) -> Bitboard {
    let mut chain = edge & Bitboard::CORNERS;
    if chain.is_empty() {
        return chain;
    }
    // Six steps reach the far end; growing within the edge cannot leave it,
    // and around a corner the corner itself is the link.
    for _ in 0..6 {
        chain |= chain.grown() & edge;
    }
    chain
}

stateless!(Rev);

#[cfg(test)]
mod tests {
    use discern_board::testing::random_game_boards;
    use discern_board::{Position, Symmetry};

    use super::*;
    use crate::Evaluator;

    #[test]
    fn all_images_have_the_same_value() {
        for board in random_game_boards(1, 20) {
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(Rev::default().evaluate(&image), Rev::default().evaluate(&board));
            }
        }
    }

    #[test]
    fn a_corner_is_worth_having() {
        let with = "X--------------------------OX------XO--------------------------- X";
        let board = with.parse::<Position>().unwrap().board;
        assert!(Rev::default().evaluate(&board) > Rev::default().evaluate(&Board::START));
    }

    #[test]
    fn chains_hold_only_from_a_corner() {
        let text = "XXXX-X---------------------------------------------------------- X";
        let board = text.parse::<Position>().unwrap().board;
        assert_eq!(anchored(board.mover() & Bitboard::EDGES), Bitboard(0b1111));
    }
}
