use std::collections::BTreeMap;

use discern_records::Ending;
use serde::Serialize;

use discern_players::Plan;

use super::{Conclusion, Match, Results, Standing, Standings, TournamentPlan};
use crate::stats::{Decision, Interval};

/// A player's line of the table as programs read it; errors are half the width
/// of the 95 % interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerRow {
    name: String,
    limits: String,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    rating: f64,
    rating_error: f64,
    failures: BTreeMap<String, u64>,
    moves: u64,
    seconds: f64,
    seconds_per_move: Option<f64>,
    nodes_per_second: Option<f64>,
    mean_depth: Option<f64>,
    largest_clock_share: Option<f64>,
}

/// A match as programs read it, from its first player's side; errors are half
/// the width of the 95 % interval, a percentage is 100 (W + D/2) / N.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchRow {
    first: String,
    second: String,
    /// Complete pairs of games.
    pub pairs: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    percentage: f64,
    percentage_interval: [f64; 2],
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    normalized_elo: Option<f64>,
    normalized_elo_error: Option<f64>,
    likelihood_of_superiority: f64,
    p_conservative: f64,
    p_paired: f64,
    p_paired_holm: f64,
    p_t: Option<f64>,
    p_sign: f64,
    pairs_ratio: Option<f64>,
    balanced_pairs: u64,
    disc_margin: Option<f64>,
    disc_margin_interval: Option<[f64; 2]>,
    p_disc_margin: Option<f64>,
}

/// A whole tournament as programs read it. The numbers of a match between two
/// players stand at the top; those of a larger tournament in `matches`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentRow {
    #[serde(flatten)]
    only: Option<MatchRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    matches: Vec<MatchRow>,
    plan: String,
    games: u64,
    games_planned: u64,
    conclusion: &'static str,
    openings: u64,
    balanced_openings: u64,
    endings: BTreeMap<String, u64>,
    players: Vec<PlayerRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
struct SprtRow {
    accepted: &'static str,
    llr: f64,
    pairs: u64,
}

impl Standings {
    /// Everything in one object.
    pub fn row(
        &self,
        plan: &Plan<TournamentPlan>,
        results: &Results,
        end: &Conclusion,
    ) -> TournamentRow {
        let mut matches = self.match_rows(&plan.work);
        let only = if matches.len() == 1 { matches.pop() } else { None };
        let sprt = match end {
            Conclusion::Decided(sprt) => Some(SprtRow {
                accepted: if sprt.decision == Decision::AcceptH1 { "elo1" } else { "elo0" },
                llr: sprt.llr,
                pairs: sprt.pairs,
            }),
            _ => None,
        };
        TournamentRow {
            only,
            matches,
            plan: plan.name(),
            games: results.len(),
            games_planned: plan.work.number_of_games(),
            conclusion: end.word(),
            openings: self.openings,
            balanced_openings: self.balanced_openings,
            endings: by_name(&self.endings),
            players: self.player_rows(&plan.work),
            sprt,
        }
    }

    /// The players in the order of the plan.
    pub fn player_rows(&self, plan: &TournamentPlan) -> Vec<PlayerRow> {
        let row = |(player, standing): (usize, &Standing)| {
            let (spec, effort) = (&plan.players[player], &standing.effort);
            PlayerRow {
                name: spec.name.clone(),
                limits: spec.limits.to_string(),
                wins: standing.tally.wins,
                draws: standing.tally.draws,
                losses: standing.tally.losses,
                points: standing.tally.points(),
                rating: self.ratings.elo[player],
                rating_error: self.ratings.error(player),
                failures: by_name(&standing.failures),
                moves: effort.moves,
                seconds: effort.time.as_secs_f64(),
                seconds_per_move: effort.time_per_move().map(|time| time.as_secs_f64()),
                nodes_per_second: effort.nodes_per_second(),
                mean_depth: effort.mean_depth(),
                largest_clock_share: spec.limits.clock.map(|_| effort.clock_share),
            }
        };
        self.players.iter().enumerate().map(row).collect()
    }

    /// The matches in the order of the plan.
    pub fn match_rows(&self, plan: &TournamentPlan) -> Vec<MatchRow> {
        let ends = |interval: Interval| [interval.low, interval.high];
        let row = |game: &Match| {
            let summary = &game.summary;
            MatchRow {
                first: plan.players[game.first].name.clone(),
                second: plan.players[game.second].name.clone(),
                pairs: summary.pentanomial.pairs(),
                wins: summary.tally.wins,
                draws: summary.tally.draws,
                losses: summary.tally.losses,
                percentage: summary.percentage(),
                percentage_interval: ends(summary.score_interval).map(|share| 100.0 * share),
                pentanomial: summary.pentanomial.0,
                elo: summary.elo.value,
                elo_error: summary.elo.error,
                normalized_elo: summary.normalized_elo.map(|elo| elo.value),
                normalized_elo_error: summary.normalized_elo.map(|elo| elo.error),
                likelihood_of_superiority: summary.superiority,
                p_conservative: summary.conservative,
                p_paired: summary.label_swap,
                p_paired_holm: game.corrected,
                p_t: summary.t_test.map(|test| test.p),
                p_sign: summary.sign,
                pairs_ratio: summary.pentanomial.pairs_ratio(),
                balanced_pairs: summary.pentanomial.0[2],
                disc_margin: summary.margin.as_ref().map(|margin| margin.mean),
                disc_margin_interval: summary.margin.as_ref().map(|margin| ends(margin.interval)),
                p_disc_margin: summary
                    .margin
                    .as_ref()
                    .and_then(|margin| margin.test)
                    .map(|test| test.p),
            }
        };
        self.matches.iter().map(row).collect()
    }

    /// How many games ended how, by name.
    pub fn endings_by_name(&self) -> BTreeMap<String, u64> {
        by_name(&self.endings)
    }
}

fn by_name(endings: &BTreeMap<Ending, u64>) -> BTreeMap<String, u64> {
    endings.iter().map(|(ending, &count)| (ending.to_string(), count)).collect()
}
