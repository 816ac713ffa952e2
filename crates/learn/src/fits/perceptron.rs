//! A perceptron with one hidden layer on the features, trained by gradient
//! descent on the same positions and labels as the models of the paper.

use std::sync::Arc;

use discern_eval::{FIRST_PHASE, HiddenLayer, LAST_PHASE, PerceptronModel, Phases, Stages, UNITS};
use serde_json::json;

use super::descent::{Weight, by_stage, noise, shuffled};
use super::{Fit, FittedModel};
use crate::{LearnError, Levels, Training};

pub(super) const FIT: Fit = Fit {
    name: "perceptron",
    title: "PERCEPTRON",
    description: "a perceptron with one hidden layer on the features",
    usual: false,
    fit,
};

/// Disc counts beyond a stage on either side whose positions it also sees.
const MARGIN: usize = 2;
const EPOCHS: u32 = 4;
const RATE: f32 = 0.02;

fn fit(training: &Training) -> Result<FittedModel, LearnError> {
    let (stages, settings) = (Stages::default(), training.settings());
    let layers = by_stage(stages.count(), settings.threads.count(), |stage| {
        Descent::new(training, stages, stage).run(stage as u64)
    });
    let none = Phases::from_fn(|_| 0.0);
    let mut model = PerceptronModel::new(stages, layers, none);
    let levels = settings.levels.unwrap_or(Levels { smoothing: 1.0 });
    let biases = levels.find(training, |discs, x| model.value(discs, x));
    let settings = json!({
        "units": UNITS, "discs_per_stage": stages.discs(), "margin": MARGIN, "epochs": EPOCHS,
        "rate": RATE.to_string(), "features": training.features().to_string(),
    });
    model.biases = biases;
    Ok(FittedModel { model: Arc::new(model), settings, ends: Vec::new(), levels: None })
}

/// The rows of a stage: features with mean 0 and variance 1.
struct Descent {
    rows: Vec<f32>,
    outcomes: Vec<f32>,
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

impl Descent {
    fn new(training: &Training, stages: Stages, stage: usize) -> Descent {
        let count = training.features().len();
        let near: Vec<bool> = (0..=LAST_PHASE)
            .map(|discs| {
                let around = discs.saturating_sub(MARGIN).max(FIRST_PHASE)..=discs + MARGIN;
                discs >= FIRST_PHASE && around.into_iter().any(|discs| stages.at(discs) == stage)
            })
            .collect();
        let (mut rows, mut outcomes) = (Vec::new(), Vec::new());
        let (mut sum, mut squares) = (vec![0.0; count], vec![0.0; count]);
        training.rows().each(|key, x, outcome| {
            if near[training.settings().window.discs(key)] {
                rows.extend(x.iter().map(|&x| x as f32));
                outcomes.push(outcome as f32);
                sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
                squares.iter_mut().zip(x).for_each(|(sum, x)| *sum += x * x);
            }
        });
        let n = outcomes.len().max(1) as f64;
        let mean: Vec<f64> = sum.iter().map(|sum| sum / n).collect();
        let deviation = |(square, mean): (&f64, &f64)| match (square / n - mean * mean).sqrt() {
            deviation if deviation > 1e-6 => deviation,
            _ => 1.0,
        };
        let deviation: Vec<f64> = squares.iter().zip(&mean).map(deviation).collect();
        for row in rows.chunks_exact_mut(count) {
            for (x, (mean, deviation)) in row.iter_mut().zip(mean.iter().zip(&deviation)) {
                *x = ((f64::from(*x) - mean) / deviation) as f32;
            }
        }
        Descent { rows, outcomes, mean, deviation }
    }

    fn run(&self, seed: u64) -> HiddenLayer {
        let count = self.mean.len();
        let mut net = Net::new(count, seed);
        let order = shuffled(self.outcomes.len(), seed);
        for epoch in 0..EPOCHS {
            let rate = RATE / (1.0 + epoch as f32);
            for &row in &order {
                let row = row as usize;
                net.learn(&self.rows[row * count..][..count], self.outcomes[row], rate);
            }
        }
        net.layer(&self.mean, &self.deviation)
    }
}

/// A perceptron under training: `weights` unit by unit, the constant of the unit
/// last; then `outs`, the bias last.
struct Net {
    inputs: usize,
    weights: Vec<Weight>,
    outs: Vec<Weight>,
}

impl Net {
    fn new(inputs: usize, seed: u64) -> Net {
        let mut noise = noise(seed ^ 0x9e1c_e971);
        let size = (2.0 / inputs as f32).sqrt();
        let weights = (0..UNITS * (inputs + 1)).map(|_| Weight::new(size * noise())).collect();
        let outs = (0..UNITS).map(|_| Weight::new(0.3 * noise()));
        Net { inputs, weights, outs: outs.chain([Weight::default()]).collect() }
    }

