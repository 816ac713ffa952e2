//! Winning probabilities for sparse rows.

use discern_stats::{Metrics, Prediction, logistic, metrics};
use discern_table::{Cells, SparseBatch, SparseReader, SparseTable};

use super::model::SparseModel;
use crate::data::Groups;
use crate::error::Error;
use crate::label::{Labels, whole_number};
use crate::predict::PredictColumns;

/// A sparse model, ready to be applied.
#[derive(Clone, Debug)]
pub struct SparsePredictor {
    model: SparseModel,
}

impl SparsePredictor {
    /// The name of the column that predictions fill.
    pub const COLUMN: &str = "p_sparse";

    /// A model.
    #[must_use]
    pub fn new(model: SparseModel) -> Self {
        Self { model }
    }

    /// Starts to predict the rows of a file, which are read as they are asked
    /// for. Phase, offset and entries are where they were in the fit.
    ///
    /// # Errors
    /// If a column is missing.
    pub fn rows<'a>(
        &'a self,
        table: &'a SparseTable,
        columns: &PredictColumns,
    ) -> Result<SparseRows<'a>, Error> {
        let fitted = &self.model.source.columns;
        let mut shown: Vec<String> = Vec::new();
        let mut show = |name: Option<&String>| {
            let name = name?;
            Some(shown.iter().position(|other| other == name).unwrap_or_else(|| {
                shown.push(name.clone());
                shown.len() - 1
            }))
        };
        // A label that is not asked for is shown where there is one.
        show(Some(&fitted.label).filter(|name| table.has(name)));
        let label = show(columns.label.as_ref());
        let group = show(columns.group.as_ref().or(fitted.group.as_ref().filter(|g| table.has(g))));
        let phase = fitted.phase.as_ref().map(|name| columns.phase.as_ref().unwrap_or(name));
        show(phase);
        let mut cells: Vec<(String, bool)> =
            shown.iter().map(|name| (name.clone(), false)).collect();
        let mut number = |name: Option<&String>| {
            cells.push((name?.clone(), true));
            Some(cells.len() - 1)
        };
        let (phase, offset) = (number(phase), number(fitted.offset.as_ref()));
        let reader = table.read(&fitted.wanted(table, cells))?;
        Ok(SparseRows {
            predictor: self,
            table,
            reader,
            batch: None,
            shown,
            parts: [label, group, phase, offset],
            labels: Labels::default(),
            groups: Groups::default(),
            predictions: Vec::new(),
            unknown: 0,
        })
    }
}

/// A row with its prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct SparsePredictedRow {
    /// The cells named by [`SparseRows::shown`].
    pub texts: Vec<String>,
    /// P(W)
    pub probability: f64,
}

/// Predicted rows of a file.
pub struct SparseRows<'a> {
    predictor: &'a SparsePredictor,
    table: &'a SparseTable,
    reader: SparseReader,
    /// The batch being read, and the next row of it.
    batch: Option<(SparseBatch, usize)>,
    shown: Vec<String>,
    /// Places of label, group, phase and offset among the cells.
    parts: [Option<usize>; 4],
    labels: Labels,
    groups: Groups,
    predictions: Vec<Prediction>,
    unknown: u64,
}

impl SparseRows<'_> {
    /// Columns of the file that go with the predictions.
    #[must_use]
    pub fn shown(&self) -> &[String] {
        &self.shown
    }

    /// How good the predictions are, if there is a label to compare with.
    #[must_use]
    pub fn metrics(&self) -> Option<Metrics> {
        let meant = |p: &Prediction| Prediction { outcome: self.labels.share(p.outcome), ..*p };
        metrics(&self.predictions.iter().map(meant).collect::<Vec<_>>())
    }

    /// Rows that name an index beyond those of the model.
    #[must_use]
    pub fn unknown(&self) -> u64 {
        self.unknown
    }

    fn row(&mut self, batch: &SparseBatch, row: usize) -> Result<SparsePredictedRow, String> {
        let model = &self.predictor.model;
        let text = |cells: &Cells| cells.text()[row].clone();
        let texts: Vec<String> = batch.cells[..self.shown.len()].iter().map(text).collect();
        let [label, group, phase, offset] = self.parts;
        let number = |part: usize| batch.cells[part].numbers()[row];
        let phase = phase.map(|part| whole_number(number(part))).transpose()?.unwrap_or(0);
        let entries = batch.entries(row);
        let known = entries.last().is_none_or(|&(last, _)| (last as usize) < model.weights.len());
        self.unknown += u64::from(!known);
        let log_odds = offset.map_or(0.0, number) + model.log_odds(entries, phase);
        if let Some(label) = label {
            let outcome = self.labels.read(&texts[label])?;
            let group = group.map(|group| self.groups.number(&texts[group]));
            self.predictions.push(Prediction { phase, log_odds, outcome, weight: 1.0, group });
        }
        Ok(SparsePredictedRow { texts, probability: logistic(log_odds) })
    }
}

impl Iterator for SparseRows<'_> {
    type Item = Result<SparsePredictedRow, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (batch, row) = match self.batch.take() {
            Some(at) => at,
            None => match self.reader.next()? {
                Ok(batch) => (batch, 0),
                Err(error) => return Some(Err(error.into())),
            },
        };
        let predicted = self.row(&batch, row).map_err(|problem| Error::Row {
            path: self.table.path().to_path_buf(),
            place: batch.place(row),
            problem,
        });
        if row + 1 < batch.rows() {
            self.batch = Some((batch, row + 1));
        }
        Some(predicted)
    }
}
