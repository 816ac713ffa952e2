//! What is expected of the weights before any row is seen.

use std::ops::Range;

use super::ties::Sign;

/// Ties a run of weights softly to another: ½·strength·(w − s·v)² for each
/// pair of a weight w and the one v it is expected to be near.
///
/// A rare configuration is near its part, a stage near its neighbour. Both
/// ends give way, the one that fewer rows know more.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The weights.
    pub weights: Range<u32>,
    /// The first of as many weights they are near to.
    pub near: u32,
    /// Whether to the weight or to its negative.
    pub sign: Sign,
    /// Penalty of the squared difference: a prior of N(0, 1/strength).
    pub strength: f64,
}

impl Link {
    /// One weight near another.
    pub fn one(weight: u32, near: u32, strength: f64) -> Self {
        Self::run(weight..weight + 1, near, strength)
    }

    /// Each weight of a run near the one as far behind `near`.
    pub fn run(weights: Range<u32>, near: u32, strength: f64) -> Self {
        Self { weights, near, sign: Sign::Same, strength }
    }
}

/// A normal prior: the penalty beside the log loss.
///
/// ½·ridge·weight² for each weight, with a ridge of its own for some blocks of
/// weights, and links between weights. Tied weights count once.
///
/// ```
/// use discern_stats::sparse::{Link, WeightPrior};
///
/// // Two stages of 100 weights each near each other, little known otherwise.
/// let prior = WeightPrior::ridge(0.1).link(Link::run(100..200, 0, 20.0));
/// # assert_eq!(prior.links.len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct WeightPrior {
    /// Ridge of the weights that no block names.
    pub ridge: f64,
    /// Blocks of weights with a ridge of their own; a later one prevails.
    pub blocks: Vec<(Range<u32>, f64)>,
    /// Weights near others.
    pub links: Vec<Link>,
}

impl Default for WeightPrior {
    /// Ridge 1 for all.
    fn default() -> Self {
        Self::ridge(1.0)
    }
}

impl WeightPrior {
    /// The same ridge for all weights.
    pub fn ridge(ridge: f64) -> Self {
        Self { ridge, blocks: Vec::new(), links: Vec::new() }
    }

    /// Another ridge for a block of weights.
    #[must_use]
    pub fn block(mut self, weights: Range<u32>, ridge: f64) -> Self {
        self.blocks.push((weights, ridge));
        self
    }

    /// Some weights near others.
    #[must_use]
    pub fn link(mut self, link: Link) -> Self {
        self.links.push(link);
        self
    }

    /// What is wrong with it, for this many weights.
    pub(crate) fn problem(&self, weights: usize) -> Option<String> {
        let penalty = |value: f64| value >= 0.0 && value.is_finite();
        let ridges = self.blocks.iter().map(|block| block.1).chain([self.ridge]);
        if let Some(ridge) = ridges.into_iter().find(|&ridge| !penalty(ridge)) {
            return Some(format!("ridge {ridge} is not a finite number of at least 0"));
        }
        for link in &self.links {
            if !penalty(link.strength) {
                let strength = link.strength;
                return Some(format!("strength {strength} is not a finite number of at least 0"));
            }
        }
        let ends = self.links.iter().map(|link| {
            let near = u64::from(link.near) + link.weights.len() as u64;
            near.max(u64::from(link.weights.end))
        });
        let ends = self.blocks.iter().map(|(range, _)| u64::from(range.end)).chain(ends);
        let last = ends.max().unwrap_or(0);
        (last > weights as u64).then(|| {
            format!(
                "the prior speaks of weight {}, and there are {weights}",
                last.saturating_sub(1)
            )
        })
    }
}
