use std::sync::LazyLock;

use discern_board::{Color, Game, Move, Outcome, Position, Score, Square};
use discern_book::{Opening, opening_of, openings};
use discern_records::{Ending, GameRecord};
use serde::Serialize;

use crate::names::{NamedCount, Names};
use crate::read::Bound;

/// All named openings; games know theirs by its place here.
pub(crate) static OPENINGS: LazyLock<Vec<Opening>> = LazyLock::new(|| openings().collect());

/// Games in memory, ready to be searched.
#[derive(Debug, Default)]
pub struct Library {
    pub(crate) entries: Vec<Entry>,
    /// The numbers of the games, the newest first.
    pub(crate) order: Vec<u32>,
    pub(crate) players: Names,
    pub(crate) events: Names,
    dates: Names,
    squares: Vec<u8>,
    starts: Vec<Position>,
    bytes: usize,
    bound: Bound,
}

/// A game: numbers in the place of names, moves elsewhere.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Black and white.
    pub players: [u32; 2],
    pub event: u32,
    date: u32,
    /// Where the moves begin, and how many there are.
    at: usize,
    moves: u8,
    /// The number of an unusual start, from 1.
    start: u32,
    /// The number of the opening, from 1.
    pub opening: u16,
    /// 0 if unknown.
    pub year: u16,
    ending: Ending,
    /// For black.
    pub score: Option<Score>,
    /// The proven score for black where the game was solved, and the number of
    /// empty squares there.
    pub theory: Option<(Score, u8)>,
}

impl Entry {
    /// The result for a side.
    pub fn outcome(&self, color: Color) -> Option<Outcome> {
        let black = self.score?.outcome();
        Some(if color == Color::Black { black } else { -black })
    }
}

/// There is no room for further games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the library is full")]
pub struct Full;

/// A game as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StoredGame {
    /// Its number in the library.
    pub number: u32,
    /// Who played black; empty if unknown.
    pub black: String,
    /// Who played white.
    pub white: String,
    /// Tournament or place; empty if unknown.
    pub event: String,
    /// When, as its source writes it.
    pub date: String,
    /// Where it began.
    pub start: String,
    /// Its moves.
    pub moves: String,
    /// Black's result in discs.
    pub result: Option<i32>,
    /// How it ended.
    pub ending: String,
    /// The last named opening it went through.
    pub opening: Option<&'static str>,
}

impl Library {
    /// An empty library for at most this much.
    pub fn within(bound: Bound) -> Library {
        Library { bound, ..Library::default() }
    }

