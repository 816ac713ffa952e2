//! Positions as people write them on the command line and in files.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use discern_board::{Game, Position};
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

/// Reads an OBF file of positions to solve.
pub fn read_problems(path: &Path) -> Result<Vec<ObfPosition>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut problems = Vec::new();
    for problem in ObfReader::new(BufReader::new(file)) {
        let problem = problem.map_err(|fault| match fault.place.line {
            Some(line) => anyhow!("{}, line {line}: {}", path.display(), fault.reason),
            None => anyhow!("cannot read {}: {}", path.display(), fault.reason),
        })?;
        problems.push(problem);
    }
    if problems.is_empty() {
        bail!("{} holds no position", path.display());
    }
    let finished = problems.iter().position(|problem| problem.position.board.is_over());
    if let Some(index) = finished {
        let number = index + 1;
        bail!(
            "{}, position {number}: neither side can move, there is nothing to solve",
            path.display()
        );
    }
    Ok(problems)
}
