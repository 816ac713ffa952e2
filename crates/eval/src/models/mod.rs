//! Kinds of models: what their numbers mean, one file each. A further one is a
//! file, and here a line of [`KINDS`] and the names that fits need.

mod direct;
mod linear;
pub mod network;
mod perceptron;
mod quadratic;
mod scores;

use std::any::Any;
use std::fmt;
use std::sync::Arc;

pub use direct::{DirectModel, DirectPhase, DirectSet};
use discern_board::Board;
pub use linear::{LinearErrors, LinearModel, LinearPhase};
pub use network::{Dense, NetworkModel, NetworkSet};
pub use perceptron::{HiddenLayer, PerceptronModel, UNITS};
pub use quadratic::{QuadraticModel, QuadraticPhase};
pub use scores::{ScoreModel, ScorePhase};

use crate::{AnyEvaluator, Basis, Features, Instance, WeightsError};

/// The kinds of learned models.
pub(crate) const KINDS: &[Kind] =
    &[linear::KIND, quadratic::KIND, direct::KIND, perceptron::KIND, network::KIND];

/// A kind of model, known from the start or [registered](crate::register) as
/// the program runs.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What weight files call it.
    pub name: &'static str,
    /// Reads what [`Model::encode`] wrote, for features and tables that lie in
    /// the same file.
    pub decode: Decode,
}

/// Reads the content of a model, or says what is wrong with it.
pub type Decode = fn(&Basis, &[u8]) -> Result<Arc<dyn Model>, WeightsError>;

/// The numbers of a model of all phases. It knows the features and tables it
/// was made for only by their order, so that it always comes with its
/// [`Basis`].
pub trait Model: Any + fmt::Debug + Send + Sync {
    /// The name of its [`Kind`].
    fn kind(&self) -> &'static str;

    /// Its content in a weight file.
    fn encode(&self, basis: &Basis) -> Vec<u8>;

    /// The evaluator, in the form in which it is fastest. Takes a moment.
    fn evaluator(&self, basis: &Basis) -> AnyEvaluator;

    /// What it looks at: the features of the basis, or its own.
    fn features<'a>(&'a self, basis: &'a Basis) -> &'a Features {
        basis.features()
    }

    /// What the places of its own features add to them on a board; nothing for
    /// those of the basis, which has them.
    fn own_instances(&self, _board: &Board) -> Vec<Instance> {
        Vec::new()
    }

    /// What each of its features adds to the value of a board; `x` are the
    /// features of the basis on that board.
    fn explain(&self, basis: &Basis, board: &Board, x: &[f64]) -> Parts;

    /// The numbers of a phase by their names, for people and programs that do
    /// not know the kind; nothing if they are too many.
    fn describe(&self, _basis: &Basis, _discs: usize) -> serde_json::Value {
        serde_json::Value::Null
    }
}

/// The log-odds of a board taken apart, from the mover's view.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// What the model says before any feature.
    pub intercept: f64,
    /// What each feature adds. Products of two features are shared equally
    /// between them.
    pub contributions: Vec<f64>,
}

impl Parts {
    /// f, the log-odds of a win: the sum.
    pub fn value(&self) -> f64 {
        self.contributions.iter().sum::<f64>() + self.intercept
    }

    /// The probability of a win.
    pub fn probability(&self) -> f64 {
        1.0 / (1.0 + (-self.value()).exp())
    }

    /// The same from the other side's view.
    pub(crate) fn negate(&mut self) {
        self.intercept = -self.intercept;
        self.contributions.iter_mut().for_each(|part| *part = -*part);
    }
}

/// Takes a value apart that is no sum over the features: features become known
/// one after the other, and each adds what the value changes by, on average of
/// the order of the list and the reverse. `value` is asked with 1 for each
/// feature that is known and 0 for the others.
fn in_turn(features: usize, value: impl Fn(&[f64]) -> f64) -> Parts {
    let mut contributions = vec![0.0; features];
    let nothing = vec![0.0; features];
    let intercept = value(&nothing);
    let mut add = |order: &mut dyn Iterator<Item = usize>| {
        let (mut known, mut before) = (nothing.clone(), intercept);
        for feature in order {
            known[feature] = 1.0;
            let now = value(&known);
            contributions[feature] += (now - before) / 2.0;
            before = now;
        }
    };
    add(&mut (0..features));
    add(&mut (0..features).rev());
    Parts { intercept, contributions }
}
