use discern_board::{Board, Color};
use serde::Serialize;

use crate::grade::Grade;
use crate::reviewed::ReviewedMove;

/// Part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Up to 20 discs.
    Opening,
    /// 21 to 44 discs.
    Midgame,
    /// From 45 discs on.
    Endgame,
}

impl Phase {
    /// The part that a board belongs to.
    pub fn of(board: &Board) -> Phase {
        match board.discs() {
            ..=20 => Phase::Opening,
            21..=44 => Phase::Midgame,
            _ => Phase::Endgame,
        }
    }
}

/// How both sides did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Black.
    pub black: Side,
    /// White.
    pub white: Side,
}

/// How a side did in each part of the game.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Side {
    /// Up to 20 discs.
    pub opening: Part,
    /// 21 to 44 discs.
    pub midgame: Part,
    /// From 45 discs on.
    pub endgame: Part,
    /// The whole game.
    pub total: Part,
}

/// How a side did in a part of the game.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Part {
    /// Moves.
    pub moves: u32,
    /// Probability lost by a move on average.
    pub mean_loss: f64,
    /// Discs lost in all, expected or exact.
    pub discs_lost: i32,
    /// Moves with this grade.
    pub inaccuracies: u32,
    /// Moves with this grade.
    pub mistakes: u32,
    /// Moves with this grade.
    pub blunders: u32,
}

impl Part {
    fn add(&mut self, reviewed: &ReviewedMove) {
        let sum = self.mean_loss * f64::from(self.moves) + reviewed.loss;
        self.moves += 1;
        self.mean_loss = sum / f64::from(self.moves);
        self.discs_lost += reviewed.discs_lost();
        match reviewed.grade {
            Grade::Best | Grade::Good => {}
            Grade::Inaccuracy => self.inaccuracies += 1,
            Grade::Mistake => self.mistakes += 1,
            Grade::Blunder => self.blunders += 1,
        }
    }
}

impl Summary {
    /// Counts a move.
    pub fn add(&mut self, reviewed: &ReviewedMove) {
        let side = match reviewed.mover {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        };
        let part = match reviewed.phase {
            Phase::Opening => &mut side.opening,
            Phase::Midgame => &mut side.midgame,
            Phase::Endgame => &mut side.endgame,
        };
        part.add(reviewed);
        side.total.add(reviewed);
    }
}

impl<'a> FromIterator<&'a ReviewedMove> for Summary {
    fn from_iter<I: IntoIterator<Item = &'a ReviewedMove>>(moves: I) -> Summary {
        let mut summary = Summary::default();
        moves.into_iter().for_each(|reviewed| summary.add(reviewed));
        summary
    }
}
