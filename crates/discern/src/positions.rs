//! Positions as people write them on the command line and in files.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use discern_board::{Game, Position};
use discern_records::Fault;
use discern_records::obf::{ObfPosition, ObfReader};

/// Reads a game from a position (64 squares and the side to move) or from a
/// transcript like `f5d6c3`.
pub fn parse_game(text: &str) -> Result<Game> {
    let text = text.trim();
    // A transcript begins with a column letter and a row digit; no position
    // does.
    let mut symbols = text.chars();
    let is_transcript = text.is_empty()
        || (symbols.next().is_some_and(|c| c.is_ascii_alphabetic())
            && symbols.next().is_some_and(|c| c.is_ascii_digit()));
    if is_transcript {
        return text.parse().context("not a legal game");
    }
    let position: Position = text.parse().context("not a position")?;
    Ok(Game::new(position))
}

/// Reads the positions to solve: an OBF file, `-` for standard input, or one
/// position or game as it stands.
pub fn read_problems(source: &str) -> Result<Vec<ObfPosition>> {
    let path = Path::new(source);
    let problems = if source == "-" {
        problems_of(std::io::stdin().lock(), "standard input")?
    } else if path.exists() || source.contains(['.', '/']) && !source.contains(' ') {
        let file = File::open(path).with_context(|| format!("cannot read {source}"))?;
        problems_of(BufReader::new(file), source)?
    } else {
        let game = parse_game(source)
            .with_context(|| format!("'{source}' is neither a file nor a position"))?;
        vec![ObfPosition { position: game.position(), moves: Vec::new(), best: None }]
    };
    if problems.is_empty() {
        bail!("{source} holds no position");
    }
    Ok(problems)
}

fn problems_of(input: impl BufRead, name: &str) -> Result<Vec<ObfPosition>> {
    let problem = |problem: Result<ObfPosition, Fault>| {
        problem.map_err(|fault| match fault.place.line {
            Some(line) => anyhow!("{name}, line {line}: {}", fault.reason),
            None => anyhow!("cannot read {name}: {}", fault.reason),
        })
    };
    ObfReader::new(input).map(problem).collect()
}
