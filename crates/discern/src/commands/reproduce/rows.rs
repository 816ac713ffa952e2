//! What the games say: Table 1, balanced openings, time factors.

use discern_arena::stats::{self, HandicapMatch, Pair, Summary};
use discern_report::reproduction::{EqualStrength, FactorPoint, MatchRow, Tally};
use discern_search::Model;

use super::matches::Played;
use super::paper::{FACTORS, Row, TABLE};

/// A row of Table 1, the paper's and ours.
pub fn match_row(row: &Row, played: &Played, seed: u64) -> MatchRow {
    let summary = Summary::new(&played.pairs, seed);
    let stats::Tally { wins, draws, losses } = summary.tally;
    let pentanomial = summary.pentanomial.0.map(|count| count as usize);
    MatchRow {
        players: row.players.map(|model| model.title().to_owned()),
        minutes: row.minutes,
        seconds: played.seconds,
        paper: tally(row.result),
        ours: tally([wins, draws, losses].map(|count| count as usize)),
        interval: percent(summary.score_interval),
        p_conservative: summary.conservative,
        p_paired: summary.label_swap,
        pentanomial,
        balanced_pairs: pentanomial[2],
        elo: summary.elo.value,
        elo_error: summary.elo.error / 1.96,
        margin: summary.margin.map_or(0.0, |margin| margin.mean),
        nodes_per_game: played.nodes,
        depth: played.depth,
        time_losses: played.time_losses,
    }
}

fn tally([wins, draws, losses]: [usize; 3]) -> Tally {
    let points = wins as f64 + draws as f64 / 2.0;
    Tally { wins, draws, losses, percentage: 100.0 * points / (wins + draws + losses) as f64 }
}

fn percent(interval: stats::Interval) -> [f64; 2] {
    [100.0 * interval.low, 100.0 * interval.high]
}

/// Openings all of whose pairs, in every row, were balanced.
pub fn balanced_openings(played: &[Played]) -> usize {
    let openings = played.first().map_or(0, |row| row.pairs.len());
    let balanced = |opening: &usize| played.iter().all(|row| row.pairs[*opening].class() == 2);
    (0..openings).filter(balanced).count()
}

/// The time factors at which the weaker models equal the stronger ones.
pub fn equal_strength(played: &[Played], seed: u64) -> Vec<EqualStrength> {
    FACTORS.map(|(stronger, weaker, paper)| factor(stronger, weaker, paper, played, seed)).into()
}

fn factor(
    stronger: Model,
    weaker: Model,
    paper: f64,
    played: &[Played],
    seed: u64,
) -> EqualStrength {
    let rows = TABLE.iter().zip(played).filter(|(row, _)| row.players == [stronger, weaker]);
    let matches: Vec<HandicapMatch> = rows
        .map(|(_, played)| HandicapMatch {
            // The time the clocks gave, rounded to milliseconds as it was.
            factor: played.seconds[1] / played.seconds[0],
            pairs: (0..).zip(played.pairs.iter().copied()).collect(),
        })
        .collect();
    let point = |game: &HandicapMatch| {
        let pairs: Vec<Pair> = game.pairs.iter().map(|(_, pair)| *pair).collect();
        let summary = Summary::new(&pairs, seed);
        FactorPoint {
            factor: game.factor,
            percentage: summary.percentage(),
            interval: percent(summary.score_interval),
        }
    };
    let points: Vec<FactorPoint> = matches.iter().map(point).collect();
    let found = stats::EqualStrength::fit(&matches);
    let curve = found.map_or_else(Vec::new, |found| {
        (0..=60).map(|i| 0.8 + f64::from(i) / 50.0).map(|x| [x, 100.0 * found.share(x)]).collect()
    });
    EqualStrength {
        stronger: stronger.title().to_owned(),
        weaker: weaker.title().to_owned(),
        paper,
        factor: found.map(|found| found.factor),
        interval: found.map_or([None, None], |found| found.interval),
        points,
        curve,
    }
}