    /// Adds a game; one without moves is no game and left out.
    ///
    /// # Errors
    /// If there is no room.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Full> {
        let squares = || record.game.moves().filter_map(Move::square);
        let moves = squares().count();
        if moves == 0 {
            return Ok(());
        }
        if self.entries.len() >= self.bound.games || self.bytes >= self.bound.bytes {
            return Err(Full);
        }
        let mut bytes = size_of::<Entry>() + size_of::<u32>() + moves;
        let mut number = |names: &mut Names, name: &str| {
            let (number, new) = names.number(name);
            bytes += new;
            number
        };
        let players =
            Color::BOTH.map(|color| number(&mut self.players, &record.players[color].name));
        let event = number(&mut self.events, &record.event);
        let date = number(&mut self.dates, &record.date);
        let start = match record.game.start() {
            Position::START => 0,
            start => {
                bytes += size_of::<Position>();
                self.starts.push(start);
                self.starts.len() as u32
            }
        };
        let opening = opening_of(&record.game)
            .and_then(|opening| OPENINGS.iter().position(|known| *known == opening))
            .map_or(0, |place| place as u16 + 1);
        let at = self.squares.len();
        self.squares.extend(squares().map(|square| square.index() as u8));
        self.order.push(self.entries.len() as u32);
        self.entries.push(Entry {
            players,
            event,
            date,
            at,
            moves: moves as u8,
            start,
            opening,
            year: year(&record.date),
            ending: record.ending,
            score: record.score_black,
            theory: theory(record),
        });
        self.bytes += bytes;
        Ok(())
    }

    /// Puts the newest games first. Called after the last one was added;
    /// until then they come in the order of adding.
    pub fn settle(&mut self) {
        let Library { entries, order, .. } = self;
        order.sort_by_key(|&number| (u16::MAX - entries[number as usize].year, number));
        order.shrink_to_fit();
        entries.shrink_to_fit();
        self.squares.shrink_to_fit();
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there no game?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players.known()
    }

    /// How many events there are.
    pub fn events(&self) -> usize {
        self.events.known()
    }

    /// The first and the last year, if any is known.
    pub fn years(&self) -> Option<(u16, u16)> {
        let years = || self.entries.iter().map(|entry| entry.year).filter(|&year| year != 0);
        Some((years().min()?, years().max()?))
    }

    /// The bytes it takes, about.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The players whose names have all these words, the most frequent first.
    pub fn players_like(&self, words: &str, most: usize) -> Vec<NamedCount> {
        self.players.like(words, most)
    }

    /// The events whose names have all these words, the most frequent first.
    pub fn events_like(&self, words: &str, most: usize) -> Vec<NamedCount> {
        self.events.like(words, most)
    }

    /// A game by its number.
    pub fn game(&self, number: u32) -> Option<StoredGame> {
        let entry = self.entries.get(number as usize)?;
        let start = self.start(entry);
        let mut game = Game::with_capacity(start, entry.moves.into());
        for &square in self.squares(entry) {
            let square = Square::ALL[usize::from(square)];
            game.play_after_pass(square.into()).expect("it was played");
        }
        let [black, white] = entry.players.map(|player| self.players.get(player).to_owned());
        Some(StoredGame {
            number,
            black,
            white,
            event: self.events.get(entry.event).to_owned(),
            date: self.dates.get(entry.date).to_owned(),
            start: start.to_string(),
            moves: game.transcript(),
            result: entry.score.map(Score::discs),
            ending: entry.ending.to_string(),
            opening: opening_name(entry.opening),
        })
    }

    pub(crate) fn start(&self, entry: &Entry) -> Position {
        match entry.start {
            0 => Position::START,
            number => self.starts[number as usize - 1],
        }
    }

    pub(crate) fn squares(&self, entry: &Entry) -> &[u8] {
        &self.squares[entry.at..entry.at + usize::from(entry.moves)]
    }
}

pub(crate) fn opening_name(number: u16) -> Option<&'static str> {
    let place = usize::from(number).checked_sub(1)?;
    Some(OPENINGS.get(place)?.name)
}

/// The first number of a date that can be a year.
fn year(date: &str) -> u16 {
    let numbers = date.split(|c: char| !c.is_ascii_digit()).filter(|word| word.len() == 4);
    let year = |word: &str| word.parse().ok().filter(|year| (1900..2200).contains(year));
    numbers.filter_map(year).next().unwrap_or(0)
}

/// The first proven score of a game, for black.
fn theory(record: &GameRecord) -> Option<(Score, u8)> {
    let proven =
        record.solved.iter().filter_map(|solved| Some((solved.ply, solved.verdict.score()?)));
    let (ply, score) = proven.min_by_key(|(ply, _)| *ply)?;
    let before = record.game.plies().get(ply).map(|ply| ply.before);
    let Position { board, mover } = before.unwrap_or(record.game.position());
    let black = if mover == Color::Black { score } else { -score };
    Some((black, board.empties() as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_are_found_in_dates_of_any_form() {
        for (date, expected) in [
            ("2014", 2014),
            ("2003.05.01_19:20:30.MDT", 2003),
            ("Nov 7, 1998", 1998),
            ("1999-12", 1999),
            ("12345", 0),
            ("", 0),
            ("0001", 0),
        ] {
            assert_eq!(year(date), expected, "{date}");
        }
    }
}
