//! The file of a sparse model: what `fit --sparse` writes and `predict` reads.

use std::io::{Read, Write};
use std::path::Path;

use discern_files::NewFile;
use discern_stats::sparse::{Intercept, MAX_WEIGHTS, SparseFit, intercept_of};
use serde::{Deserialize, Serialize};

use super::data::SparseColumns;
use super::report::SparseSettings;
use crate::data::free_memory;
use crate::error::Error;

const MAGIC: &[u8; 8] = b"DISCERNS";
const VERSION: u32 = 1;
/// Magic, version and BLAKE3 of the rest.
const HEAD: usize = 8 + 4 + 32;
/// No honest head is longer.
const LONGEST_HEAD: u32 = 1 << 24;
/// Weight, error and count.
const BYTES_PER_WEIGHT: u64 = 8 + 4 + 8;
/// Compression beyond this does not make these files smaller by a percent.
const LEVEL: i32 = 9;

/// A fitted sparse model. Weights and constants survive writing and reading to
/// the last bit; standard errors are kept in single precision.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseModel {
    /// Where the rows came from, and how they were fitted.
    pub source: SparseSource,
    /// The constants in the order of their phases.
    pub intercepts: Vec<Intercept>,
    /// The weight of each index, counted from 0.
    pub weights: Vec<f64>,
    /// Its standard error.
    pub errors: Vec<f32>,
    /// Weight of its rows.
    pub counts: Vec<f64>,
}

/// What a sparse model was fitted to, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SparseSource {
    /// The file.
    pub file: String,
    /// The parts of its columns.
    pub columns: SparseColumns,
    /// Σ weight of the rows.
    pub rows: f64,
    /// Trials per row.
    pub trials: f64,
    /// Ridge penalty.
    pub ridge: f64,
    /// Why the fit stopped.
    pub stop: String,
    /// What the errors allow for: `joint` or `conditional`.
    pub errors: String,
    /// log L
    pub log_likelihood: f64,
    /// Version of the program.
    pub discern: String,
}

/// The head of the content.
#[derive(Serialize, Deserialize)]
struct Head {
    source: SparseSource,
    /// Phase, value, error and count.
    intercepts: Vec<(Option<i32>, f64, f64, f64)>,
    weights: usize,
}

impl SparseModel {
    /// The model of a fit to this file, and how it was made.
    #[must_use]
    pub fn of(
        file: &Path,
        columns: SparseColumns,
        settings: &SparseSettings,
        fit: SparseFit,
    ) -> Self {
        let source = SparseSource {
            file: file.display().to_string(),
            columns,
            rows: fit.rows,
            trials: settings.model.trials.count(),
            ridge: settings.model.prior.ridge,
            stop: fit.stop.word().to_string(),
            errors: fit.error_kind.word().to_string(),
            log_likelihood: fit.log_likelihood,
            discern: env!("CARGO_PKG_VERSION").to_string(),
        };
        Self {
            source,
            intercepts: fit.intercepts,
            weights: fit.weights,
            errors: fit.errors.into_iter().map(|error| error as f32).collect(),
            counts: fit.counts,
        }
    }

    /// Whether a file says that it is one of these.
    #[must_use]
    pub fn is_one(path: &Path) -> bool {
        let mut magic = [0; MAGIC.len()];
        let file = discern_files::open(path);
        file.and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == *MAGIC
    }

    /// The log-odds of a row without an offset; an index without a weight
    /// counts as 0.
    #[must_use]
    pub fn log_odds(&self, entries: &[(u32, f64)], phase: i32) -> f64 {
        let weight = |index: u32| self.weights.get(index as usize).copied().unwrap_or(0.0);
        let sum: f64 = entries.iter().map(|&(index, value)| value * weight(index)).sum();
        intercept_of(&self.intercepts, phase) + sum
    }

