use std::ops::Neg;

use discern_board::{Board, Move};
use serde::{Serialize, Serializer};

use super::Weights;
use crate::patterns::Indices;
use crate::{Feature, Instance, Parts};

/// Why a board has the value it has, for all models of some weights side by
/// side.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The phase.
    pub discs: usize,
    /// The features in the order of the weights, then those that only some
    /// models look at.
    pub features: Vec<FeatureExplanation>,
    /// The models in the order of the weights.
    pub models: Vec<ModelExplanation>,
}

/// One feature of a board.
#[derive(Debug, Clone)]
pub struct FeatureExplanation {
    /// The feature.
    pub feature: Feature,
    /// Its value: the sum over its instances if it has some. Those of a pattern
    /// without tables are in logits, as its first model has them.
    pub value: f64,
    /// Its instances on the board.
    pub instances: Vec<Instance>,
}

/// One model's value taken apart.
#[derive(Debug, Clone)]
pub struct ModelExplanation {
    /// What commands call the model.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// What the model says before any feature, and what each feature adds.
    pub parts: Parts,
}

/// Values under their names, in their order.
pub struct Named<T>(Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// One model's value taken apart, as programs read it: the intercept and the
/// contributions add up to it.
#[derive(Serialize)]
pub struct NamedParts {
    probability: f64,
    value: f64,
    intercept: f64,
    contributions: Named<f64>,
}

impl Explanation {
    /// The features of the position by name.
    pub fn values(&self) -> Named<f64> {
        let named = |f: &FeatureExplanation| (f.feature.name().to_owned(), f.value);
        Named(self.features.iter().map(named).collect())
    }

    /// The value of the position by each model, before any search.
    pub fn parts(&self) -> Named<NamedParts> {
        let names = || self.features.iter().map(|f| f.feature.name().to_owned());
        let taken = |model: &ModelExplanation| NamedParts {
            probability: model.parts.probability(),
            value: model.parts.value(),
            intercept: model.parts.intercept,
            contributions: Named(names().zip(model.parts.contributions.iter().copied()).collect()),
        };
        Named(self.models.iter().map(|model| (model.name.clone(), taken(model))).collect())
    }
}

/// The same from the other side's view.
impl Neg for Explanation {
    type Output = Explanation;

    fn neg(mut self) -> Explanation {
        self.models.iter_mut().for_each(|model| model.parts.negate());
        for feature in &mut self.features {
            feature.value = -feature.value;
            feature.instances.iter_mut().for_each(|instance| instance.value = -instance.value);
        }
        self
    }
}

impl Weights {
    /// Takes apart what the mover of `board` thinks of it after a move. `None`
    /// if the move ends the game, which leaves nothing to estimate, or is not
    /// legal.
    pub fn explain_move(&self, board: &Board, mv: Move) -> Option<Explanation> {
        let after = board.play(mv)?;
        if after.is_over() {
            None
        } else if after.must_pass() {
            Some(self.explain(&after.pass()))
        } else {
            Some(-self.explain(&after))
        }
    }

    /// Takes the value of a board apart.
    pub fn explain(&self, board: &Board) -> Explanation {
        let basis = self.basis();
        let mut instances = basis.instances(board);
        let mut x = basis.values_of(board, &instances);
        let lines = Indices::of(board).mobility();
        let mut features: Vec<Feature> = basis.features().to_vec();
        for named in self.models() {
            let own = named.model().own_instances(board);
            for &feature in named.model().features(basis).iter() {
                if !features.contains(&feature) {
                    let places = own.iter().filter(|instance| instance.feature == feature);
                    let sum = || places.clone().map(|instance| instance.value).sum();
                    x.push(feature.value(board, &lines).unwrap_or_else(sum));
                    instances.extend(places);
                    features.push(feature);
                }
            }
        }
        let feature = |(&feature, &value): (&Feature, &f64)| FeatureExplanation {
            feature,
            value,
            instances: instances.iter().filter(|i| i.feature == feature).copied().collect(),
        };
        let models = self.models().iter().map(|named| {
            let own = named.model().features(basis);
            let mut parts = named.model().explain(basis, board, &x[..basis.features().len()]);
            let of = |&feature: &Feature| {
                own.place(feature).map_or(0.0, |place| parts.contributions[place])
            };
            parts.contributions = features.iter().map(of).collect();
            ModelExplanation {
                name: named.name().to_owned(),
                title: named.title().to_owned(),
                parts,
            }
        });
        let models = models.collect();
        Explanation {
            discs: board.discs() as usize,
            features: features.iter().zip(&x).map(feature).collect(),
            models,
        }
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{random_discs, random_game_boards};

    use super::*;
    use crate::weights::tests::arbitrary_weights;
    use crate::{Evaluator, Features};

    #[test]
    fn evaluators_say_what_the_explanation_adds_up_to() {
        for features in ["+MOB", "+LAST", "PMOB,R2,C2x5,E2X", "LAST,MOB,D5", "R1"] {
            let weights = arbitrary_weights(features.parse::<Features>().unwrap(), 41);
            let mut clamped = 0;
            for board in random_game_boards(42, 30).chain(random_discs(43, 1000)) {
                let explanation = weights.explain(&board);
                assert_eq!(explanation.models.len(), 4);
                for (model, explained) in weights.models().iter().zip(&explanation.models) {
                    let exact = explained.parts.value();
                    let clamp = exact.clamp(-15.0, 15.0);
                    clamped += usize::from(clamp != exact);
                    // 42 roundings of a 16th of a thousandth at worst, and one of a half.
                    let value = model.evaluator().evaluate(&board);
                    let off = (value.log_odds() - clamp).abs();
                    assert!(off < 0.003, "{value} for {exact} of {} on {features}", model.name());
                }
            }
            assert!(clamped < 3000, "too few values inside the range: {clamped} outside");
        }
    }

    #[test]
    fn a_move_is_explained_from_the_side_of_its_player() {
        let weights = arbitrary_weights(Features::default(), 46);
        let (log, mut passes, mut ends) = (weights.model("log").unwrap().evaluator(), 0, 0);
        for board in random_game_boards(47, 60) {
            for mv in board.moves().squares().map(Move::Place) {
                let after = board.play(mv).unwrap();
                let Some(explanation) = weights.explain_move(&board, mv) else {
                    assert!(after.is_over());
                    ends += 1;
                    continue;
                };
                let value = match after.must_pass() {
                    true => log.evaluate(&after.pass()),
                    false => -log.evaluate(&after),
                };
                passes += usize::from(after.must_pass());
                let total = explanation.models[0].parts.value();
                assert!((value.log_odds() - total.clamp(-15.0, 15.0)).abs() < 0.002);
            }
        }
        assert!(passes > 10 && ends > 10, "{passes} passes, {ends} ends");
        assert!(weights.explain_move(&Board::START, Move::Pass).is_none());
    }
}
