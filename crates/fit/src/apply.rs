//! A model file of either kind, applied to a file of rows.

use std::io::Write;
use std::path::Path;

use discern_stats::Metrics;
use discern_table::{RowWriter, SparseTable, Table};

use crate::error::Error;
use crate::model_file::ModelFile;
use crate::predict::{PredictColumns, Predictor};
use crate::sparse::{SparseModel, SparsePredictor};

/// The models of a file that `fit` or `fit --sparse` wrote.
pub enum AnyPredictor {
    /// Models of columns.
    Dense(Predictor),
    /// A model of sparse rows.
    Sparse(Box<SparsePredictor>),
}

/// What there is to say once all rows are predicted.
#[derive(Clone, Debug)]
pub struct Applied {
    /// What is doubtful, a sentence each.
    pub doubts: Vec<String>,
    /// How good each model is, if there is a label to compare with.
    pub metrics: Vec<(&'static str, Metrics)>,
}

impl AnyPredictor {
    /// Reads a model file: all models of it, or the wanted ones.
    ///
    /// # Errors
    /// If it cannot be used, or a wanted model is not there.
    pub fn open(path: &Path, wanted: &[String]) -> Result<Self, Error> {
        if !SparseModel::is_one(path) {
            let dense = Predictor::new(&ModelFile::read(path)?, wanted);
            return dense.map(Self::Dense).map_err(|problem| Error::file(path, problem));
        }
        if let Some(name) = wanted.iter().find(|name| *name != "sparse") {
            return Err(Error::file(path, format!("has no model '{name}'")));
        }
        Ok(Self::Sparse(Box::new(SparsePredictor::new(SparseModel::read(path)?))))
    }

    /// Writes the rows of a file with the probabilities behind them, as CSV or
    /// as JSON Lines.
    ///
    /// # Errors
    /// If the file cannot be used, or the output fails.
    pub fn apply(
        &self,
        file: &Path,
        columns: &PredictColumns,
        out: &mut dyn Write,
        json: bool,
    ) -> Result<Applied, Error> {
        match self {
            Self::Dense(predictor) => {
                let table = Table::open(file)?;
                let mut rows = predictor.rows(&table, columns)?;
                let mut header = table.columns().to_vec();
                header.extend(predictor.columns());
                let mut out = RowWriter::new(out, header, json)?;
                for batch in &mut rows {
                    let batch = batch?;
                    for (row, added) in batch.added.iter().enumerate() {
                        out.write(batch.texts(row), added)?;
                    }
                }
                out.finish()?;
                let sentence = "rows are of phases without a model; the nearest phase was used";
                let doubts = doubt(rows.foreign_phases(), sentence);
                let metrics = columns.label.as_ref().map_or_else(Vec::new, |_| rows.metrics());
                Ok(Applied { doubts, metrics })
            }
            Self::Sparse(predictor) => {
                let table = SparseTable::open(file)?;
                let mut rows = predictor.rows(&table, columns)?;
                let mut header = rows.shown().to_vec();
                header.push(SparsePredictor::COLUMN.to_string());
                let mut out = RowWriter::new(out, header, json)?;
                for row in &mut rows {
                    let row = row?;
                    out.write(row.texts.iter().map(String::as_str), &[row.probability])?;
                }
                out.finish()?;
                let sentence = "rows name indices beyond those of the model, which count as 0";
                let metrics = rows.metrics().map(|metrics| ("sparse", metrics));
                let doubts = doubt(rows.unknown(), sentence);
                Ok(Applied { doubts, metrics: metrics.into_iter().collect() })
            }
        }
    }
}

fn doubt(rows: u64, sentence: &str) -> Vec<String> {
    (rows > 0).then(|| format!("{rows} {sentence}")).into_iter().collect()
}
