use std::sync::Arc;

use discern_board::{Bitboard, Board, Square};

use crate::Value;

/// Estimates the mover's chance of winning.
///
/// Evaluators may keep a [`State`](Evaluator::State) up to date along a line
/// of play (pattern indices, say) instead of starting from the discs every
/// time; one without state uses `()`. For every board,
/// `value(&state(&board), &board)` is the value, and playing on the state
/// leads to the same value as starting anew.
pub trait Evaluator: Send + Sync {
    /// What is carried from a board to its successors.
    type State: Copy + Send + Sync;

    /// The state of a board, from scratch.
    fn state(&self, board: &Board) -> Self::State;

    /// The state after the mover puts a disc on `square` and turns `flips`.
    fn play(&self, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state after a pass.
    fn pass(&self, state: &Self::State) -> Self::State;

    /// The log-odds of a win for the mover of `board`, whose state this is.
    fn value(&self, state: &Self::State, board: &Board) -> Value;

    /// The expected final score for the mover in hundredths of a disc, which
    /// guides the endgame solver. By default about seven discs for the first
    /// logit and less for each further one.
    fn expected_score(&self, state: &Self::State, board: &Board) -> i32 {
        usual_score(self.value(state, board))
    }

    /// How far a search of two more plies strays from one before it at so
    /// many discs: a standard deviation, in thousandths of a logit. `None` if
    /// nobody has measured it; then no search may guess.
    fn spread(&self, _discs: u32) -> Option<i32> {
        None
    }

    /// The value of a board that comes without a state.
    fn evaluate(&self, board: &Board) -> Value {
        self.value(&self.state(board), board)
    }
}

/// The score that log-odds mean to models that were never compared with scores,
/// in hundredths of a disc.
#[inline(always)]
pub(crate) fn usual_score(value: Value) -> i32 {
    score_of(value, 8000)
}

/// The score that log-odds mean, in hundredths of a disc: 64 f / (|f| + half),
/// with `half` in thousandths of a logit.
#[inline(always)]
pub(crate) fn score_of(value: Value, half: i32) -> i32 {
    let thousandths = value.thousandths();
    6400 * thousandths / (thousandths.abs() + half)
}

/// Several searches may share one evaluator, whose tables take megabytes.
impl<E: Evaluator> Evaluator for Arc<E> {
    type State = E::State;

    #[inline(always)]
    fn state(&self, board: &Board) -> E::State {
        (**self).state(board)
    }

    #[inline(always)]
    fn play(&self, state: &E::State, square: Square, flips: Bitboard) -> E::State {
        (**self).play(state, square, flips)
    }

    #[inline(always)]
    fn pass(&self, state: &E::State) -> E::State {
        (**self).pass(state)
    }

    #[inline(always)]
    fn value(&self, state: &E::State, board: &Board) -> Value {
        (**self).value(state, board)
    }

    #[inline(always)]
    fn expected_score(&self, state: &E::State, board: &Board) -> i32 {
        (**self).expected_score(state, board)
    }

    #[inline(always)]
    fn spread(&self, discs: u32) -> Option<i32> {
        (**self).spread(discs)
    }
}

/// Implements [`Evaluator`] for a type with `fn estimate(&self, &Board) ->
/// Value` that needs no state.
macro_rules! stateless {
    ($type:ty) => {
        impl crate::Evaluator for $type {
            type State = ();

            #[inline(always)]
            fn state(&self, _: &discern_board::Board) {}

            #[inline(always)]
            fn play(&self, _: &(), _: discern_board::Square, _: discern_board::Bitboard) {}

            #[inline(always)]
            fn pass(&self, _: &()) {}

            #[inline(always)]
            fn value(&self, _: &(), board: &discern_board::Board) -> crate::Value {
                self.estimate(board)
            }
        }
    };
}

pub(crate) use stateless;
