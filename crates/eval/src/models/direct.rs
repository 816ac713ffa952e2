use std::sync::Arc;

use discern_board::Board;

use super::{Kind, Model, Parts};
use crate::bytes::{Reader, put_block, put_f64s};
use crate::fast::{FoldedModel, board_terms};
use crate::patterns::{Occurrence, Orbits, WideIndices, configurations};
use crate::tables::class_steps;
use crate::weights::{put_steps, steps};
use crate::{AnyEvaluator, Basis, Feature, Features, Instance, Phases, Stages, WeightsError};

pub(crate) const KIND: Kind = Kind { name: "direct", decode };

/// A weight of its own for every configuration of every pattern, an extension
/// of the paper: f = intercept + scale · (Σ weights of the configurations on
/// the board + mobility terms). It folds into the same tables as LOG.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectModel {
    features: Features,
    stages: Stages,
    sets: Vec<DirectSet>,
    /// How the sum becomes log-odds in each phase.
    pub phases: Phases<DirectPhase>,
}

/// The weights of one stage of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectSet {
    /// The weight of each scalar among the features, in their order.
    pub scalars: Vec<f64>,
    /// For each pattern the weight of each class of its configurations, in
    /// steps of 1/[`DirectSet::STEPS`] logit; none if it is not a feature.
    steps: Vec<Vec<i16>>,
}

/// How the sum of weights becomes log-odds in one phase, and what these mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DirectPhase {
    /// Log-odds of a board that is worth nothing.
    pub intercept: f64,
    /// Below 1 where the weights are too sure of themselves.
    pub scale: f64,
    /// How far a search of two more plies strays from one before it: a
    /// standard deviation, in logits.
    pub spread: f64,
    /// What the log-odds f mean in discs: the expected score is
    /// 64 f / (|f| + this).
    pub half_score: f64,
}

impl DirectPhase {
    /// A phase of which only the odds are known; spread and score are what
    /// other models of this kind had.
    pub fn new(discs: usize, intercept: f64, scale: f64) -> DirectPhase {
        let spread = 0.24 + 0.028 * discs.saturating_sub(25) as f64;
        DirectPhase { intercept, scale, spread, half_score: 8.0 }
    }
}

impl DirectSet {
    /// Steps in a logit.
    pub const STEPS: f64 = 4096.0;

    /// Asks for the weight of every class of configurations of the patterns
    /// among the features, in logits: `weight(pattern, class)`.
    pub fn new(
        features: &Features,
        scalars: Vec<f64>,
        mut weight: impl FnMut(usize, usize) -> f64,
    ) -> DirectSet {
        assert_eq!(scalars.len(), features.scalars().count(), "one weight per scalar");
        // The cast saturates at ±8 logits.
        let step = |pattern, class| (weight(pattern, class) * DirectSet::STEPS).round() as i16;
        DirectSet { scalars, steps: class_steps(features, step) }
    }

    /// The steps of each class of a pattern's configurations.
    pub fn classes(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }

    /// The sum of the weights on a board.
    pub fn sum(&self, features: &Features, board: &Board) -> f64 {
        let indices = WideIndices::of(board);
        let steps: i32 = self.steps_of(&indices).iter().sum();
        let lines = indices.mobility();
        features
            .scalars()
            .zip(&self.scalars)
            .fold(f64::from(steps) / DirectSet::STEPS, |sum, (scalar, weight)| {
                sum + weight * scalar.value(board, &lines).unwrap_or(0.0)
            })
    }

    /// The sum of the steps of each pattern.
    fn steps_of(&self, indices: &WideIndices) -> [i32; crate::patterns::PATTERNS.len()] {
        let mut sums = [0; crate::patterns::PATTERNS.len()];
        indices.occurrences(|Occurrence { pattern, configuration }| {
            sums[pattern] += self.step(pattern, configuration);
        });
        sums
    }

    /// The steps of a configuration; 0 if its pattern is not a feature.
    fn step(&self, pattern: usize, configuration: usize) -> i32 {
        let Some(signed) = Orbits::of(pattern).class(configuration) else { return 0 };
        let own = self.steps[pattern].get(signed.class).map_or(0, |&own| i32::from(own));
        if signed.swapped { -own } else { own }
    }
}

impl DirectModel {
    /// A model with one set of weights per stage.
    ///
    /// # Panics
    /// If there are more or fewer sets than stages.
    pub fn new(
        features: Features,
        stages: Stages,
        sets: Vec<DirectSet>,
        phases: Phases<DirectPhase>,
    ) -> DirectModel {
        assert_eq!(sets.len(), stages.count(), "one set per stage");
        DirectModel { features, stages, sets, phases }
    }

    /// What it looks at.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The stages of the sets.
    pub fn stages(&self) -> Stages {
        self.stages
    }

    /// The sets in the order of the stages.
    pub fn sets(&self) -> &[DirectSet] {
        &self.sets
    }

    /// f, the log-odds of a win for the mover.
    pub fn value(&self, board: &Board) -> f64 {
        let discs = board.discs() as usize;
        let DirectPhase { intercept, scale, .. } = *self.phases.at(discs);
        intercept + scale * self.sets[self.stages.at(discs)].sum(&self.features, board)
    }
}

