//! Step 3: how fast the search runs with each model.

use std::time::Duration;

use discern_board::{Board, Position};
use discern_eval::AnyEvaluator;
use discern_search::{Engine, Limits, StopFlag, Timing};
use serde::{Deserialize, Serialize};

use crate::error::{Doing, ExperimentError};
use crate::event::{Event, Facts, Step};
use crate::folder::Folder;
use crate::models::{Models, engine, title};
use crate::paper::PLAYERS;
use crate::{Allowance, Pace, Speed};

type Result<T> = std::result::Result<T, ExperimentError>;

/// What step 3 has found.
#[derive(Serialize, Deserialize)]
pub struct Measured {
    pub speed: Vec<Speed>,
    /// What a side has for the paper's 30 minutes.
    pub thirty_minutes: Allowance,
}

const SPEED: &str = "speed.json";

/// How often each position is searched.
const ROUNDS: usize = 2;

/// Measures the speed, or takes what was measured before: the time of the
/// games may follow from it and must not change in the middle.
pub fn measure(
    models: &Models,
    probes: &[String],
    nodes: u64,
    pace: Pace,
    folder: &mut Folder,
    watch: &mut dyn FnMut(Event),
) -> Result<Measured> {
    if let Some(measured) = folder.load(SPEED)? {
        watch(Event::Kept(Step::Speed));
        return Ok(measured);
    }
    watch(Event::Begun(Step::Speed));
    let board = |text: &String| text.parse::<Position>().map(|position| position.board);
    let boards: std::result::Result<Vec<Board>, _> = probes.iter().map(board).collect();
    let boards = boards.doing(|| "a position of a former part".to_owned())?;
    let players: Vec<(String, AnyEvaluator)> = PLAYERS
        .iter()
        .map(|model| Ok((title(model), models.evaluator(model)?)))
        .collect::<Result<_>>()?;
    let speed = speeds_of(&players, &boards, nodes, watch)?;
    let thirty_minutes = pace.allowance(speed[0].nodes_per_second);
    let measured = Measured { speed, thirty_minutes };
    folder.save(SPEED, &measured)?;
    folder.save_time()?;
    watch(Event::Done(Facts::Speed(&measured.speed)));
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
fn alternate(
    players: &[(String, AnyEvaluator)],
    boards: &[Board],
    nodes: u64,
    watch: &mut dyn FnMut(Event),
) -> Result<Vec<Vec<Effort>>> {
    let mut engines: Vec<Box<dyn Engine>> =
        players.iter().map(|(_, evaluator)| engine(evaluator.clone())).collect::<Result<_>>()?;
    let limits = Limits { nodes: Some(nodes), timing: Timing::Processor, ..Limits::default() };
    let titles: Vec<&str> = players.iter().map(|(title, _)| title.as_str()).collect();
    let what = format!("{} in turn", titles.join(", "));
    let (mut done, of) = (0, (ROUNDS * boards.len() * engines.len()) as u64);
    let mut efforts = vec![vec![Effort::default(); engines.len()]; boards.len()];
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
                done += 1;
                watch(Event::Counted { unit: "searches", what: &what, done, of });
            }
        }
    }
    Ok(efforts)
}

/// The speed of the search with each of these evaluators, by what people call
/// them.
pub fn speeds_of(
    players: &[(String, AnyEvaluator)],
    boards: &[Board],
    nodes: u64,
    watch: &mut dyn FnMut(Event),
) -> Result<Vec<Speed>> {
    let efforts = alternate(players, boards, nodes, watch)?;
    let titles: Vec<&str> = players.iter().map(|(title, _)| title.as_str()).collect();
    Ok(speeds(&titles, &efforts))
}

/// Speeds and their ratios to the first model's, with intervals by leaving out one
/// position at a time (jackknife).
fn speeds(players: &[&str], efforts: &[Vec<Effort>]) -> Vec<Speed> {
    let speed = |model: usize, without: Option<usize>| {
        let mut sum = Effort::default();
        for (_, effort) in efforts.iter().enumerate().filter(|(place, _)| Some(*place) != without) {
            sum.nodes += effort[model].nodes;
            sum.seconds += effort[model].seconds;
        }
        sum.nodes / sum.seconds
    };
    let ratio = |model, without| speed(model, without) / speed(0, without);
    let result = |(place, model): (usize, &&str)| {
        let relative: f64 = ratio(place, None);
        let left: Vec<f64> = (0..efforts.len()).map(|out| ratio(place, Some(out))).collect();
        let n = left.len() as f64;
        let mean = left.iter().sum::<f64>() / n;
        let square = left.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        let error = if efforts.len() > 1 { 1.96 * (square * (n - 1.0) / n).sqrt() } else { 0.0 };
        Speed {
            model: (*model).to_owned(),
            nodes_per_second: speed(place, None),
            relative,
            relative_interval: [relative - error, relative + error],
        }
    };
    players.iter().enumerate().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_takes_a_quarter_longer_has_four_fifths_of_the_speed() {
        let effort = |seconds: f64| Effort { nodes: 1000.0, seconds };
        let wobble = |i: usize| 1.0 + 0.1 * (i % 3) as f64;
        let efforts: Vec<Vec<Effort>> = (0..30)
            .map(|i| {
                [1.0, 1.0, 1.25 * wobble(i) / 1.1].map(|s| effort(s * 1e-3 * wobble(i))).into()
            })
            .collect();
        let found = speeds(&PLAYERS, &efforts);
        assert_eq!((found[0].relative, found[0].relative_interval), (1.0, [1.0, 1.0]));
        let [low, high] = found[2].relative_interval;
        assert!(low < 0.8 && 0.8 < high && high - low < 0.1, "{found:?}");
        assert!((found[1].nodes_per_second - found[0].nodes_per_second).abs() < 1e-6);
    }
}
