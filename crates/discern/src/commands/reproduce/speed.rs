//! Step 3: how fast the search runs with each model.

use std::time::Duration;

use anyhow::{Context, Result};
use discern_board::{Board, Position};
use discern_eval::Weights;
use discern_report::decimal;
use discern_report::reproduction::Speed;
use discern_search::{Engine, Limits, Model, StopFlag, Timing};
use serde::{Deserialize, Serialize};

use super::engine::engine;
use super::folder::Folder;
use super::pace::Pace;
use super::paper::PLAYERS;
use super::steps::{Steps, bar};

/// What step 3 has found.
#[derive(Serialize, Deserialize)]
pub struct Measured {
    pub speed: Vec<Speed>,
    /// Seconds a side has for the paper's 30 minutes.
    pub seconds: f64,
}

const SPEED: &str = "speed.json";

/// Nodes of each search, and how often each position is searched.
const NODES: u64 = 150_000;
const ROUNDS: usize = 2;

/// Measures the speed, or takes what was measured before: the time of the
/// games may follow from it and must not change in the middle.
pub fn measure(
    weights: &Weights,
    probes: &[String],
    pace: Pace,
    folder: &mut Folder,
    steps: &mut Steps,
) -> Result<Measured> {
    const TITLE: &str = "speed of the search";
    if let Some(measured) = folder.load(SPEED)? {
        steps.was_done(TITLE);
        return Ok(measured);
    }
    steps.begin(TITLE);
    let boards: Result<Vec<Board>> = probes
        .iter()
        .map(|text| Ok(text.parse::<Position>().context("a position of a former part")?.board))
        .collect();
    let efforts = alternate(weights, &boards?)?;
    let speed = speeds(&efforts);
    let seconds = pace.seconds(speed[0].nodes_per_second);
    let measured = Measured { speed, seconds };
    folder.save(SPEED, &measured)?;
    folder.save_time()?;
    let quad = &measured.speed[2];
    steps.done(&format!(
        "LOG {} million nodes/s, QUAD {} % of it",
        decimal(measured.speed[0].nodes_per_second / 1e6, 2),
        decimal(100.0 * quad.relative, 0)
    ));
    Ok(measured)
}

/// Nodes and seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Effort {
    nodes: f64,
    seconds: f64,
}

/// Every position with every model in turn, so that whatever else the machine
/// does meets all of them alike; in processor time. Each position's efforts,
/// by model.
fn alternate(weights: &Weights, boards: &[Board]) -> Result<Vec<[Effort; 3]>> {
    let mut engines: Vec<Box<dyn Engine>> =
        PLAYERS.iter().map(|&model| engine(model, weights)).collect::<Result<_>>()?;
    let limits = Limits { nodes: Some(NODES), timing: Timing::Processor, ..Limits::default() };
    let bar = bar((ROUNDS * boards.len() * engines.len()) as u64, "searches");
    bar.set_message("LOG, FISHER and QUAD in turn");
    let mut efforts = vec![[Effort::default(); 3]; boards.len()];
    for round in 0..ROUNDS {
        for (place, board) in boards.iter().enumerate() {
            for turn in 0..engines.len() {
                let model = (turn + place + round) % engines.len();
                let engine = &mut engines[model];
                engine.forget();
                let report = engine.search(board, &limits, &StopFlag::new(), &mut |_| {});
                let effort = &mut efforts[place][model];
                effort.nodes += report.nodes as f64;
                effort.seconds += report.time.max(Duration::from_nanos(1)).as_secs_f64();
                bar.inc(1);
            }
        }
    }
    Ok(efforts)
}

/// Speeds and their ratios to LOG's, with intervals by leaving out one
/// position at a time (jackknife).
fn speeds(efforts: &[[Effort; 3]]) -> Vec<Speed> {
    let speed = |model: usize, without: Option<usize>| {
        let mut sum = Effort::default();
        for (_, effort) in efforts.iter().enumerate().filter(|(place, _)| Some(*place) != without) {
            sum.nodes += effort[model].nodes;
            sum.seconds += effort[model].seconds;
        }
        sum.nodes / sum.seconds
    };
    let ratio = |model, without| speed(model, without) / speed(0, without);
    let result = |(place, model): (usize, Model)| {
        let relative: f64 = ratio(place, None);
        let left: Vec<f64> = (0..efforts.len()).map(|out| ratio(place, Some(out))).collect();
        let n = left.len() as f64;
        let mean = left.iter().sum::<f64>() / n;
        let square = left.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let error = if efforts.len() > 1 { 1.96 * (square * (n - 1.0) / n).sqrt() } else { 0.0 };
        Speed {
            model: model.title().to_owned(),
            nodes_per_second: speed(place, None),
            relative,
            relative_interval: [relative - error, relative + error],
        }
    };
    PLAYERS.into_iter().enumerate().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_takes_a_quarter_longer_has_four_fifths_of_the_speed() {
        let effort = |seconds: f64| Effort { nodes: 1000.0, seconds };
        let wobble = |i: usize| 1.0 + 0.1 * (i % 3) as f64;
        let efforts: Vec<[Effort; 3]> = (0..30)
            .map(|i| [1.0, 1.0, 1.25 * wobble(i) / 1.1].map(|s| effort(s * 1e-3 * wobble(i))))
            .collect();
        let found = speeds(&efforts);
        assert_eq!((found[0].relative, found[0].relative_interval), (1.0, [1.0, 1.0]));
        let [low, high] = found[2].relative_interval;
        assert!(low < 0.8 && 0.8 < high && high - low < 0.1, "{found:?}");
        assert!((found[1].nodes_per_second - found[0].nodes_per_second).abs() < 1e-6);
    }
}
