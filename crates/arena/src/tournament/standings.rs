use std::collections::BTreeMap;

use discern_board::Color;
use discern_records::Ending;

use super::results::Effort;
use super::{Results, TournamentPlan};
use crate::stats::{Encounter, Pair, Ratings, Sample, Summary, Tally, holm};

/// Resamples for the errors of ratings.
const RATING_RESAMPLES: usize = 1000;

/// The table of a tournament, complete or under way.
#[derive(Debug, Clone, PartialEq)]
pub struct Standings {
    /// One per contestant, in the order of the plan.
    pub players: Vec<Standing>,
    /// One per pairing.
    pub matches: Vec<Match>,
    /// Ratings of all players.
    pub ratings: Ratings,
    /// Openings of which every complete pair was balanced.
    pub balanced_openings: u64,
    /// Openings with at least one complete pair.
    pub openings: u64,
    /// How the games ended, incomplete pairs included.
    pub endings: BTreeMap<Ending, u64>,
}

/// One player's place.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Games of complete pairs from his side.
    pub tally: Tally,
    /// What he used in all his games.
    pub effort: Effort,
    /// Games he lost otherwise than on the board.
    pub failures: BTreeMap<Ending, u64>,
}

/// A pairing from its first player's side.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Index of the first player.
    pub first: usize,
    /// Index of the second player.
    pub second: usize,
    /// All that the complete pairs say.
    pub summary: Summary,
    /// The label-swap test corrected for the number of matches (Holm).
    pub corrected: f64,
}

impl Standings {
    /// The table from these results; with `pairs` only so many pairs of each
    /// pairing count.
    pub fn new(plan: &TournamentPlan, results: &Results, pairs: Option<u64>) -> Standings {
        let seed = plan.seed;
        let pairs = pairs.unwrap_or(plan.pairs).min(results.pairs_begun(plan));
        let mut players: Vec<Standing> = plan
            .players
            .iter()
            .map(|_| Standing {
                tally: Tally::default(),
                effort: Effort::default(),
                failures: BTreeMap::new(),
            })
            .collect();
        let mut endings = BTreeMap::new();
        for (fixture, result) in results.games(plan).filter(|(f, _)| f.pair < pairs) {
            *endings.entry(result.ending).or_default() += 1;
            for color in Color::BOTH {
                players[fixture.player(color)].effort += result.effort[color as usize];
            }
            if !matches!(result.ending, Ending::Played | Ending::Adjudicated) {
                let loser = if result.discs_black < 0 { Color::Black } else { Color::White };
                let failures = &mut players[fixture.player(loser)].failures;
                *failures.entry(result.ending).or_default() += 1;
            }
        }
        // By opening: has every pair so far been balanced?
        let mut balanced: BTreeMap<u64, bool> = BTreeMap::new();
        let mut summaries = Vec::new();
        for (pairing, (first, second)) in plan.pairings().into_iter().enumerate() {
            let mut complete: Vec<Pair> = Vec::new();
            for pair in 0..pairs {
                let Some(result) = results.pair(plan, pairing, pair) else { continue };
                let opening = pair % plan.openings.len() as u64;
                *balanced.entry(opening).or_insert(true) &= result.class() == 2;
                complete.push(result);
            }
            let summary = Summary::new(&complete, seed);
            players[first].tally += summary.tally;
            players[second].tally += summary.tally.reversed();
            summaries.push((first, second, summary));
        }
        let encounters: Vec<Encounter> = summaries
            .iter()
            .map(|(first, second, summary)| Encounter {
                first: *first,
                second: *second,
                results: Sample::from(summary.pentanomial),
            })
            .collect();
        let corrected = holm(&summaries.iter().map(|(_, _, s)| s.label_swap).collect::<Vec<_>>());
        let matches = summaries
            .into_iter()
            .zip(corrected)
            .map(|((first, second, summary), corrected)| Match {
                first,
                second,
                summary,
                corrected,
            })
            .collect();
        Standings {
            ratings: Ratings::fit(players.len(), &encounters, RATING_RESAMPLES, seed),
            players,
            matches,
            balanced_openings: balanced.values().filter(|&&even| even).count() as u64,
            openings: balanced.len() as u64,
            endings,
        }
    }
}
