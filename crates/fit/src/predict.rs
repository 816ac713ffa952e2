//! Winning probabilities for the rows of a table.

use std::collections::BTreeMap;

use discern_stats::{Metrics, Predict, Prediction, metrics};
use discern_table::{Batch, Cells, Reader, Table, Wanted};
use serde::{Deserialize, Serialize};

use crate::data::Groups;
use crate::error::Error;
use crate::label::{Labels, whole_number};
use crate::model_file::{ModelFile, Weights};

/// The models of a file, ready to be applied.
#[derive(Clone, Debug)]
pub struct Predictor {
    features: Vec<String>,
    phase_column: Option<String>,
    /// By model and phase; no model is without a phase.
    models: BTreeMap<&'static str, BTreeMap<Option<i32>, Weights>>,
}

impl Predictor {
    /// All models of a file, or the wanted ones.
    ///
    /// # Errors
    /// If a wanted model is not there.
    pub fn new(file: &ModelFile, wanted: &[String]) -> Result<Self, String> {
        let mut models: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for entry in &file.models {
            let name = entry.equation.name();
            if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
                let weights = entry.equation.weights(&file.features)?;
                models.entry(name).or_default().insert(entry.phase, weights);
            }
        }
        if let Some(name) = wanted.iter().find(|name| !models.contains_key(name.as_str())) {
            return Err(format!("has no model '{name}'"));
        }
        let (features, phase_column) = (file.features.clone(), file.phase_column.clone());
        Ok(Self { features, phase_column, models })
    }

    /// Each model by name, for a phase; and whether it was fitted to that phase
    /// or to the nearest one.
    pub fn at(&self, phase: Option<i32>) -> impl Iterator<Item = (&'static str, &Weights, bool)> {
        self.models.iter().filter_map(move |(&name, phases)| {
            if let Some(weights) = phases.get(&phase) {
                return Some((name, weights, true));
            }
            let nearest = phases.iter().min_by_key(|(fitted, _)| match (fitted, phase) {
                (Some(fitted), Some(phase)) => fitted.abs_diff(phase),
                _ => 0,
            });
            nearest.map(|(_, weights)| (name, weights, false))
        })
    }

    /// Names of the columns that predictions fill.
    pub fn columns(&self) -> Vec<String> {
        let mut columns = Vec::new();
        for (name, weights, _) in self.at(None) {
            columns.push(format!("p_{name}"));
            if let Weights::Score(..) = weights {
                columns.push(format!("score_{name}"));
            }
        }
        columns
    }

    /// Starts to predict the rows of a table, which are read as they are asked
    /// for.
    ///
    /// # Errors
    /// If a column is missing, or one to be added is there already.
    pub fn rows<'a>(
        &'a self,
        table: &'a Table,
        columns: &PredictColumns,
    ) -> Result<PredictedRows<'a>, Error> {
        if let Some(added) = self.columns().iter().find(|name| table.columns().contains(name)) {
            return Err(Error::file(table.path(), format!("has a column '{added}' already")));
        }
        // Everything as text, and some of it as numbers.
        let mut wanted: Vec<Wanted> = (0..table.columns().len()).map(Wanted::Text).collect();
        for feature in &self.features {
            wanted.push(Wanted::Number(table.column(feature)?));
        }
        let phase = match (&self.phase_column, &columns.phase) {
            (None, _) => None,
            (Some(_), Some(name)) | (Some(name), None) => {
                wanted.push(Wanted::Number(table.column(name)?));
                Some(wanted.len() - 1)
            }
        };
        let named = |name: &Option<String>| name.as_deref().map(|name| table.column(name));
        Ok(PredictedRows {
            predictor: self,
            table,
            reader: table.read(&wanted)?,
            phase,
            label: named(&columns.label).transpose()?,
            group: named(&columns.group).transpose()?,
            labels: Labels::default(),
            groups: Groups::default(),
            predictions: BTreeMap::new(),
            foreign_phases: 0,
        })
    }
}

