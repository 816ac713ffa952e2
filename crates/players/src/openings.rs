//! Where games begin: openings given, or enumerated up to symmetry.

use std::collections::HashMap;

use discern_board::{Board, Dice, Game, Position};
use discern_records::GameFile;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// All positions after `plies` moves that differ by more than symmetry, each
/// with one line of play that leads to it, in the order of their boards.
///
/// There are 1, 3, 14, 60, 322, 1773, 10649, 67245 after 1 to 8 moves. Nobody
/// has to pass in the first eight; a line in which somebody has to, or in
/// which the game is over, is no opening.
pub fn distinct(plies: u32) -> Vec<Game> {
    (0..plies).fold(vec![Game::default()], |games, _| one_further(&games))
}

/// The different positions one move further, in the order of their boards.
pub fn one_further(games: &[Game]) -> Vec<Game> {
    let mut next: HashMap<Board, Game> = HashMap::new();
    for game in games {
        let board = game.position().board;
        for square in board.moves() {
            let after = board.play_unchecked(square, board.flips(square));
            next.entry(after.canonical()).or_insert_with(|| {
                let mut longer = game.clone();
                longer.play_unchecked(square.into(), after);
                longer
            });
        }
    }
    let mut next: Vec<(Board, Game)> = next.into_iter().collect();
    next.sort_by_key(|(board, _)| *board);
    next.into_iter().map(|(_, game)| game).collect()
}

/// Where the games of a plan begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Openings {
    /// All different positions after some moves, or some of them.
    Distinct {
        /// Their length in moves, at most 8.
        plies: u32,
        /// How many of them, drawn by the plan's seed; all if not given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// These, each a start and moves.
    Games(#[serde(with = "as_text")] Vec<Game>),
}

/// How many openings of 0 to 8 moves there are.
const COUNTS: [u32; 9] = [1, 1, 3, 14, 60, 322, 1773, 10_649, 67_245];

impl Openings {
    /// The longest openings that can be enumerated.
    pub const MAX_PLIES: u32 = 8;

    /// The nearly even openings that come with the program.
    pub fn shipped() -> Vec<Game> {
        let file = GameFile::from_reader(discern_data::OPENINGS, "openings", None);
        file.and_then(GameFile::openings).expect("those that are shipped can be read")
    }

    /// How many openings these are.
    pub fn len(&self) -> usize {
        match self {
            Openings::Distinct { plies, count } => {
                let all = COUNTS.get(*plies as usize).copied().unwrap_or(0);
                count.map_or(all, |count| count.min(all)) as usize
            }
            Openings::Games(games) => games.len(),
        }
    }

    /// None at all?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The openings.
    pub fn list(&self, seed: u64) -> Vec<Game> {
        let (plies, count) = match self {
            Openings::Distinct { plies, count } => (*plies, *count),
            Openings::Games(games) => return games.clone(),
        };
        let mut all = distinct(plies);
        if let Some(count) = count.map(|count| count as usize).filter(|&n| n < all.len()) {
            // The first steps of a Fisher-Yates shuffle draw a fair sample.
            let mut dice = Dice::new(&[seed, u64::from(plies)]);
            for i in 0..count {
                let j = i + dice.below((all.len() - i) as u64) as usize;
                all.swap(i, j);
            }
            all.truncate(count);
            all.sort_by_cached_key(|game| game.position().board.canonical());
        }
        all
    }
}

/// Games as transcripts, with the position in front where they do not begin
/// as usual: `f5d6c3`, `---… X; f5d6`.
mod as_text {
    use super::*;

    pub fn serialize<S: Serializer>(games: &[Game], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(games.iter().map(|game| match game.start() {
            Position::START => game.transcript(),
            start => format!("{start}; {}", game.transcript()),
        }))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Game>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| parse(text).map_err(de::Error::custom)).collect()
    }

    fn parse(text: &str) -> Result<Game, String> {
        let wrong = |what: &dyn std::fmt::Display| format!("opening '{text}': {what}");
        let (start, moves) = match text.split_once(';') {
            Some((start, moves)) => (start.parse().map_err(|e| wrong(&e))?, moves),
            None => (Position::START, text),
        };
        Game::from_transcript(start, moves.trim()).map_err(|e| wrong(&e))
    }
}
