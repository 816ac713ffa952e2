use std::collections::{BTreeMap, HashMap};

use discern_board::{Color, Game, Move, Outcome, Symmetry};
use serde::Serialize;

use crate::reading::Findings;
use crate::record::{GameRecord, Name};

/// Everything that is counted on the way.
#[derive(Debug, Default)]
pub struct GameCounts {
    opening_moves: usize,
    black: SideResults,
    score_sum: i64,
    plies: u64,
    passes: u64,
    annotated: u64,
    solved: u64,
    corrections: u64,
    endings: BTreeMap<String, u64>,
    lengths: BTreeMap<usize, u64>,
    players: HashMap<Name, SideResults>,
    openings: HashMap<String, u64>,
}

/// Results from one side's view.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub struct SideResults {
    /// All games.
    pub games: u64,
    /// Those won.
    pub wins: u64,
    /// Those drawn.
    pub draws: u64,
    /// Those lost.
    pub losses: u64,
}

impl SideResults {
    fn add(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win) => self.wins += 1,
            Some(Outcome::Draw) => self.draws += 1,
            Some(Outcome::Loss) => self.losses += 1,
            None => {}
        }
    }

    fn decided(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Wins and half the draws of the games with a result, in per cent.
    fn percentage(&self) -> f64 {
        let points = self.wins as f64 + self.draws as f64 / 2.0;
        if self.decided() == 0 { 0.0 } else { 100.0 * points / self.decided() as f64 }
    }
}

impl GameCounts {
    /// Counts nothing yet; this many moves make an opening.
    pub fn new(opening_moves: usize) -> GameCounts {
        GameCounts { opening_moves, ..GameCounts::default() }
    }

    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        let outcome = record.score_black.map(|score| score.outcome());
        self.black.add(outcome);
        self.score_sum += record.score_black.map_or(0, |score| score.discs().into());
        for color in Color::BOTH {
            let outcome = outcome.map(|black| if color == Color::Black { black } else { -black });
            self.players.entry(record.players[color].name.clone()).or_default().add(outcome);
        }
        let passes = record.game.moves().filter(|&mv| mv == Move::Pass).count();
        let plies = record.game.plies().len();
        self.plies += plies as u64;
        self.passes += passes as u64;
        self.annotated += u64::from(!record.notes.is_empty());
        self.solved += record.solved.len() as u64;
        self.corrections += u64::from(record.correction.is_some());
        *self.endings.entry(record.ending.to_string()).or_default() += 1;
        *self.lengths.entry(plies - passes).or_default() += 1;
        if let Some(opening) = opening(&record.game, self.opening_moves) {
            *self.openings.entry(opening).or_default() += 1;
        }
    }

    /// What was counted, with the most frequent players and openings; `name`
    /// says what players call an opening.
    pub fn summary(
        self,
        findings: &Findings,
        top: usize,
        name: impl Fn(&str) -> Option<&'static str>,
    ) -> GamesSummary {
        let mut players: Vec<_> = self.players.iter().collect();
        players.sort_by(|a, b| b.1.games.cmp(&a.1.games).then(a.0.cmp(b.0)));
        let mut openings: Vec<_> = self.openings.iter().collect();
        openings.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let top_players = players.iter().take(top).map(|(name, results)| PlayerLine {
            name: if name.is_empty() { "unknown".to_owned() } else { name.to_string() },
            results: **results,
            percentage: results.percentage(),
        });
        let top_openings = openings.iter().take(top).map(|(moves, games)| OpeningLine {
            moves: moves.to_string(),
            games: **games,
            name: name(moves),
        });
        GamesSummary {
            games: findings.games,
            faults: findings.faults.len(),
            unfinished: findings.unfinished(),
            black: self.black,
            black_percentage: self.black.percentage(),
            mean_score_black: self.score_sum as f64 / self.black.decided().max(1) as f64,
            plies: self.plies,
            passes: self.passes,
            annotated_games: self.annotated,
            solved_positions: self.solved,
            corrections: self.corrections,
            players: players.len(),
            top_players: top_players.collect(),
            opening_moves: self.opening_moves,
            openings: openings.len(),
            top_openings: top_openings.collect(),
            endings: self.endings,
            lengths: self.lengths,
        }
    }
}

/// The first moves, turned so that all images of a game agree: of the eight
/// transcripts the first in the alphabet. `None` for shorter games.
fn opening(game: &Game, moves: usize) -> Option<String> {
    let squares: Vec<_> = game.moves().filter_map(Move::square).take(moves).collect();
    if squares.len() < moves {
        return None;
    }
    let start = game.start().board;
    let images = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.board(start) == start);
    images.map(|symmetry| squares.iter().map(|&s| symmetry.square(s).to_string()).collect()).min()
}

/// What files of games hold, as programs read it.
#[derive(Debug, Clone, Serialize)]
pub struct GamesSummary {
    /// Games.
    pub games: u64,
    /// Faults.
    pub faults: usize,
    /// Games that stop before their end.
    pub unfinished: usize,
    /// Results for black.
    pub black: SideResults,
    /// Wins and half the draws of black, in per cent.
    pub black_percentage: f64,
    /// Mean score for black.
    pub mean_score_black: f64,
    /// Plies, passes counted.
    pub plies: u64,
    /// Passes.
    pub passes: u64,
    /// Games whose moves have notes.
    pub annotated_games: u64,
    /// Positions whose outcome was proven.
    pub solved_positions: u64,
    /// Games that correct another one.
    pub corrections: u64,
    /// Games by how they ended.
    pub endings: BTreeMap<String, u64>,
    /// Games by their number of moves.
    pub lengths: BTreeMap<usize, u64>,
    /// Different players.
    pub players: usize,
    /// The most frequent players.
    pub top_players: Vec<PlayerLine>,
    /// Moves that make an opening.
    pub opening_moves: usize,
    /// Different openings, up to symmetry.
    pub openings: usize,
    /// The most frequent openings.
    pub top_openings: Vec<OpeningLine>,
}

/// How a player did.
#[derive(Debug, Clone, Serialize)]
pub struct PlayerLine {
    /// The player.
    pub name: String,
    /// Its results.
    #[serde(flatten)]
    pub results: SideResults,
    /// Wins and half the draws in per cent.
    pub percentage: f64,
}

/// How often an opening was played.
#[derive(Debug, Clone, Serialize)]
pub struct OpeningLine {
    /// Its moves.
    pub moves: String,
    /// Games.
    pub games: u64,
    /// What players call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
}
