use discern_board::{Bitboard, Board, Square};

use super::packed::{Packed, SLOTS};
use crate::patterns::Indices;
use crate::phases::Phases;
use crate::weights::Expanded;
use crate::{Evaluator, Feature, QuadraticModel, Tables, Value};

/// A quadratic model at its true cost: the features themselves are needed,
/// so nothing can be folded but the mobility of a line into the lookup of its
/// pattern; then x Q x′ + L x′ + c.
#[derive(Debug, Clone)]
pub struct QuadEvaluator {
    tables: Vec<Packed>,
    phases: Phases<Form>,
}

/// A model on the packed features, scaled from their integer steps to
/// thousandths of a logit.
#[derive(Debug, Clone)]
#[repr(align(64))]
struct Form {
    /// Lower rows would repeat the upper ones: products of two features are
    /// in the row of the first.
    rows: [[f32; SLOTS]; SLOTS],
    linear: [f32; SLOTS],
    constant: f32,
    /// Which table set the phase uses.
    set: usize,
}

impl QuadEvaluator {
    /// Prepares the models of all phases and their tables.
    pub fn new(tables: &Tables, models: &Phases<QuadraticModel>) -> QuadEvaluator {
        QuadEvaluator {
            tables: tables.sets().iter().map(|set| Packed::new(&Expanded::new(set))).collect(),
            phases: models.map(|discs, model| Form::new(model, tables.stages().at(discs))),
        }
    }
}

impl Form {
    fn new(model: &QuadraticModel, set: usize) -> Form {
        let mut form =
            Form { rows: [[0.0; SLOTS]; SLOTS], linear: [0.0; SLOTS], constant: 0.0, set };
        form.constant = (1000.0 * model.constant) as f32;
        for a in Feature::ALL {
            let (row, unit) = Packed::slot(a);
            form.linear[row] = (1000.0 * model.linear[a.index()] * unit) as f32;
            for b in Feature::ALL {
                let (column, other) = Packed::slot(b);
                let q = 1000.0 * model.quadratic[a.index()][b.index()] * unit * other;
                form.rows[row][column] = q as f32;
            }
        }
        form
    }

    /// f(x) in thousandths of a logit.
    #[inline(always)]
    fn value(&self, x: &[f32; SLOTS]) -> i32 {
        // y = L + x Q, two sums per column so that the additions overlap;
        // then c + y x′.
        let mut y = self.linear;
        let mut z = [0f32; SLOTS];
        for row in (0..SLOTS).step_by(2) {
            for column in 0..SLOTS {
                y[column] = x[row].mul_add(self.rows[row][column], y[column]);
                z[column] = x[row + 1].mul_add(self.rows[row + 1][column], z[column]);
            }
        }
        let mut sums = [0f32; 8];
        for column in 0..SLOTS {
            sums[column % 8] = x[column].mul_add(y[column] + z[column], sums[column % 8]);
        }
        let fours: [f32; 4] = std::array::from_fn(|i| sums[i] + sums[i + 4]);
        let sum = (fours[0] + fours[2]) + (fours[1] + fours[3]);
        (self.constant + sum).round_ties_even() as i32
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
    fn value(&self, state: &Indices, board: &Board) -> Value {
        let form = self.phases.at(board.discs() as usize);
        Value::estimate(form.value(&self.tables[form.set].features(state)))
    }
}
