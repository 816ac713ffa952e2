//! How much of a loss is left when the search goes much deeper.
//!
//! Reads games, one transcript a line; compares moves played with the best
//! ones and prints, by depth, how far the loss that three
//! depths agree on lies above the loss that the deepest search finds, in units
//! of the evaluator's spread. The margin of a review comes from here.
//!
//! ```text
//! cargo run --release -p discern-review --example stray -- GAMES.txt DEPTH COMPARISONS
//! ```

use std::collections::BTreeMap;

use discern_board::{Game, Move};
use discern_eval::{Evaluator, STRONGEST, evaluator};
use discern_review::{EngineSearch, Search};
use discern_search::{Certainty, Limits, Options, StopFlag, engine};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, depth, wanted] = &args[..] else {
        return Err("the file of games, the greatest depth and how many comparisons".into());
    };
    let (depth, wanted): (u32, usize) = (depth.parse()?, wanted.parse()?);
    let text = std::fs::read_to_string(file)?;
    let games: Vec<Game> = text.lines().filter_map(|line| line.trim().parse().ok()).collect();
    let judge = evaluator(STRONGEST, Some(discern_data::weights()))?;
    let mut searcher = engine(judge.clone(), Options { threads: 1, table_mebibytes: 64 })?;
    let stop = StopFlag::new();
    let limits = Limits { selective: true, ..Limits::depth(depth) };
    let mut strays: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    let mut done = 0;
    for (number, game) in games.iter().enumerate() {
        // One move of each game, so that no game counts twice.
        let Some(ply) = game.plies().get(number * 7 % 44) else { continue };
        let board = ply.before.board;
        if ply.mv == Move::Pass || board.moves().count() < 2 || board.empties() < depth + 2 {
            continue;
        }
        let mut search = EngineSearch { engine: searcher.as_mut(), limits, stop: &stop };
        let Some(steps) = search.compare(&board, ply.mv) else { continue };
        let losses: BTreeMap<u32, f64> = steps
            .iter()
            .filter(|step| !step.best.is_proven() && !step.played.is_proven())
            .filter_map(|step| match step.best.certainty {
                Certainty::Depth(depth) => {
                    Some((depth, step.best.value.log_odds() - step.played.value.log_odds()))
                }
                _ => None,
            })
            .collect();
        let spread = f64::from(judge.spread(board.discs()).ok_or("no spread")?) / 1000.0;
        let at = |depth: u32| losses.get(&depth).map(|loss| loss.max(0.0));
        let Some(deepest) = at(depth).zip(at(depth - 1)).map(|(one, other)| (one + other) / 2.0)
        else {
            continue;
        };
        for shallow in 4..depth - 3 {
            let last: Vec<f64> = (shallow - 2..=shallow).filter_map(at).collect();
            let agreed = last.iter().copied().fold(f64::INFINITY, f64::min);
            if last.len() == 3 && agreed > 0.0 {
                strays.entry(shallow).or_default().push((agreed - deepest) / spread);
            }
        }
        done += 1;
        if done == wanted {
            break;
        }
    }
    println!("{done} comparisons, the deepest to {depth} plies");
    for (shallow, mut strays) in strays {
        strays.sort_by(f64::total_cmp);
        let count = strays.len();
        let quantile = |share: f64| strays[((count - 1) as f64 * share) as usize];
        let within = strays.iter().filter(|&&stray| stray <= 0.75).count();
        println!(
            "depth {shallow}: {count} losses, {:.1} % within 0.75, nine in ten below {:.2}, \
             19 in 20 below {:.2}",
            100.0 * within as f64 / count as f64,
            quantile(0.9),
            quantile(0.95)
        );
    }
    Ok(())
}
