//! Transcripts: one game per line, `f5d6c3…`.
//!
//! A line may begin with a position and a semicolon (`board side; moves`) if
//! the game does not begin at the usual start. `%` and `#` begin comments.

use std::io::BufRead;

use discern_board::{Game, Move, Position};

use crate::fault::{Fault, Place, Reason};
use crate::format::{Description, Start, Writing};
use crate::lines::Lines;
use crate::obf;
use crate::output::WriteError;
use crate::read::Games;
use crate::record::GameRecord;

pub(crate) const FORMAT: Description = Description {
    name: "transcript",
    extension: "txt",
    fits: |start| fits(start).unwrap_or(false),
    read: |input, _| Ok(Games::other(TranscriptReader::new(input))),
    write: Writing::Lines(|record| match record.game.plies().is_empty() {
        true => Err(WriteError::Unwritable("a transcript needs at least one move")),
        false => Ok(line(record)),
    }),
};

fn fits(start: &Start) -> Option<bool> {
    let line = start.line()?;
    let Some((position, _)) = line.split_once(';') else {
        let word: String = line.chars().filter(|c| !c.is_whitespace()).take(2).collect();
        return Some(word.parse::<Move>().is_ok());
    };
    Some(position.parse::<Position>().is_ok() && !(obf::FORMAT.fits)(start))
}

/// Reads transcripts, one game per line.
pub struct TranscriptReader<R> {
    lines: Lines<R>,
    games: u64,
}

impl<R: BufRead> TranscriptReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> TranscriptReader<R> {
        TranscriptReader { lines: Lines::new(input), games: 0 }
    }
}

impl<R: BufRead> Iterator for TranscriptReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        Some(self.lines.next_content()?.and_then(|(number, line)| {
            self.games += 1;
            let place = Place::line(self.games, number);
            let game = game_of_line(&line).map_err(|reason| Fault::new(place, reason));
            game.map(GameRecord::new)
        }))
    }
}

fn game_of_line(line: &str) -> Result<Game, Reason> {
    let Some((position, moves)) = line.split_once(';') else {
        return Ok(Game::from_transcript(Position::START, line)?);
    };
    // Blanks in place of the position keep the columns of messages right.
    let width = position.chars().count() + 1;
    let moves = moves.trim_end().trim_end_matches(';');
    Ok(Game::from_transcript(position.parse()?, &format!("{:width$}{moves}", ""))?)
}

/// The game as one line. Passes are left out, but for a last one that nothing
/// behind it implies.
pub fn line(record: &GameRecord) -> String {
    let game = &record.game;
    let mut line = String::new();
    if game.start() != Position::START {
        line = format!("{}; ", game.start());
    }
    line.push_str(&game.transcript());
    if game.moves().last() == Some(Move::Pass) {
        line.push_str("pa");
    }
    line
}
