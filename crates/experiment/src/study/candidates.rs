//! A candidate: fitted twice, to four fifths of the groups of games for the test
//! and to all of them to play.

use std::ops::RangeInclusive;

use discern_eval::{AnyEvaluator, FIRST_PHASE, LAST_PHASE, Weights};
use discern_learn::{
    ClassifiedPosition, Fit, FitSettings, discordance_gap, fit, held_out, quality,
};
use discern_stats::Measured;
use serde::{Deserialize, Serialize};

use super::{Result, kept};
use crate::diagonal::Judged;
use crate::error::{Doing, ExperimentError};
use crate::event::Event;
use crate::folder::Folder;
use crate::hash;

/// How good a candidate is on held-out positions of all phases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StudyQuality {
    /// Share of pairs of positions of one range of disc counts that it puts in
    /// the wrong order, the mean over the ranges by their positions.
    pub discordance: f64,
    /// Mean loss −ln P(what happened).
    pub log_loss: Measured,
    /// Mean square of P(W) less the outcome.
    pub brier: Measured,
    /// Bins of single disc counts that are beyond doubt more than five points
    /// off the diagonal, of how many.
    pub off: [usize; 2],
    /// How far the worst bin lies off.
    pub worst: f64,
    /// Mean of |P(one move deep) − P(static)| over the disc counts: do values of
    /// neighbouring phases mean the same?
    pub jump: f64,
}

/// What a candidate is to be.
pub(super) struct Wanted<'a> {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) fit: &'static Fit,
    /// Positions for the test fit and for the fit that plays.
    pub(super) training: &'a [ClassifiedPosition],
    pub(super) all: &'a [ClassifiedPosition],
}

/// A fitted candidate.
pub(super) struct Candidate {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) model: String,
    pub(super) training_positions: usize,
    pub(super) quality: StudyQuality,
    pub(super) gap: Option<Measured>,
    /// Those that play.
    pub(super) weights: Weights,
}

/// The candidates of a study.
pub(super) struct Candidates {
    pub(super) candidates: Vec<Candidate>,
    /// The place of the one that the others are measured by.
    pub(super) yardstick: usize,
    pub(super) test_positions: usize,
    pub(super) test: String,
}

/// What is kept of a candidate, and the hashes of its weights.
#[derive(Serialize, Deserialize)]
struct Kept {
    quality: StudyQuality,
    gap: Option<Measured>,
    playing: String,
    tested: String,
}

impl Candidate {
    pub(super) fn evaluator(&self) -> AnyEvaluator {
        self.weights.models()[0].evaluator()
    }
}

/// Fits and judges all candidates, the yardstick first.
pub(super) fn fit_all(
    wanted: &[Wanted],
    yardstick: usize,
    test: &[ClassifiedPosition],
    what: &str,
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Candidates> {
    let order = std::iter::once(yardstick).chain((0..wanted.len()).filter(|&p| p != yardstick));
    let mut found: Vec<Option<Candidate>> = wanted.iter().map(|_| None).collect();
    let mut judge: Option<AnyEvaluator> = None;
    for place in order {
        let (candidate, tested) = one(&wanted[place], judge.as_ref(), test, folder, watch)?;
        if place == yardstick {
            judge = Some(tested);
        }
        found[place] = Some(candidate);
    }
    Ok(Candidates {
        candidates: found.into_iter().flatten().collect(),
        yardstick,
        test_positions: test.len(),
        test: what.to_owned(),
    })
}

fn one(
    wanted: &Wanted,
    yardstick: Option<&AnyEvaluator>,
    test: &[ClassifiedPosition],
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<(Candidate, AnyEvaluator)> {
    let name = &wanted.name;
    let (file, playing, tested) = (
        format!("candidate-{name}.json"),
        format!("playing-{name}.weights"),
        format!("tested-{name}.weights"),
    );
    let candidate = |kept: Kept, weights: Weights| Candidate {
        name: wanted.name.clone(),
        title: wanted.title.clone(),
        description: wanted.description.clone(),
        model: wanted.fit.name.to_owned(),
        training_positions: wanted.training.len(),
        quality: kept.quality,
        gap: kept.gap,
        weights,
    };
    if let Some(found) = folder.load::<Kept>(&file)?
        && let Some(weights) = kept(folder, &playing, &found.playing)
        && let Some(test) = kept(folder, &tested, &found.tested)
    {
        return Ok((candidate(found, weights), test.models()[0].evaluator()));
    }
    watch(Event::Doing(&format!("{}: four fifths of the games", wanted.title)));
    let settings = FitSettings { models: vec![wanted.fit], ..FitSettings::default() };
    let fitted = |positions| {
        let fitted = fit(positions, &settings, "discern reproduce --study");
        Ok::<_, ExperimentError>(
            fitted.doing(|| format!("while fitting {}", wanted.title))?.weights,
        )
    };
    let trained = fitted(wanted.training)?;
    let evaluator = trained.models()[0].evaluator();
    watch(Event::Doing(&format!("{}: the other fifth", wanted.title)));
    let quality = judged(&evaluator, test)?;
    let gap = yardstick.and_then(|other| discordance_gap(other, &evaluator, test, &ranges(4)));
    watch(Event::Doing(&format!("{}: all games", wanted.title)));
    let weights = fitted(wanted.all)?;
    let write = |name: &str, weights: &Weights| -> Result<String> {
        let (path, bytes) = (folder.work(name), weights.to_bytes());
        discern_files::write(&path, &bytes, true).to_file(&path)?;
        Ok(hash(&bytes))
    };
    let found = Kept {
        quality,
        gap,
        playing: write(&playing, &weights)?,
        tested: write(&tested, &trained)?,
    };
    // The weights first: the candidate counts once all is there.
    folder.save(&file, &found)?;
    folder.save_time()?;
    Ok((candidate(found, weights), evaluator))
}

/// Ranges of this many disc counts.
fn ranges(discs: usize) -> Vec<RangeInclusive<usize>> {
    let range = |first: usize| first..=(first + discs - 1).min(LAST_PHASE);
    (FIRST_PHASE..=LAST_PHASE).step_by(discs).map(range).collect()
}

/// A disc count with fewer positions has no jump.
const LEAST_POSITIONS: usize = 100;

fn judged(evaluator: &AnyEvaluator, test: &[ClassifiedPosition]) -> Result<StudyQuality> {
    let none = || ExperimentError::TooFewGames("nothing is left for the test".to_owned());
    let all = held_out(evaluator, test).ok_or_else(none)?;
    let (mut sum, mut positions) = (0.0, 0.0);
    for phase in quality("", evaluator, test, &ranges(4)).phases {
        if let Some(discordance) = phase.metrics.discordance {
            sum += phase.metrics.rows * discordance.value;
            positions += phase.metrics.rows;
        }
    }
    let (mut bins, mut jumps) = (Judged::default(), Vec::new());
    for phase in quality("", evaluator, test, &ranges(1)).phases {
        let discs = [*phase.discs.start(), *phase.discs.end()];
        bins.add(discs, phase.metrics.rows, &phase.calibration);
        if phase.agreement.positions >= LEAST_POSITIONS {
            jumps.push(phase.agreement.mean.abs());
        }
    }
    let measured = |[value, standard_error]: [f64; 2]| Measured { value, standard_error };
    Ok(StudyQuality {
        discordance: sum / positions,
        log_loss: measured(all.log_loss),
        brier: measured(all.brier),
        off: [bins.off, bins.bins],
        worst: bins.worst.map_or(0.0, |(worst, _)| worst),
        jump: jumps.iter().sum::<f64>() / jumps.len().max(1) as f64,
    })
}
