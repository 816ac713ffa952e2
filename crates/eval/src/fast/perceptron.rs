use discern_board::Board;

use super::packed::{Packed, SLOTS, USED};
use crate::patterns::Indices;
use crate::spread::Spread;
use crate::{AnyEvaluator, Basis, Estimate, PerceptronModel, Phases, UNITS, Value};

/// The fastest evaluator of a perceptron.
pub(crate) fn perceptron_evaluator(basis: &Basis, model: &PerceptronModel) -> AnyEvaluator {
    if basis.features().iter().any(|&feature| Packed::slot(feature).is_none()) {
        return Slow { basis: basis.clone(), model: model.clone() }.into();
    }
    let layer = |layer: &crate::HiddenLayer| {
        let mut found = Layer {
            rows: [[0.0; UNITS]; SLOTS],
            constants: std::array::from_fn(|unit| layer.constants[unit] as f32),
            outs: std::array::from_fn(|unit| layer.outs[unit] as f32),
        };
        for (place, &feature) in basis.features().iter().enumerate() {
            let (slot, step) = Packed::slot(feature).expect("packed");
            found.rows[slot] =
                std::array::from_fn(|unit| (layer.weights[unit][place] * step) as f32);
        }
        found
    };
    let (stages, tables) = (model.stages(), basis.tables());
    Fast {
        tables: tables.sets().iter().map(Packed::new).collect(),
        layers: model.layers().iter().map(layer).collect(),
        phases: model.biases.map(|discs, bias| Phase {
            set: tables.stages().at(discs),
            layer: stages.at(discs),
            bias: *bias as f32,
        }),
    }
    .into()
}

/// Packed features and a layer whose units lie side by side, so that the
/// compiler works on eight at a time.
#[derive(Debug)]
struct Fast {
    tables: Vec<Packed>,
    layers: Vec<Layer>,
    phases: Phases<Phase>,
}

#[derive(Debug)]
struct Phase {
    set: usize,
    layer: usize,
    bias: f32,
}

/// For each packed feature its weight in every unit, per step.
#[derive(Debug)]
#[repr(align(32))]
struct Layer {
    rows: [[f32; UNITS]; SLOTS],
    constants: [f32; UNITS],
    outs: [f32; UNITS],
}

impl Layer {
    #[inline(always)]
    fn value(&self, x: &[f32; SLOTS]) -> f32 {
        let mut units = self.constants;
        for (x, row) in x.iter().zip(&self.rows).take(USED) {
            for (unit, weight) in units.iter_mut().zip(row) {
                *unit += x * weight;
            }
        }
        units.iter().zip(&self.outs).map(|(unit, out)| unit.max(0.0) * out).sum()
    }
}

impl Estimate for Fast {
    fn estimate(&self, indices: &Indices, board: &Board) -> Value {
        let phase = self.phases.at(board.discs() as usize);
        let x = self.tables[phase.set].features(indices);
        let value = phase.bias + self.layers[phase.layer].value(&x);
        Value::estimate((1000.0 * value).round() as i32)
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        Some(Spread::FEATURES.at(discs))
    }
}

/// With features that are not packed: by the definition.
#[derive(Debug)]
struct Slow {
    basis: Basis,
    model: PerceptronModel,
}

impl Estimate for Slow {
    fn estimate(&self, _: &Indices, board: &Board) -> Value {
        let x = self.basis.values(board);
        Value::from_log_odds(self.model.value(board.discs() as usize, &x))
    }

    fn spread(&self, discs: u32) -> Option<i32> {
        Some(Spread::FEATURES.at(discs))
    }
}
