use std::sync::Arc;

use discern_board::Board;

use super::{Kind, Model, Parts, ScoreModel};
use crate::bytes::{Reader, put_block, put_f64s};
use crate::fast::{FoldedModel, board_terms};
use crate::patterns::{AllIndices, LineMobility, Occurrence, Orbits, PATTERNS, configurations};
use crate::tables::{class_steps, expanded};
use crate::weights::{Steps, put_steps, steps};
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
    /// The expected score, where it has been fitted.
    scores: Option<ScoreModel>,
}

/// The weights of one stage of the game.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectSet {
    /// The weights of each scalar among the features, in their order: as many
    /// as it has levels.
    pub scalars: Vec<Vec<f64>>,
    /// For each pattern the weight of each class of its configurations, in
    /// steps of 1/[`DirectSet::STEPS`] logit; none if it is not a feature.
    steps: Vec<Vec<i16>>,
    /// What a configuration is worth to whoever is to move, the same with
    /// swapped colours: likewise for each class of
    /// [`Orbits::even_class`]. None if the model does not know.
    tempo: Vec<Vec<i16>>,
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
    /// Steps in a logit: the sum of 60 weights is off by a 230th of a logit, and
    /// finer ones would make the file half as large again.
    pub const STEPS: f64 = 512.0;

    /// Asks for the weight of every class of configurations of the patterns
    /// among the features, in logits: `weight(pattern, class)`.
    pub fn new(
        features: &Features,
        scalars: Vec<Vec<f64>>,
        mut weight: impl FnMut(usize, usize) -> f64,
    ) -> DirectSet {
        assert!(features.scalars().map(Feature::levels).eq(scalars.iter().map(Vec::len)));
        let step = |pattern, class| step_of(weight(pattern, class));
        let steps = class_steps(features, Orbits::classes, step);
        DirectSet { scalars, steps, tempo: vec![Vec::new(); PATTERNS.len()] }
    }

    /// The same set with weights of the tempo, too: for every class of
    /// [`Orbits::even_class`], in logits.
    #[must_use]
    pub fn with_tempo(
        self,
        features: &Features,
        mut weight: impl FnMut(usize, usize) -> f64,
    ) -> DirectSet {
        let step = |pattern, class| step_of(weight(pattern, class));
        DirectSet { tempo: class_steps(features, Orbits::even_classes, step), ..self }
    }

    /// The steps of each class of a pattern's configurations.
    pub fn classes(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }

    /// The steps of the tempo of each class of [`Orbits::even_class`].
    pub fn tempo(&self, pattern: usize) -> &[i16] {
        &self.tempo[pattern]
    }

    /// Does it know what the tempo is worth?
    pub fn knows_tempo(&self) -> bool {
        self.tempo.iter().any(|steps| !steps.is_empty())
    }

    /// The steps of every configuration of a pattern.
    pub(crate) fn expanded(&self, pattern: usize) -> Vec<i16> {
        let mut all = expanded(pattern, &self.steps[pattern]);
        if !self.tempo[pattern].is_empty() {
            Orbits::of(pattern).add_even(&mut all, &self.tempo[pattern]);
        }
        all
    }

    /// The sum of the weights on a board.
    pub fn sum(&self, features: &Features, board: &Board) -> f64 {
        let indices = AllIndices::of(board);
        let steps: i32 = self.steps_of(&indices).iter().sum();
        let lines = indices.mobility();
        features
            .scalars()
            .zip(&self.scalars)
            .fold(f64::from(steps) / DirectSet::STEPS, |sum, (scalar, weights)| {
                sum + of_scalar(scalar, weights, board, &lines)
            })
    }

    /// The sum of the steps of each pattern.
    fn steps_of(&self, indices: &AllIndices) -> [i32; PATTERNS.len()] {
        let mut sums = [0; PATTERNS.len()];
        indices.occurrences(|Occurrence { pattern, configuration }| {
            sums[pattern] += self.step(pattern, configuration);
        });
        sums
    }

    /// The steps of a configuration; 0 if its pattern is not a feature.
    fn step(&self, pattern: usize, configuration: usize) -> i32 {
        let orbits = Orbits::of(pattern);
        let tempo = self.tempo[pattern].get(orbits.even_class(configuration));
        let tempo = tempo.map_or(0, |&tempo| i32::from(tempo));
        let Some(signed) = orbits.class(configuration) else { return tempo };
        let own = self.steps[pattern].get(signed.class).map_or(0, |&own| i32::from(own));
        tempo + if signed.swapped { -own } else { own }
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
        DirectModel { features, stages, sets, phases, scores: None }
    }

    /// The same model, which also knows scores.
    ///
    /// # Panics
    /// If the scores have more or fewer sets than stages.
    #[must_use]
    pub fn with_scores(self, scores: ScoreModel) -> DirectModel {
        assert_eq!(scores.sets().len(), self.stages.count(), "one set per stage");
        DirectModel { scores: Some(scores), ..self }
    }

    /// The same model with other phases.
    #[must_use]
    pub fn with_phases(&self, phases: Phases<DirectPhase>) -> DirectModel {
        DirectModel { phases, ..self.clone() }
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

    /// What it knows of scores, if anything.
    pub fn scores(&self) -> Option<&ScoreModel> {
        self.scores.as_ref()
    }

    /// The expected score for the mover, in discs: that of the scores' own
    /// weights, or what the odds mean where there are none.
    pub fn expected_score(&self, board: &Board) -> f64 {
        let own = self.scores.as_ref();
        own.and_then(|scores| scores.score(&self.features, self.stages, board)).unwrap_or_else(
            || {
                let (f, half) =
                    (self.value(board), self.phases.at(board.discs() as usize).half_score);
                64.0 * f / (f.abs() + half)
            },
        )
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
    /// then the scalars' weights of each stage, then the numbers of each phase,
    /// then the scores, if there are any.
    fn encode(&self, _: &Basis) -> Vec<u8> {
        let mut out = Vec::new();
        put_block(&mut out, self.features.to_string().as_bytes());
        put_sets(&mut out, &self.features, self.stages, &self.sets);
        for (_, phase) in self.phases.iter() {
            let DirectPhase { intercept, scale, spread, half_score } = *phase;
            put_f64s(&mut out, &[intercept, scale, spread, half_score]);
        }
        if let Some(scores) = &self.scores {
            out.extend(scores.encode(&self.features, self.stages));
        }
        out
    }

    fn evaluator(&self, _: &Basis) -> AnyEvaluator {
        let terms = |set: &DirectSet, scale: f64| {
            let place = |feature: Feature| self.features.scalars().position(|s| s == feature);
            board_terms(&self.features, |at| {
                let scalar = place(self.features[at]);
                scalar.map_or(0.0, |scalar| scale * set.scalars[scalar][0])
            })
        };
        let odds =
            self.phases.map(|discs, phase| terms(&self.sets[self.stages.at(discs)], phase.scale));
        let scores = Phases::from_fn(|discs| {
            let scores = self.scores.as_ref().map(ScoreModel::sets);
            scores.map(|sets| terms(&sets[self.stages.at(discs)], 1.0)).unwrap_or_default()
        });
        FoldedModel::direct(self).with_terms(odds, scores)
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
        let indices = AllIndices::of(board);
        let (steps, lines) = (set.steps_of(&indices), indices.mobility());
        let mut scalars = set.scalars.iter();
        let part = |feature: &Feature| match feature.pattern() {
            Some(pattern) => scale * (f64::from(steps[pattern]) / DirectSet::STEPS),
            None => {
                let weights = scalars.next().expect("weights of every scalar");
                scale * of_scalar(*feature, weights, board, &lines)
            }
        };
        Parts { intercept, contributions: self.features.iter().map(part).collect() }
    }
}

/// What a scalar with these weights adds.
fn of_scalar(scalar: Feature, weights: &[f64], board: &Board, lines: &LineMobility) -> f64 {
    match scalar.level(board) {
        Some(level) => weights[level],
        None => weights[0] * scalar.value(board, lines).unwrap_or(0.0),
    }
}

/// A weight in steps; the cast saturates at ±64 logits.
fn step_of(weight: f64) -> i16 {
    (weight * DirectSet::STEPS).round() as i16
}

/// The sets of all stages: the steps of the configurations, 1 and those of the
/// tempo if they know it, else 0, then the scalars' weights of each.
pub(super) fn put_sets(out: &mut Vec<u8>, features: &Features, stages: Stages, sets: &[DirectSet]) {
    let steps: Vec<_> = sets.iter().map(|set| &set.steps[..]).collect();
    put_steps(out, features, stages, Orbits::classes, &steps);
    let knows = sets.iter().all(DirectSet::knows_tempo);
    out.push(u8::from(knows));
    if knows {
        let tempo: Vec<_> = sets.iter().map(|set| &set.tempo[..]).collect();
        put_steps(out, features, stages, Orbits::even_classes, &tempo);
    }
    sets.iter().for_each(|set| set.scalars.iter().for_each(|weights| put_f64s(out, weights)));
}

/// What [`put_sets`] has written.
pub(super) fn sets(
    reader: &mut Reader,
    features: &Features,
) -> Result<(Stages, Vec<DirectSet>), WeightsError> {
    let (stages, own) = steps(reader, features, Orbits::classes)?;
    let tempo: Steps = match reader.u8()? {
        0 => vec![vec![Vec::new(); PATTERNS.len()]; stages.count()],
        1 => {
            let (other, tempo) = steps(reader, features, Orbits::even_classes)?;
            if other != stages {
                return Err(WeightsError::Malformed("a tempo of other stages"));
            }
            tempo
        }
        _ => return Err(WeightsError::Malformed("neither with nor without a tempo")),
    };
    let set = |(steps, tempo)| {
        let scalars = features.scalars().map(|scalar| reader.f64s(scalar.levels()));
        Ok(DirectSet { scalars: scalars.collect::<Result<_, WeightsError>>()?, steps, tempo })
    };
    let sets = own.into_iter().zip(tempo).map(set).collect::<Result<_, WeightsError>>()?;
    Ok((stages, sets))
}

fn decode(_: &Basis, content: &[u8]) -> Result<Arc<dyn Model>, WeightsError> {
    let mut reader = Reader(content);
    let names = std::str::from_utf8(reader.block()?).unwrap_or_default();
    let features: Option<Features> = names.parse().ok();
    // Weights lie in the order of the names, which is the one of all features.
    let features = features.filter(|features| features.to_string() == names);
    let features =
        features.ok_or(WeightsError::Malformed("unknown features of the direct model"))?;
    let (stages, sets) = sets(&mut reader, &features)?;
    let phases = Phases::try_from_fn(|_| {
        let (intercept, scale) = (reader.f64()?, reader.f64()?);
        let (spread, half_score) = (reader.f64()?, reader.f64()?);
        if !(0.0..=30.0).contains(&spread) || !(0.001..=1000.0).contains(&half_score) {
            return Err(WeightsError::Malformed("an impossible spread or score"));
        }
        Ok(DirectPhase { intercept, scale, spread, half_score })
    })?;
    let Reader(scores) = reader;
    let scores = (!scores.is_empty()).then(|| ScoreModel::decode(scores, &features)).transpose()?;
    if scores.as_ref().is_some_and(|scores| scores.sets().len() != stages.count()) {
        return Err(WeightsError::Malformed("scores of other stages"));
    }
    Ok(Arc::new(DirectModel { features, stages, sets, phases, scores }))
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
    fn swapping_the_colours_negates_all_but_the_tempo() {
        let weights = arbitrary_weights(Features::default(), 74);
        let model = weights.model("direct").unwrap().get::<DirectModel>().unwrap();
        let (set, features) = (&model.sets()[5], model.features());
        let bare = DirectSet { tempo: vec![Vec::new(); PATTERNS.len()], ..set.clone() };
        assert!(set.knows_tempo() && !bare.knows_tempo());
        for board in random_game_boards(75, 20) {
            let boards = [&board, &board.pass()];
            let own = boards.map(|board| bare.sum(features, board));
            let all = boards.map(|board| set.sum(features, board));
            assert!((own[0] + own[1]).abs() < 1e-9);
            assert!((all[0] - own[0] - (all[1] - own[1])).abs() < 1e-9 && all != own);
        }
    }
}
