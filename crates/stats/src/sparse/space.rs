//! The space a fit moves in: free weights and intercepts, and their penalty.
//!
//! Ties and links cost a few operations per weight, nothing per row: rows name
//! indices, and a vector is spread over the indices before a pass and folded
//! back behind it.

use super::Intercepts;
use super::prior::WeightPrior;
use super::ties::Ties;
use crate::error::FitError;

/// Free weights, then one intercept per phase (or one, or none).
#[derive(Debug)]
pub(crate) struct Space {
    indices: usize,
    weights: usize,
    /// For each index 2·(its free weight), plus 1 if opposite; all are free
    /// without it.
    map: Option<Vec<Option<u32>>>,
    /// ½·ridge·u² of each free weight and intercept.
    ridge: Vec<f64>,
    links: Vec<Run>,
    /// The phases in order that have an intercept each, or one for all.
    pub(crate) intercepts: PhaseIntercepts,
}

/// ½·strength·(u₁ − factor·u₂)² for so many pairs.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: usize,
    second: usize,
    count: usize,
    factor: f64,
    strength: f64,
}

/// Which intercept a phase has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PhaseIntercepts {
    None,
    One,
    Each(Vec<i32>),
}

impl PhaseIntercepts {
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One => 1,
            Self::Each(phases) => phases.len(),
        }
    }

    /// A phase of each intercept.
    pub(crate) fn phases(&self) -> &[i32] {
        match self {
            Self::None => &[],
            Self::One => &[0],
            Self::Each(phases) => phases,
        }
    }

    /// The number of a phase's intercept: its own or that of the nearest.
    pub(crate) fn of(&self, phase: i32) -> Option<usize> {
        match self {
            Self::None => None,
            Self::One => Some(0),
            Self::Each(phases) => {
                let after = phases.partition_point(|&other| other < phase);
                let near = after.saturating_sub(1)..(after + 1).min(phases.len());
                near.min_by_key(|&number| phases[number].abs_diff(phase))
            }
        }
    }
}

impl Space {
    pub(crate) fn new(
        indices: usize,
        ties: Option<&Ties>,
        prior: &WeightPrior,
        intercepts: Intercepts,
        phases: impl Iterator<Item = i32>,
    ) -> Result<Self, FitError> {
        if let Some(problem) = prior.problem(indices) {
            return Err(FitError::Setting(problem));
        }
        if let Some(ties) = ties
            && ties.weights() != indices
        {
            return Err(FitError::Setting(format!(
                "the ties are of {} weights, and there are {indices}",
                ties.weights()
            )));
        }
        let weights = ties.map_or(indices, Ties::free);
        let map = ties.map(|ties| ties.clone().compile());
        let (intercepts, smoothing) = match intercepts {
            Intercepts::None => (PhaseIntercepts::None, 0.0),
            Intercepts::One => (PhaseIntercepts::One, 0.0),
            Intercepts::PerPhase { smoothing } if !(smoothing >= 0.0 && smoothing.is_finite()) => {
                return Err(FitError::Setting(format!(
                    "smoothing {smoothing} is not a finite number of at least 0"
                )));
            }
            Intercepts::PerPhase { smoothing } => {
                (PhaseIntercepts::Each(phases.collect()), smoothing)
            }
        };
        let mut space = Self {
            indices,
            weights,
            map,
            ridge: vec![0.0; weights + intercepts.count()],
            links: Vec::new(),
            intercepts,
        };
        space.ridge[..weights].fill(prior.ridge);
        for (range, ridge) in &prior.blocks {
            for index in range.clone() {
                if let Some((weight, _)) = space.weight_of(index as usize) {
                    space.ridge[weight] = *ridge;
                }
            }
        }
        for link in prior.links.iter().filter(|link| link.strength > 0.0) {
            let (first, second) = (link.weights.start as usize, link.near as usize);
            let (factor, strength) = (link.sign.factor(), link.strength);
            let run = Run { first, second, count: link.weights.len(), factor, strength };
            space.add_link(run);
        }
        if smoothing > 0.0 && space.intercepts.count() > 1 {
            let count = space.intercepts.count() - 1;
            let (first, second) = (weights, weights + 1);
            space.links.push(Run { first, second, count, factor: 1.0, strength: smoothing });
        }
        Ok(space)
    }

