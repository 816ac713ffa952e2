use crate::feature::Feature;
use crate::patterns::{PATTERNS, mobility_table};
use crate::{LinearModel, TableSet, TableValue};

/// A table set with a value for every configuration, symmetric ones repeated.
#[derive(Debug, Clone)]
pub(crate) struct Expanded {
    steps: Vec<Vec<i16>>,
}

impl Expanded {
    pub(crate) fn new(set: &TableSet) -> Expanded {
        Expanded { steps: (0..PATTERNS.len()).map(|pattern| set.expanded(pattern)).collect() }
    }

    /// The table value of every configuration of a pattern, in steps.
    pub(crate) fn steps(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }

    /// What every configuration of a pattern adds to a linear model's value:
    /// its own feature and its mobility.
    pub(crate) fn weighted(&self, pattern: usize, model: &LinearModel) -> Vec<f32> {
        let weight = |feature: Feature| model.weights[feature.index()];
        let own = Feature::of_pattern(pattern).map_or(0.0, weight) / TableValue::STEPS;
        let own = own as f32;
        let mobility = weight(Feature::MOBILITY) as f32;
        let potential = weight(Feature::POTENTIAL_MOBILITY) as f32;
        self.steps[pattern]
            .iter()
            .zip(mobility_table(pattern))
            .map(|(&steps, line)| {
                own * f32::from(steps)
                    + mobility * line.moves as f32
                    + potential * line.potential as f32
            })
            .collect()
    }
}
