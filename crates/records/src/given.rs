use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use discern_board::{Game, ParsePositionError, ParseTranscriptError, Position};

use crate::fault::Fault;
use crate::obf::{ObfPosition, ObfReader};

/// Why a text is not what was asked for.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// Neither a position nor the moves of a game.
    #[error("not a legal game")]
    Game(#[source] ParseTranscriptError),
    /// Not a position.
    #[error("not a position")]
    Position(#[source] ParsePositionError),
    /// Neither a file nor a position.
    #[error("'{0}' is neither a file nor a position")]
    Neither(String, #[source] Box<GivenError>),
    /// A file that cannot be opened.
    #[error("cannot read {0}")]
    File(String, #[source] std::io::Error),
    /// A line that is not a position.
    #[error("{name}{}: {reason}", line.map_or(String::new(), |line| format!(", line {line}")))]
    Line {
        /// The file.
        name: String,
        /// The line, from 1.
        line: Option<u64>,
        /// What is wrong.
        reason: String,
    },
    /// Nothing to do.
    #[error("{0} holds no position")]
    Empty(String),
}

/// Reads a game from a position (64 squares and the side to move) or from a
/// transcript like `f5d6c3`.
///
/// # Errors
/// If the text is neither.
pub fn parse_game(text: &str) -> Result<Game, GivenError> {
    let text = text.trim();
    // A transcript begins with a column letter and a row digit; no position
    // does.
    let mut symbols = text.chars();
    let is_transcript = text.is_empty()
        || (symbols.next().is_some_and(|c| c.is_ascii_alphabetic())
            && symbols.next().is_some_and(|c| c.is_ascii_digit()));
    if is_transcript {
        return text.parse().map_err(GivenError::Game);
    }
    let position: Position = text.parse().map_err(GivenError::Position)?;
    Ok(Game::new(position))
}

/// Reads positions to solve: an OBF file, `-` for standard input, or one
/// position or game as it stands.
///
/// # Errors
/// If there is none, or one cannot be read.
pub fn read_problems(source: &str) -> Result<Vec<ObfPosition>, GivenError> {
    let path = Path::new(source);
    let problems = if source == "-" {
        problems_of(std::io::stdin().lock(), "standard input")?
    } else if path.exists() || source.contains(['.', '/']) && !source.contains(' ') {
        let file = File::open(path).map_err(|error| GivenError::File(source.into(), error))?;
        problems_of(BufReader::new(file), source)?
    } else {
        let neither = |error| GivenError::Neither(source.into(), Box::new(error));
        let position = parse_game(source).map_err(neither)?.position();
        vec![ObfPosition { position, moves: Vec::new(), best: None }]
    };
    match problems.is_empty() {
        true => Err(GivenError::Empty(source.into())),
        false => Ok(problems),
    }
}

fn problems_of(input: impl BufRead, name: &str) -> Result<Vec<ObfPosition>, GivenError> {
    let wrong = |fault: Fault| GivenError::Line {
        name: if fault.place.line.is_some() { name.into() } else { format!("cannot read {name}") },
        line: fault.place.line,
        reason: fault.reason.to_string(),
    };
    ObfReader::new(input).map(|problem| problem.map_err(wrong)).collect()
}