    /// Adds a link between indices.
    fn add_link(&mut self, run: Run) {
        if self.map.is_none() {
            self.links.push(run);
            return;
        }
        for pair in 0..run.count {
            let ends = (self.weight_of(run.first + pair), self.weight_of(run.second + pair));
            match ends {
                (Some((first, s)), Some((second, t))) => {
                    let factor = run.factor * s * t;
                    let strength = run.strength;
                    self.links.push(Run { first, second, count: 1, factor, strength });
                }
                // Near a weight that is 0: a ridge.
                (Some((weight, _)), None) | (None, Some((weight, _))) => {
                    self.ridge[weight] += run.strength;
                }
                (None, None) => {}
            }
        }
    }

    /// Free weights and intercepts.
    pub(crate) fn len(&self) -> usize {
        self.ridge.len()
    }

    /// Free weights.
    pub(crate) fn weights(&self) -> usize {
        self.weights
    }

    /// Indices that rows may name.
    pub(crate) fn indices(&self) -> usize {
        self.indices
    }

    /// Whether indices share weights.
    pub(crate) fn is_tied(&self) -> bool {
        self.map.is_some()
    }

    /// Whether the prior leaves some weight to the rows alone.
    pub(crate) fn has_unpenalised_weights(&self) -> bool {
        let mut diagonal = vec![0.0; self.len()];
        self.add_diagonal(&mut diagonal);
        diagonal[..self.weights].contains(&0.0)
    }

    /// The free weight of an index and the sign between them.
    pub(crate) fn weight_of(&self, index: usize) -> Option<(usize, f64)> {
        match &self.map {
            None => Some((index, 1.0)),
            Some(map) => map[index]
                .map(|code| ((code >> 1) as usize, if code & 1 == 1 { -1.0 } else { 1.0 })),
        }
    }

    /// Calls `visit` with the value of each index.
    pub(crate) fn spread(&self, vector: &[f64], mut visit: impl FnMut(usize, f64)) {
        match &self.map {
            None => (0..).zip(&vector[..self.weights]).for_each(|(i, &value)| visit(i, value)),
            Some(_) => {
                for index in 0..self.indices {
                    let value = self.weight_of(index).map_or(0.0, |(w, sign)| sign * vector[w]);
                    visit(index, value);
                }
            }
        }
    }

    /// Sums over the indices of each weight, times their sign, into `out`.
    pub(crate) fn fold(&self, of_index: impl Fn(usize) -> f64, out: &mut [f64]) {
        out[..self.weights].fill(0.0);
        for index in 0..self.indices {
            if let Some((weight, sign)) = self.weight_of(index) {
                out[weight] += sign * of_index(index);
            }
        }
    }

    /// The penalty at a point.
    pub(crate) fn penalty(&self, point: &[f64]) -> f64 {
        let ridge: f64 = self.ridge.iter().zip(point).map(|(ridge, u)| ridge * u * u).sum();
        let links: f64 =
            self.pairs().map(|(a, b, f, s)| s * (point[a] - f * point[b]).powi(2)).sum();
        0.5 * (ridge + links)
    }

    /// Adds the penalty's matrix times a vector: its gradient, too.
    pub(crate) fn add_penalty(&self, vector: &[f64], out: &mut [f64]) {
        for ((out, ridge), value) in out.iter_mut().zip(&self.ridge).zip(vector) {
            *out += ridge * value;
        }
        for (a, b, factor, strength) in self.pairs() {
            let pull = strength * (vector[a] - factor * vector[b]);
            out[a] += pull;
            out[b] -= factor * pull;
        }
    }

    /// Adds the penalty's diagonal.
    pub(crate) fn add_diagonal(&self, out: &mut [f64]) {
        for (out, ridge) in out.iter_mut().zip(&self.ridge) {
            *out += ridge;
        }
        for (a, b, factor, strength) in self.pairs() {
            if a == b {
                out[a] += strength * (1.0 - factor).powi(2);
            } else {
                out[a] += strength;
                out[b] += strength;
            }
        }
    }

    /// Adds the penalty's entries beside the diagonal.
    pub(crate) fn add_off_diagonal(&self, mut add: impl FnMut(usize, usize, f64)) {
        for (a, b, factor, strength) in self.pairs().filter(|pair| pair.0 != pair.1) {
            add(a, b, -factor * strength);
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize, f64, f64)> + '_ {
        self.links.iter().flat_map(|run| {
            (0..run.count)
                .map(|pair| (run.first + pair, run.second + pair, run.factor, run.strength))
        })
    }
}
