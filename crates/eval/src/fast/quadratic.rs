use discern_board::{Bitboard, Board, Square};

use super::form::Form;
use super::packed::Packed;
use crate::patterns::Indices;
use crate::phases::Phases;
use crate::spread::Spread;
use crate::{Basis, Evaluator, QuadraticModel, Value};

/// A quadratic model at its true cost: the features themselves are needed,
/// so nothing can be folded but the mobility of a line into the lookup of its
/// pattern; then x Q x′ + L x′ + c.
#[derive(Debug, Clone)]
pub struct QuadEvaluator {
    tables: Vec<Packed>,
    phases: Phases<Phase>,
}

/// The model of a phase and the number of its table set.
#[derive(Debug, Clone)]
struct Phase {
    form: Form,
    set: usize,
}

impl QuadEvaluator {
    /// Prepares a model of packed features and its tables.
    pub(crate) fn new(basis: &Basis, model: &QuadraticModel) -> QuadEvaluator {
        QuadEvaluator {
            tables: basis.tables().sets().iter().map(Packed::new).collect(),
            phases: model.phases.map(|discs, phase| Phase {
                form: Form::new(basis.features(), phase),
                set: basis.tables().stages().at(discs),
            }),
        }
    }
}

impl Evaluator for QuadEvaluator {
    type State = Indices;

    #[inline]
    fn state(&self, board: &Board) -> Indices {
        Indices::of(board)
    }

    #[inline(always)]
    fn play(&self, state: &Indices, square: Square, flips: Bitboard) -> Indices {
        state.play(square, flips)
    }

    #[inline(always)]
    fn pass(&self, state: &Indices) -> Indices {
        state.pass()
    }

    #[inline(always)]
    fn spread(&self, discs: u32) -> Option<i32> {
        Some(Spread::FEATURES.at(discs))
    }

    #[inline(always)]
    fn value(&self, state: &Indices, board: &Board) -> Value {
        let phase = self.phases.at(board.discs() as usize);
        Value::estimate(phase.form.value(&self.tables[phase.set].features(state)))
    }
}
