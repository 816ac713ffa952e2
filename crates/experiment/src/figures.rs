//! Figures 1 and 2 from held-out positions, with features by tables that
//! these positions did not fill.

use std::ops::RangeInclusive;

use discern_eval::{Basis, Feature, Features};
use discern_learn::ClassifiedPosition;
use discern_stats::{
    Bins, Dataset, ErrorKind, Estimator, Example, Logistic, PhaseRange, Predict, Prediction,
    Threads, Trials, calibration, class_histogram,
};

use crate::error::{Doing, ExperimentError};
use crate::{Densities, DensityBin, ShareBin, WinningCurve};

type Result<T> = std::result::Result<T, ExperimentError>;

/// Disc counts of the figures: the middle of the game, where features tell
/// much and results are labelled reliably.
const DISCS: RangeInclusive<usize> = 34..=38;

/// Standard deviations from the mean that a figure shows to either side.
const REACH: f64 = 3.5;
const MOST_BINS: f64 = 40.0;
const CURVE_POINTS: u32 = 100;
const CONFIDENCE: f64 = 0.95;
/// A bin with fewer positions says nothing.
const LEAST_POSITIONS: usize = 20;

/// A held-out position of the figures.
pub struct Point {
    features: Vec<f64>,
    outcome: f64,
    group: u32,
}

/// The held-out positions that the figures show.
pub fn points(basis: &Basis, test: &[ClassifiedPosition]) -> Vec<Point> {
    let point = |position: &ClassifiedPosition| {
        let discs = position.board.discs() as usize;
        DISCS.contains(&discs).then(|| Point {
            features: basis.values(&position.board),
            outcome: position.points(),
            group: position.group,
        })
    };
    test.iter().filter_map(point).collect()
}

/// One feature of the positions.
struct Values<'a> {
    feature: Feature,
    /// Of the feature among those of the points.
    place: usize,
    points: &'a [Point],
    mean: f64,
    deviation: f64,
}

/// Figure 1: mobility in won and in lost positions.
pub fn densities(features: &Features, points: &[Point]) -> Result<Densities> {
    let mobility = Feature::named("MOB").expect("the paper's first feature");
    let values = Values::new(points, features, mobility)?;
    let (low, high, count) = values.bins();
    let data = values.dataset()?;
    let histogram =
        class_histogram(&data, PhaseRange::ALL, (low, high), count, Threads::ONE, |_, x| x[0])
            .doing(|| "while counting for Figure 1".to_owned())?;
    let [won, lost] = [&histogram.won, &histogram.lost].map(|counts| {
        let area = counts.iter().sum::<f64>() * histogram.width();
        counts.iter().map(|count| count / area.max(f64::MIN_POSITIVE)).collect::<Vec<f64>>()
    });
    let bin = |bin: usize| {
        let (won, lost) = (won[bin], lost[bin]);
        let probability = (won + lost > 0.0).then(|| won / (won + lost));
        DensityBin { x: histogram.middle(bin), won, lost, probability }
    };
    Ok(Densities {
        feature: values.feature.name().to_owned(),
        discs: [*DISCS.start(), *DISCS.end()],
        bins: (0..count).map(bin).collect(),
    })
}

/// Figure 2: the share of wins against the pattern feature that tells most,
/// with the curve of a logistic regression on it alone.
pub fn winning_curve(features: &Features, points: &[Point]) -> Result<WinningCurve> {
    let patterns = features.iter().copied().filter(|feature| feature.pattern().is_some());
    let values = |feature| Values::new(points, features, feature);
    let all: Result<Vec<Values>> = patterns.map(values).collect();
    let values = all?
        .into_iter()
        .max_by(|a, b| a.separation().total_cmp(&b.separation()))
        .expect("there are pattern features");
    let (low, high, count) = values.bins();
    let width = (high - low) / count as f64;
    let mut bins = Vec::new();
    for bin in 0..count {
        let range = low + bin as f64 * width..low + (bin + 1) as f64 * width;
        let inside: Vec<Prediction> = points
            .iter()
            .filter(|point| range.contains(&values.x(point)))
            .map(|point| Prediction {
                phase: 0,
                log_odds: values.x(point),
                outcome: point.outcome,
                weight: 1.0,
                group: Some(point.group),
            })
            .collect();
        if inside.len() < LEAST_POSITIONS {
            continue;
        }
        // One bin of any width: its share with an interval by game.
        let share = calibration(&inside, Bins::EqualWeight(1), CONFIDENCE)[0];
        bins.push(ShareBin {
            x: inside.iter().map(|p| p.log_odds).sum::<f64>() / inside.len() as f64,
            observed: share.observed,
            interval: [share.interval.0, share.interval.1],
            positions: share.weight,
        });
    }
    let errors = ErrorKind::Information;
    let settings = Logistic { trials: Trials::One, errors, ..Logistic::default() };
    let fit = settings
        .fit(&values.dataset()?)
        .doing(|| "while fitting the curve of Figure 2".to_owned())?;
    let point = |i: u32| {
        let x = low + (high - low) * f64::from(i) / f64::from(CURVE_POINTS);
        [x, fit.probability(&[x])]
    };
    Ok(WinningCurve {
        feature: values.feature.name().to_owned(),
        discs: [*DISCS.start(), *DISCS.end()],
        bins,
        curve: (0..=CURVE_POINTS).map(point).collect(),
    })
}

impl Values<'_> {
    fn new<'a>(points: &'a [Point], features: &Features, feature: Feature) -> Result<Values<'a>> {
        let place = features.place(feature).expect("one of the features");
        let count = points.len() as f64;
        let x = |point: &Point| point.features[place];
        let mean = points.iter().map(x).sum::<f64>() / count;
        let variance = points.iter().map(|p| (x(p) - mean).powi(2)).sum::<f64>() / count;
        if variance.is_nan() || variance <= 0.0 {
            return Err(ExperimentError::TooFewGames(format!(
                "the figures need held-out positions of {} to {} discs, and there are {}",
                DISCS.start(),
                DISCS.end(),
                points.len()
            )));
        }
        Ok(Values { feature, place, points, mean, deviation: variance.sqrt() })
    }

    fn x(&self, point: &Point) -> f64 {
        point.features[self.place]
    }

    /// How far apart won and lost positions lie, in standard deviations.
    fn separation(&self) -> f64 {
        let mean = |weight: fn(&Point) -> f64| {
            let total: f64 = self.points.iter().map(weight).sum();
            self.points.iter().map(|point| weight(point) * self.x(point)).sum::<f64>() / total
        };
        let apart = mean(|point| point.outcome) - mean(|point| 1.0 - point.outcome);
        apart.abs() / self.deviation
    }

    /// Bounds and number of bins. Those of a count of moves hold as many whole
    /// numbers each, or every other bin would stick out.
    fn bins(&self) -> (f64, f64, usize) {
        let (low, high) = (self.mean - REACH * self.deviation, self.mean + REACH * self.deviation);
        if self.feature.pattern().is_some() {
            return (low, high, MOST_BINS as usize);
        }
        let low = low.round() - 0.5;
        let width = ((high - low) / MOST_BINS).ceil();
        let count = ((high - low) / width).ceil();
        (low, low + count * width, count as usize)
    }

    fn dataset(&self) -> Result<Dataset> {
        let mut data = Dataset::builder([self.feature.name()]);
        for point in self.points {
            let features = [self.x(point)];
            let example = Example::new(&features, point.outcome);
            data.push(&Example { group: Some(point.group), ..example })
                .doing(|| "while collecting the points of a figure".to_owned())?;
        }
        Ok(data.finish())
    }
}
