//! The quadratic form of QUAD: x Q x′ + L x′ + c on packed features.

#[cfg(all(target_feature = "avx2", target_feature = "fma"))]
mod avx2;
mod portable;

use super::packed::{Packed, SLOTS};
use crate::{Features, QuadraticPhase};

/// A model on the packed features, scaled from their integer steps to
/// thousandths of a logit.
#[derive(Debug, Clone)]
#[repr(align(32))]
pub(super) struct Form {
    /// Coefficients of products of two features. Of the two for the same
    /// product the one in a later vector of eight columns has both, so that
    /// rows need not begin before their own vector.
    rows: [[f32; SLOTS]; SLOTS],
    linear: [f32; SLOTS],
    constant: f32,
}

impl Form {
    /// The model of these features, all of which are packed.
    pub(super) fn new(features: &Features, model: &QuadraticPhase) -> Form {
        let mut form = Form { rows: [[0.0; SLOTS]; SLOTS], linear: [0.0; SLOTS], constant: 0.0 };
        form.constant = (1000.0 * model.constant) as f32;
        let slots: Vec<(usize, f64)> = features.iter().filter_map(|&f| Packed::slot(f)).collect();
        assert_eq!(slots.len(), features.len(), "only packed features");
        for (a, &(row, unit)) in slots.iter().enumerate() {
            form.linear[row] = (1000.0 * model.linear[a] * unit) as f32;
            for (b, &(column, other)) in slots.iter().enumerate() {
                let q = 1000.0 * model.quadratic[a][b] * unit * other;
                if column / 8 < row / 8 {
                    form.rows[column][row] += q as f32;
                } else {
                    form.rows[row][column] += q as f32;
                }
            }
        }
        form
    }

    /// f(x) in thousandths of a logit.
    #[inline(always)]
    pub(super) fn value(&self, x: &[f32; SLOTS]) -> i32 {
        #[cfg(all(target_feature = "avx2", target_feature = "fma"))]
        {
            avx2::value_compiled_in(self, x)
        }
        #[cfg(not(all(target_feature = "avx2", target_feature = "fma")))]
        {
            portable::value(self, x)
        }
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::Seeded;

    use super::*;

    #[test]
    fn every_kernel_computes_the_quadratic_form() {
        let mut random = Seeded::new(61);
        let mut number = move || random.below(2001) as f64 / 1000.0 - 1.0;
        let paper = Features::default();
        let count = paper.len();
        for _ in 0..2000 {
            let mut model = QuadraticPhase {
                constant: number(),
                linear: vec![0.0; count],
                quadratic: vec![vec![0.0; count]; count],
            };
            for a in 0..count {
                model.linear[a] = number();
                for b in 0..=a {
                    let q = 0.1 * number();
                    model.quadratic[a][b] = q;
                    model.quadratic[b][a] = q;
                }
            }
            let mut x = [0f32; SLOTS];
            let mut value = |&feature| {
                let (slot, unit) = Packed::slot(feature).unwrap();
                let steps = (number() * 2.0 / unit).round();
                x[slot] = steps as f32;
                steps * unit
            };
            let features: Vec<f64> = paper.iter().map(&mut value).collect();
            let exact = 1000.0 * model.parts(&features).value();
            let form = Form::new(&paper, &model);
            assert!((f64::from(form.value(&x)) - exact).abs() < 0.6);
            assert!((f64::from(portable::value(&form, &x)) - exact).abs() < 0.6);
        }
    }
}
