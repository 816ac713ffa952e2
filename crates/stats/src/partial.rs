//! Fits of rows that lie in many places, more of them than one machine holds.
//!
//! Each place is asked for sums over its own rows: a [`Pass`] goes there, a
//! [`PartSums`] comes back, both plain data of a few kilobytes for each phase.
//! The sums of all places, added up in their order, are those of one pass over
//! all rows but for rounding, and so are the fits made from them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{DataError, FitError};
use crate::examples::{Blocks, Examples};
use crate::labels::Trials;
use crate::logistic::{Evaluation, PhaseTotals, Request, Totals, Wish, sums};
use crate::moments::{Moments, PhaseMoments};
use crate::pass::{Threads, merged};
use crate::phases::PhaseRange;
use crate::tile::Standard;

/// What every part of the rows is asked to sum up.
///
/// ```
/// use discern_stats::{
///     Dataset, Estimator, Example, Fit, Gathered, Logistic, Pass, Threads, Trials,
/// };
///
/// let rows = [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5), (1.0, 0.0)];
/// let data = |rows: &[(f64, f64)]| {
///     let mut data = Dataset::builder(["mobility"]);
///     rows.iter().for_each(|(x, y)| data.push(&Example::new(&[*x], *y)).unwrap());
///     data.finish()
/// };
/// let parts = [data(&rows[..2]), data(&rows[2..])];
/// let ask = |pass: &Pass| -> Vec<_> {
///     parts.iter().map(|part| pass.sum(part, Threads::ONE).unwrap()).collect()
/// };
/// let log = Logistic::default();
/// let gathered = Gathered::new(ask(&Pass::moments(log.trials)))?;
/// let mut steps = log.steps(&gathered, None)?;
/// while let Some(pass) = steps.request() {
///     steps.advance(ask(&pass))?;
/// }
/// let (_, fit) = steps.finish().pop().unwrap();
/// let whole = log.fit(&data(&rows))?;
/// for (a, b) in fit?.coefficients().iter().zip(whole.coefficients()) {
///     assert!((a - b).abs() < 1e-12);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use]
pub struct Pass(Question);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Question {
    Moments { trials: Trials },
    Steps { trials: Trials, standard: Standard, steps: Vec<Step> },
}

/// Sums that a fit wants: at β, or those of the paper's start without one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) range: PhaseRange,
    pub(crate) beta: Option<Vec<f64>>,
}