    /// What the units say, and the value.
    fn forward(&self, x: &[f32]) -> ([f32; UNITS], f32) {
        let mut units = [0.0; UNITS];
        let mut value = self.outs[UNITS].value;
        for (unit, weights) in units.iter_mut().zip(self.weights.chunks_exact(self.inputs + 1)) {
            let sum = x.iter().zip(weights).map(|(x, weight)| x * weight.value).sum::<f32>();
            *unit = (sum + weights[self.inputs].value).max(0.0);
        }
        for (unit, out) in units.iter().zip(&self.outs) {
            value += unit * out.value;
        }
        (units, value)
    }

    /// Steps down the gradient of the log loss at one row.
    fn learn(&mut self, x: &[f32], outcome: f32, rate: f32) {
        self.gradient(x, outcome, |weight, gradient| weight.step(gradient, rate));
    }

    /// Hands over every weight whose gradient is not 0 with its gradient.
    fn gradient(&mut self, x: &[f32], outcome: f32, mut visit: impl FnMut(&mut Weight, f32)) {
        let (units, value) = self.forward(x);
        let error = 1.0 / (1.0 + (-value).exp()) - outcome;
        let rows = self.weights.chunks_exact_mut(self.inputs + 1);
        for ((unit, weights), out) in units.iter().zip(rows).zip(&mut self.outs) {
            if *unit > 0.0 {
                let pull = error * out.value;
                for (weight, x) in weights.iter_mut().zip(x.iter().chain(&[1.0])) {
                    visit(weight, pull * x);
                }
                visit(out, error * unit);
            }
        }
        visit(&mut self.outs[UNITS], error);
    }

    /// The layer on the features as they are; the bias goes into the phases.
    fn layer(&self, mean: &[f64], deviation: &[f64]) -> HiddenLayer {
        let mut layer =
            HiddenLayer { weights: Vec::new(), constants: Vec::new(), outs: Vec::new() };
        for (unit, out) in self.weights.chunks_exact(self.inputs + 1).zip(&self.outs) {
            let weights: Vec<f64> =
                unit.iter().zip(deviation).map(|(w, d)| f64::from(w.value) / d).collect();
            let shift: f64 = weights.iter().zip(mean).map(|(w, m)| w * m).sum();
            layer.constants.push(f64::from(unit[self.inputs].value) - shift);
            layer.weights.push(weights);
            layer.outs.push(out.value.into());
        }
        layer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(net: &Net, x: &[f32], outcome: f32) -> f64 {
        let p = 1.0 / (1.0 + f64::from(-net.forward(x).1).exp());
        let y = f64::from(outcome);
        -(y * p.ln() + (1.0 - y) * (1.0 - p).ln())
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_loss() {
        let x = [0.3, -1.2, 0.7];
        let mut net = Net::new(3, 1);
        let mut gradients = Vec::new();
        net.gradient(&x, 1.0, |weight, gradient| {
            gradients.push((std::ptr::from_mut(weight), gradient))
        });
        let all = net.weights.len() + net.outs.len();
        let mut checked = 0;
        for place in 0..all {
            let at = |net: &mut Net| -> *mut Weight {
                let first = net.weights.len();
                if place < first { &mut net.weights[place] } else { &mut net.outs[place - first] }
            };
            let pointer = at(&mut net);
            let found: f32 =
                gradients.iter().filter(|(other, _)| *other == pointer).map(|(_, g)| g).sum();
            let mut moved = |by: f32| {
                let first = net.weights.len();
                let weight = if place < first {
                    &mut net.weights[place]
                } else {
                    &mut net.outs[place - first]
                };
                weight.value += by;
                loss(&net, &x, 1.0)
            };
            let (up, down) = (moved(1e-3), moved(-2e-3));
            moved(1e-3);
            let slope = (up - down) / 2e-3;
            assert!((slope - f64::from(found)).abs() < 2e-3, "{place}: {slope} {found}");
            checked += usize::from(found != 0.0);
        }
        assert!(checked > 10, "{checked}");
    }

    #[test]
    fn it_learns_what_no_linear_model_can() {
        // Won where the two features have the same sign.
        let mut net = Net::new(2, 2);
        let mut noise = noise(3);
        for _ in 0..40_000 {
            let x = [noise(), noise()];
            net.learn(&x, f32::from(u8::from(x[0] * x[1] > 0.0)), 0.05);
        }
        let right = (0..1000).filter(|_| {
            let x = [noise(), noise()];
            (net.forward(&x).1 > 0.0) == (x[0] * x[1] > 0.0)
        });
        let right = right.count();
        assert!(right > 930, "{right}");
    }

    #[test]
    fn the_layer_says_of_features_what_the_net_says_of_them_standardised() {
        let net = Net::new(3, 4);
        let (mean, deviation) = (vec![1.0, -2.0, 0.5], vec![2.0, 0.5, 1.0]);
        let layer = net.layer(&mean, &deviation);
        let x = [0.7, -1.5, 3.0];
        let standard: Vec<f32> = (0..3).map(|j| ((x[j] - mean[j]) / deviation[j]) as f32).collect();
        let bias = f64::from(net.outs[UNITS].value);
        assert!((layer.value(&x) + bias - f64::from(net.forward(&standard).1)).abs() < 1e-5);
    }
}
