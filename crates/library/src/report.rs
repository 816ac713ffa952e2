use std::collections::{BTreeMap, HashMap};

use discern_board::{Color, Score};
use serde::Serialize;

use crate::library::{Library, opening_name};
use crate::tally::Tally;

/// Openings and opponents that a report lists.
const LISTED: usize = 20;

/// How a player did in all games of the library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerReport {
    /// The player.
    pub name: String,
    /// All games.
    pub all: Tally,
    /// With black.
    pub black: Tally,
    /// With white.
    pub white: Tally,
    /// Discs by which games were won on average, lost ones counted negative;
    /// `None` without a result.
    pub mean_score: Option<f64>,
    /// By year.
    pub years: Vec<Year>,
    /// By opening, the most frequent first; games without a named one are in
    /// the line without a name.
    pub openings: Vec<Line>,
    /// By opponent, the most frequent first.
    pub opponents: Vec<Line>,
    /// What became of solved positions; `None` if no game has one.
    pub theory: Option<Theory>,
}

/// Games of one year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Year {
    /// The year.
    pub year: u16,
    /// Its games.
    #[serde(flatten)]
    pub results: Tally,
}

/// Games with one opening or opponent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Line {
    /// What it is called; empty if it has no name.
    pub name: String,
    /// The games.
    #[serde(flatten)]
    pub results: Tally,
}

/// Results against what perfect play from a solved position gives: what both
/// players made of the ending.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Theory {
    /// Games with a solved position and a result.
    pub games: u32,
    /// The fewest empty squares of those positions.
    pub empties: u8,
    /// Discs that perfect play would have given on average.
    pub mean_score: f64,
    /// Discs that the games gave on average.
    pub mean_result: f64,
    /// Games with a better outcome than perfect play would have given.
    pub better: u32,
    /// Games with a worse one.
    pub worse: u32,
}

impl Library {
    /// Sums up the games of a player with exactly this name; `None` if there
    /// is none.
    pub fn report(&self, name: &str) -> Option<PlayerReport> {
        let player = self.players.find(name).filter(|_| !name.is_empty())?;
        let (mut all, mut sides) = (Tally::default(), [Tally::default(); 2]);
        let mut years: BTreeMap<u16, Tally> = BTreeMap::new();
        let mut openings: HashMap<u16, Tally> = HashMap::new();
        let mut opponents: HashMap<u32, Tally> = HashMap::new();
        let (mut scores, mut scored) = (0.0, 0_u32);
        let mut theory = Theory { empties: u8::MAX, ..Theory::default() };
        for entry in &self.entries {
            // Somebody who plays both sides counts once for each.
            for color in Color::BOTH {
                if entry.players[color as usize] != player {
                    continue;
                }
                let outcome = entry.outcome(color);
                let own = |score: Score| match color {
                    Color::Black => score,
                    Color::White => -score,
                };
                all.add(outcome);
                sides[color as usize].add(outcome);
                openings.entry(entry.opening).or_default().add(outcome);
                opponents.entry(entry.players[!color as usize]).or_default().add(outcome);
                if entry.year != 0 {
                    years.entry(entry.year).or_default().add(outcome);
                }
                let Some(score) = entry.score.map(own) else { continue };
                scores += f64::from(score.discs());
                scored += 1;
                if let Some((solved, empties)) = entry.theory {
                    let solved = own(solved);
                    theory.games += 1;
                    theory.empties = theory.empties.min(empties);
                    theory.mean_score += f64::from(solved.discs());
                    theory.mean_result += f64::from(score.discs());
                    // Sign of the outcome: a win is more than a draw.
                    let rank = |score: Score| score.discs().signum();
                    theory.better += u32::from(rank(score) > rank(solved));
                    theory.worse += u32::from(rank(score) < rank(solved));
                }
            }
        }
        let games = f64::from(theory.games.max(1));
        theory.mean_score /= games;
        theory.mean_result /= games;
        let opening = |number: &u16| opening_name(*number).unwrap_or_default().to_owned();
        Some(PlayerReport {
            name: name.to_owned(),
            all,
            black: sides[0],
            white: sides[1],
            mean_score: (scored > 0).then(|| scores / f64::from(scored)),
            years: years.into_iter().map(|(year, results)| Year { year, results }).collect(),
            openings: lines(openings, opening),
            opponents: lines(opponents, |number| self.players.get(*number).to_owned()),
            theory: (theory.games > 0).then_some(theory),
        })
    }
}

fn lines<K>(tallies: HashMap<K, Tally>, name: impl Fn(&K) -> String) -> Vec<Line> {
    let line = |(key, results)| Line { name: name(&key), results };
    let mut lines: Vec<Line> = tallies.into_iter().map(line).collect();
    lines.sort_by(|a, b| b.results.games.cmp(&a.results.games).then_with(|| a.name.cmp(&b.name)));
    lines.truncate(LISTED);
    lines
}