/// What one part answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
#[must_use]
pub struct PartSums(Answer);

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Moments { features: Vec<String>, phases: Vec<PhaseSums> },
    Steps(Vec<Option<Evaluation>>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct PhaseSums {
    phase: i32,
    moments: Moments,
    totals: Totals,
}

impl Pass {
    /// The first pass, with which every fit begins: moments and labels.
    pub fn moments(trials: Trials) -> Self {
        Self(Question::Moments { trials })
    }

    pub(crate) fn steps(trials: Trials, standard: &Standard, steps: Vec<Step>) -> Self {
        Self(Question::Steps { trials, standard: standard.clone(), steps })
    }

    /// The sums over these rows, which may be none.
    ///
    /// # Errors
    /// If the rows cannot be read, have no outcome, or are not those of the
    /// first pass.
    pub fn sum(&self, examples: &dyn Examples, threads: Threads) -> Result<PartSums, FitError> {
        let answer = match &self.0 {
            &Question::Moments { trials } => {
                let moments = PhaseMoments::collect_part(examples, threads)?;
                let totals = PhaseTotals::collect(examples, trials, threads)?;
                let sums = |(phase, moments): (i32, Moments)| {
                    let totals = totals.pooled(PhaseRange { first: phase, last: phase });
                    PhaseSums { phase, moments, totals }
                };
                let phases = moments.into_phases().map(sums).collect();
                Answer::Moments { features: examples.features().to_vec(), phases }
            }
            Question::Steps { trials, standard, steps } => {
                check_columns(standard.scale.len(), examples.features().len())?;
                let wishes: Vec<Wish<usize>> = steps
                    .iter()
                    .enumerate()
                    .map(|(key, step)| {
                        let request = step.beta.as_deref().map_or(Request::Start, Request::At);
                        Wish { key, range: step.range, request }
                    })
                    .collect();
                let mut found = sums(examples, *trials, threads, standard, &wishes)?;
                Answer::Steps((0..steps.len()).map(|key| found.remove(&key)).collect())
            }
        };
        Ok(PartSums(answer))
    }
}

fn check_columns(expected: usize, found: usize) -> Result<(), FitError> {
    match expected == found {
        true => Ok(()),
        false => Err(DataError::FeatureCount { expected, found }.into()),
    }
}

/// Answers of the wrong kind, or of other rows.
pub(crate) fn unexpected(what: &str) -> FitError {
    DataError::Read(format!("the parts do not fit together: {what}")).into()
}

/// The moments and labels of all parts: all that FISHER and QUAD need, and what
/// LOG begins with.
pub struct Gathered {
    features: Vec<String>,
    pub(crate) moments: PhaseMoments,
    pub(crate) totals: PhaseTotals,
}

impl Gathered {
    /// Adds up the answers to [`Pass::moments`], in the order of the parts.
    ///
    /// # Errors
    /// If the parts have different features, or there is no row at all.
    pub fn new(parts: impl IntoIterator<Item = PartSums>) -> Result<Self, FitError> {
        let mut names: Option<Vec<String>> = None;
        let mut by_phase: BTreeMap<i32, Vec<(Moments, Totals)>> = BTreeMap::new();
        for part in parts {
            let Answer::Moments { features, phases } = part.0 else {
                return Err(unexpected("these are not moments"));
            };
            if names.get_or_insert_with(|| features.clone()) != &features {
                return Err(unexpected(&format!("features {}", features.join(", "))));
            }
            for PhaseSums { phase, moments, totals } in phases {
                by_phase.entry(phase).or_default().push((moments, totals));
            }
        }
        let features = names.ok_or(FitError::NoRows)?;
        let (mut moments, mut totals) = (BTreeMap::new(), BTreeMap::new());
        for (phase, parts) in by_phase {
            let (of_rows, of_labels): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            moments.extend(merged(of_rows).map(|sum| (phase, sum)));
            totals.extend(merged(of_labels).map(|sum| (phase, sum)));
        }
        if moments.is_empty() {
            return Err(FitError::NoRows);
        }
        let (moments, totals) = (PhaseMoments::from_phases(moments), PhaseTotals::new(totals));
        Ok(Self { features, moments, totals })
    }

    /// The moments of each phase.
    pub fn moments(&self) -> &PhaseMoments {
        &self.moments
    }
}

/// The moments stand for the rows: enough for every fit in closed form whose
/// errors need no further pass.
impl Examples for Gathered {
    fn features(&self) -> &[String] {
        &self.features
    }

    fn blocks(&self) -> Blocks<'_> {
        Box::new(std::iter::empty())
    }

    fn moments(&self) -> Option<&PhaseMoments> {
        Some(&self.moments)
    }
}

/// Adds up what the parts found at each step.
pub(crate) fn merge_steps(
    parts: impl IntoIterator<Item = PartSums>,
    steps: usize,
) -> Result<Vec<Option<Evaluation>>, FitError> {
    let mut found: Vec<Vec<Evaluation>> = vec![Vec::new(); steps];
    for part in parts {
        match part.0 {
            Answer::Steps(sums) if sums.len() == steps => {
                found.iter_mut().zip(sums).for_each(|(found, sums)| found.extend(sums));
            }
            _ => return Err(unexpected("these are not the sums that were asked for")),
        }
    }
    Ok(found.into_iter().map(merged).collect())
}