/// Columns of a table that are no features.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictColumns {
    /// The phase, if it is not named as it was in the fit.
    pub phase: Option<String>,
    /// Results to compare with.
    pub label: Option<String>,
    /// The game, for the errors of the comparison.
    pub group: Option<String>,
}

/// Batches of predicted rows.
pub struct PredictedRows<'a> {
    predictor: &'a Predictor,
    table: &'a Table,
    reader: Reader,
    phase: Option<usize>,
    label: Option<usize>,
    group: Option<usize>,
    labels: Labels,
    groups: Groups,
    predictions: BTreeMap<&'static str, Vec<Prediction>>,
    foreign_phases: u64,
}

/// Some rows of the table, and what was predicted for them.
#[derive(Clone, Debug)]
pub struct PredictedBatch {
    batch: Batch,
    texts: usize,
    /// The new cells of each row, in the order of [`Predictor::columns`].
    pub added: Vec<Vec<f64>>,
}

impl PredictedBatch {
    /// The cells of a row as they are in the table.
    pub fn texts(&self, row: usize) -> impl Iterator<Item = &str> {
        self.batch.cells[..self.texts].iter().map(move |cells| cells.text()[row].as_str())
    }
}

impl PredictedRows<'_> {
    /// How good the predictions are, if there is a label.
    pub fn metrics(&self) -> Vec<(&'static str, Metrics)> {
        let meant = |p: &Prediction| Prediction { outcome: self.labels.share(p.outcome), ..*p };
        let found = self.predictions.iter().filter_map(|(&name, rows)| {
            Some((name, metrics(&rows.iter().map(meant).collect::<Vec<_>>())?))
        });
        found.collect()
    }

    /// Rows of phases without a model, for which the nearest phase was used.
    pub fn foreign_phases(&self) -> u64 {
        self.foreign_phases
    }

    fn batch(&mut self, batch: Batch) -> Result<PredictedBatch, Error> {
        let texts = self.table.columns().len();
        let mut added = Vec::with_capacity(batch.rows);
        for row in 0..batch.rows {
            added.push(self.row(&batch.cells, texts, row).map_err(|problem| Error::Row {
                path: self.table.path().to_path_buf(),
                place: batch.place(row),
                problem,
            })?);
        }
        Ok(PredictedBatch { batch, texts, added })
    }

    /// The new cells of a row.
    fn row(&mut self, cells: &[Cells], texts: usize, row: usize) -> Result<Vec<f64>, String> {
        let features = &cells[texts..texts + self.predictor.features.len()];
        let x: Vec<f64> = features.iter().map(|cells| cells.numbers()[row]).collect();
        let phase = self.phase.map(|column| whole_number(cells[column].numbers()[row]));
        let phase = phase.transpose()?;
        let outcome = self.label.map(|column| self.labels.read(&cells[column].text()[row]));
        let outcome = outcome.transpose()?;
        let group = self.group.map(|column| self.groups.number(&cells[column].text()[row]));
        let mut new = Vec::new();
        let mut foreign = false;
        for (name, weights, fitted) in self.predictor.at(phase) {
            foreign |= !fitted;
            new.push(weights.probability(&x));
            if let Weights::Score(..) = weights {
                new.push(weights.value(&x));
            }
            if let Some(outcome) = outcome {
                let log_odds = weights.log_odds(&x);
                let phase = phase.unwrap_or(0);
                let prediction = Prediction { phase, log_odds, outcome, weight: 1.0, group };
                self.predictions.entry(name).or_default().push(prediction);
            }
        }
        self.foreign_phases += u64::from(foreign);
        Ok(new)
    }
}

impl Iterator for PredictedRows<'_> {
    type Item = Result<PredictedBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.reader.next()?;
        Some(batch.map_err(Error::from).and_then(|batch| self.batch(batch)))
    }
}