impl Model for DirectModel {
    fn kind(&self) -> &'static str {
        KIND.name
    }

    /// The names of the features, stages and weights as the tables of the file,
    /// then the scalars' weights of each stage, then the numbers of each phase.
    fn encode(&self, _: &Basis) -> Vec<u8> {
        let mut out = Vec::new();
        put_block(&mut out, self.features.to_string().as_bytes());
        let sets: Vec<_> = self.sets.iter().map(|set| &set.steps[..]).collect();
        put_steps(&mut out, &self.features, self.stages, &sets);
        self.sets.iter().for_each(|set| put_f64s(&mut out, &set.scalars));
        for (_, phase) in self.phases.iter() {
            let DirectPhase { intercept, scale, spread, half_score } = *phase;
            put_f64s(&mut out, &[intercept, scale, spread, half_score]);
        }
        out
    }

    fn evaluator(&self, _: &Basis) -> AnyEvaluator {
        let terms = self.phases.map(|discs, phase| {
            let set = &self.sets[self.stages.at(discs)];
            let place = |feature: Feature| self.features.scalars().position(|s| s == feature);
            board_terms(&self.features, |at| {
                let scalar = place(self.features[at]);
                scalar.map_or(0.0, |scalar| phase.scale * set.scalars[scalar])
            })
        });
        FoldedModel::direct(self).with_terms(terms)
    }

    fn features<'a>(&'a self, _: &'a Basis) -> &'a Features {
        &self.features
    }

    fn own_instances(&self, board: &Board) -> Vec<Instance> {
        let discs = board.discs() as usize;
        let (set, scale) = (&self.sets[self.stages.at(discs)], self.phases.at(discs).scale);
        let mut found = Vec::new();
        for feature in self.features.iter() {
            let Some(pattern) = feature.pattern() else { continue };
            for (squares, configuration) in configurations(pattern, board) {
                let steps = set.step(pattern, configuration);
                let value = scale * f64::from(steps) / DirectSet::STEPS;
                found.push(Instance { feature: *feature, squares, value });
            }
        }
        found
    }

    fn explain(&self, _: &Basis, board: &Board, _: &[f64]) -> Parts {
        let discs = board.discs() as usize;
        let DirectPhase { intercept, scale, .. } = *self.phases.at(discs);
        let set = &self.sets[self.stages.at(discs)];
        let indices = WideIndices::of(board);
        let (steps, lines) = (set.steps_of(&indices), indices.mobility());
        let mut scalars = set.scalars.iter();
        let part = |feature: &Feature| match (feature.pattern(), feature.value(board, &lines)) {
            (Some(pattern), _) => scale * (f64::from(steps[pattern]) / DirectSet::STEPS),
            (None, x) => scale * (scalars.next().unwrap_or(&0.0) * x.unwrap_or(0.0)),
        };
        Parts { intercept, contributions: self.features.iter().map(part).collect() }
    }
}

fn decode(_: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let names = std::str::from_utf8(reader.block()?).ok().and_then(|names| names.parse().ok());
    let unknown = WeightsError::Malformed("unknown features of the direct model");
    let features: Features = names.ok_or(unknown)?;
    let (stages, steps) = steps(&mut reader, &features)?;
    let count = features.scalars().count();
    let set = |steps| Ok(DirectSet { scalars: reader.f64s(count)?, steps });
    let sets = steps.into_iter().map(set).collect::<Result<Vec<_>, WeightsError>>()?;
    let phases = Phases::try_from_fn(|_| {
        let (intercept, scale) = (reader.f64()?, reader.f64()?);
        let (spread, half_score) = (reader.f64()?, reader.f64()?);
        if !(0.0..=30.0).contains(&spread) || !(0.001..=1000.0).contains(&half_score) {
            return Err(WeightsError::Malformed("an impossible spread or score"));
        }
        Ok(DirectPhase { intercept, scale, spread, half_score })
    })?;
    reader.end()?;
    Ok(Arc::new(DirectModel::new(features, stages, sets, phases)))
}

#[cfg(test)]
mod tests {
    use discern_board::Symmetry;
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::Evaluator;
    use crate::weights::tests::arbitrary_weights;

    #[test]
    fn folded_is_unfolded_to_rounding_in_all_images() {
        for features in [Features::default(), Features::all()] {
            let weights = arbitrary_weights(features.clone(), 71);
            let named = weights.model("direct").unwrap();
            let (model, evaluator) = (named.get::<DirectModel>().unwrap(), named.evaluator());
            for board in random_game_boards(72, 60).chain(random_discs(73, 1000)) {
                let exact = model.value(&board).clamp(-15.0, 15.0);
                for symmetry in Symmetry::ALL {
                    let value = evaluator.evaluate(&symmetry.board(board)).log_odds();
                    assert!((value - exact).abs() < 0.003, "{value} for {exact}");
                }
            }
        }
    }

    #[test]
    fn swapping_the_colours_negates_the_sum() {
        let weights = arbitrary_weights(Features::default(), 74);
        let model = weights.model("direct").unwrap().get::<DirectModel>().unwrap();
        let (set, features) = (&model.sets()[5], model.features());
        for board in random_game_boards(75, 20) {
            assert!((set.sum(features, &board) + set.sum(features, &board.pass())).abs() < 1e-9);
        }
    }
}
