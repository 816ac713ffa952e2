//! Positions as people write them on the command line and in files.

use std::path::Path;

use anyhow::{Context, Result, bail};
use discern_board::{Game, Position, Score};

/// A problem of an OBF file.
pub struct Problem {
    /// The line it stands on, from 1.
    pub line: usize,
    /// The position to solve.
    pub position: Position,
    /// The best score, if the file tells it.
    pub known: Option<Score>,
}

/// Reads a game from a position (64 squares and the side to move) or from a
/// transcript like `f5d6c3`.
pub fn parse_game(text: &str) -> Result<Game> {
    let text = text.trim();
    // Positions have dashes or are one long word; transcripts begin with a
    // column letter and a row digit.
    let mut symbols = text.chars();
    let is_transcript = text.is_empty()
        || (symbols.next().is_some_and(|c| c.is_ascii_alphabetic())
            && symbols.next().is_some_and(|c| c.is_ascii_digit()));
    if is_transcript {
        return text.parse().with_context(|| "not a legal game".to_string());
    }
    let position: Position = text.parse().context("not a position")?;
    Ok(Game::new(position))
}

/// Reads an OBF file: a position a line, `%` begins a comment, known scores
/// after semicolons.
pub fn read_problems(path: &Path) -> Result<Vec<Problem>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let content = line.split('%').next().unwrap_or("").trim();
        if content.is_empty() {
            continue;
        }
        let problem = parse_problem(content, line_number)
            .with_context(|| format!("{}, line {line_number}", path.display()))?;
        problems.push(problem);
    }
    if problems.is_empty() {
        bail!("{} holds no position", path.display());
    }
    Ok(problems)
}

fn parse_problem(content: &str, line: usize) -> Result<Problem> {
    let mut fields = content.split(';');
    let position: Position = fields.next().unwrap_or("").parse()?;
    if position.board.is_over() {
        bail!("neither side can move, there is nothing to solve");
    }
    let mut known = None;
    for field in fields.map(str::trim).filter(|field| !field.is_empty()) {
        let number = field.rsplit(':').next().unwrap_or(field).trim();
        let score = number.parse().ok().and_then(Score::new);
        let Some(score) = score else {
            bail!("'{field}' is not a move with its score (like G8:+18)");
        };
        known = known.max(Some(score));
    }
    Ok(Problem { line, position, known })
}