    /// The file as bytes.
    ///
    /// # Errors
    /// If the compression fails.
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let intercept = |i: &Intercept| (i.phase, i.value, i.error, i.count);
        let head = serde_json::to_vec(&Head {
            source: self.source.clone(),
            intercepts: self.intercepts.iter().map(intercept).collect(),
            weights: self.weights.len(),
        })?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([0; 32]);
        let mut frame = zstd::Encoder::new(bytes, LEVEL)?;
        frame.write_all(&(head.len() as u32).to_le_bytes())?;
        frame.write_all(&head)?;
        for column in [&self.weights, &self.counts] {
            for part in column.chunks(4096) {
                frame.write_all(&part.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())?;
            }
        }
        for part in self.errors.chunks(4096) {
            frame.write_all(&part.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())?;
        }
        let mut bytes = frame.finish()?;
        let hash = blake3::hash(&bytes[HEAD..]);
        bytes[HEAD - 32..HEAD].copy_from_slice(hash.as_bytes());
        Ok(bytes)
    }

    /// Writes a file whole or not at all: as CSV if its name ends in `.csv`.
    ///
    /// # Errors
    /// If it cannot be written, or exists and must not be replaced.
    pub fn save(&self, path: &Path, force: bool) -> std::io::Result<()> {
        let mut file = NewFile::create(path, force)?;
        match path.extension().is_some_and(|end| end.eq_ignore_ascii_case("csv")) {
            true => self.write_csv(&mut file)?,
            false => file.write_all(&self.to_bytes()?)?,
        }
        file.finish()
    }

    /// Reads and checks a file.
    ///
    /// # Errors
    /// If it cannot be read, is no such file of this version, or is damaged.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let most = MAX_WEIGHTS as u64 * BYTES_PER_WEIGHT;
        let bytes = discern_files::read(path, most)
            .map_err(|error| Error::file(path, error.to_string()))?;
        Self::decode(&bytes).map_err(|problem| Error::file(path, problem))
    }

    /// Reads and checks the bytes of a file, or says what they are.
    ///
    /// # Errors
    /// If it is no such file of this version, or damaged.
    pub fn decode(bytes: &[u8]) -> Result<Self, String> {
        let Some((head, rest)) = bytes.split_at_checked(HEAD).filter(|b| b.0.starts_with(MAGIC))
        else {
            return Err("is not a sparse model of `discern fit --sparse`".to_string());
        };
        let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if version != VERSION {
            return Err(format!("has version {version}, this program reads {VERSION}"));
        }
        if blake3::hash(rest).as_bytes() != &head[12..] {
            return Err("is damaged: its content does not have the hash it should".to_string());
        }
        Self::content(rest).map_err(|problem| format!("is damaged: {problem}"))
    }

    fn content(frame: &[u8]) -> Result<Self, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut frame = zstd::Decoder::new(frame).map_err(text)?;
        let mut length = [0; 4];
        frame.read_exact(&mut length).map_err(text)?;
        let length = u32::from_le_bytes(length);
        if length > LONGEST_HEAD {
            return Err(format!("its head has {length} bytes"));
        }
        let mut head = vec![0; length as usize];
        frame.read_exact(&mut head).map_err(text)?;
        let head: Head = serde_json::from_slice(&head).map_err(|error| error.to_string())?;
        let needed = (head.weights as u64).saturating_mul(BYTES_PER_WEIGHT);
        if head.weights > MAX_WEIGHTS || free_memory().is_some_and(|free| needed > free as u64) {
            return Err(format!("{} weights do not fit into the free memory", head.weights));
        }
        let weights = column(&mut frame, head.weights, f64::from_le_bytes).map_err(text)?;
        let counts = column(&mut frame, head.weights, f64::from_le_bytes).map_err(text)?;
        let errors = column(&mut frame, head.weights, f32::from_le_bytes).map_err(text)?;
        if frame.read(&mut [0]).map_err(text)? > 0 {
            return Err("there is more than its head announces".to_string());
        }
        let constants = head.intercepts.iter().map(|intercept| &intercept.1);
        if !weights.iter().chain(constants).all(|weight| weight.is_finite()) {
            return Err("a weight is not a finite number".to_string());
        }
        let intercept = |(phase, value, error, count)| Intercept { phase, value, error, count };
        let intercepts: Vec<_> = head.intercepts.into_iter().map(intercept).collect();
        Ok(Self { source: head.source, intercepts, weights, errors, counts })
    }

    /// Writes index, weight, error and count of each weight that has one, as
    /// CSV; constants come first. The shortest digits that bring back the bits.
    ///
    /// # Errors
    /// If the output refuses the bytes.
    pub fn write_csv(&self, mut output: impl Write) -> std::io::Result<()> {
        writeln!(output, "index,weight,error,count")?;
        for Intercept { phase, value, error, count } in &self.intercepts {
            let phase = phase.map_or(String::new(), |phase| format!(" {phase}"));
            writeln!(output, "(intercept{phase}),{value},{error},{count}")?;
        }
        let first = self.source.columns.first_index() as usize;
        for (at, weight) in self.weights.iter().enumerate() {
            let (error, count) = (self.errors[at], self.counts[at]);
            writeln!(output, "{},{weight},{error},{count}", at + first)?;
        }
        Ok(())
    }
}

/// Some numbers, read piece by piece: a file that lies about their number ends
/// before the memory does.
fn column<T, const N: usize>(
    input: &mut impl Read,
    count: usize,
    of: fn([u8; N]) -> T,
) -> std::io::Result<Vec<T>> {
    let mut values = Vec::new();
    let mut bytes = vec![0; N * 4096];
    while values.len() < count {
        let part = &mut bytes[..N * (count - values.len()).min(4096)];
        input.read_exact(part)?;
        values.extend(part.as_chunks().0.iter().map(|word| of(*word)));
    }
    Ok(values)
}
