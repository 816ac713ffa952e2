use std::any::Any;
use std::sync::{Arc, OnceLock};

use discern_board::Board;

use super::Manifest;
use crate::{AnyEvaluator, Basis, Model, Parts};

/// A model of some weights: its name, its numbers and where they come from.
#[derive(Debug, Clone)]
pub struct NamedModel {
    name: String,
    title: String,
    description: String,
    /// Where it comes from.
    pub manifest: Manifest,
    model: Arc<dyn Model>,
    basis: Arc<Basis>,
    /// Made when it is first asked for; clones share it.
    evaluator: Arc<OnceLock<AnyEvaluator>>,
}

impl NamedModel {
    /// A model of the features and tables of `basis`. `words` are its name for
    /// commands (`log`), its title for people (`LOG`), and what it is.
    ///
    /// # Panics
    /// If another model could not be told from it in a list: its name must
    /// have small letters, digits and hyphens only.
    pub fn new(
        words: [&str; 3],
        manifest: Manifest,
        basis: Arc<Basis>,
        model: Arc<dyn Model>,
    ) -> NamedModel {
        let [name, title, description] = words.map(str::to_owned);
        assert!(is_name(&name), "'{name}' is not a name for a model");
        NamedModel { name, title, description, manifest, model, basis, evaluator: Arc::default() }
    }

    /// What commands, plans and requests call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What people call it.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// What it is.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The features and tables it was made for.
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// Its numbers.
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// Its numbers, if it is of this kind.
    pub fn get<M: Model>(&self) -> Option<&M> {
        (&*self.model as &dyn Any).downcast_ref()
    }

    /// Its evaluator. The first call takes a moment; all share what it made.
    pub fn evaluator(&self) -> AnyEvaluator {
        self.evaluator.get_or_init(|| self.model.evaluator(&self.basis)).clone()
    }

    /// Takes the value of a board apart.
    pub fn explain(&self, board: &Board) -> Parts {
        self.model.explain(&self.basis, board, &self.basis.values(board))
    }

    /// The numbers of a phase by their names.
    pub fn describe(&self, discs: usize) -> serde_json::Value {
        self.model.describe(&self.basis, discs)
    }

    /// Does it look at features of its own, and not at those of its basis?
    pub fn has_own_features(&self) -> bool {
        !std::ptr::eq(self.model.features(&self.basis), self.basis.features())
    }

    /// The same beside models of another basis, which means nothing to a model
    /// with features of its own.
    pub(super) fn beside(&self, basis: &Arc<Basis>) -> NamedModel {
        NamedModel { basis: basis.clone(), evaluator: Arc::default(), ..self.clone() }
    }

    /// The same under another name.
    pub fn renamed(self, name: &str, title: &str) -> NamedModel {
        assert!(is_name(name), "'{name}' is not a name for a model");
        NamedModel { name: name.to_owned(), title: title.to_owned(), ..self }
    }
}

/// Small letters, digits and hyphens, and no name of a model without weights.
pub(super) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty() && name.chars().all(allowed) && crate::hand_set(name).is_none()
}

impl PartialEq for NamedModel {
    fn eq(&self, other: &NamedModel) -> bool {
        let words = |model: &NamedModel| {
            (model.name.clone(), model.title.clone(), model.description.clone(), model.model.kind())
        };
        words(self) == words(other)
            && self.manifest == other.manifest
            && self.basis == other.basis
            && self.model.encode(&self.basis) == other.model.encode(&other.basis)
    }
}
