//! OBF: one position per line with the scores of its moves, as endgame test
//! suites use it: `board side; G8:+18; H1:+12;`.

use std::fmt;
use std::io::BufRead;

use discern_board::{Game, Move, ParseMoveError, Position, Score};

use crate::evaluation::Verdict;
use crate::fault::{Fault, Place, Reason};
use crate::format::{Description, Format, Start, Writing};
use crate::lines::Lines;
use crate::output::WriteError;
use crate::provenance::Solved;
use crate::read::Games;
use crate::record::GameRecord;

pub(crate) const FORMAT: Description = Description {
    name: "obf",
    extension: "obf",
    fits: |start| fits(start).unwrap_or(false),
    read: |input, _| Ok(Games::other(ObfReader::new(input).into_games())),
    write: Writing::Lines(lines),
};

fn fits(start: &Start) -> Option<bool> {
    let (position, rest) = start.line()?.split_once(';')?;
    let _ = position.parse::<Position>().ok()?;
    let rest = rest.trim_start();
    let scored = rest.contains(':') || rest.starts_with(['+', '-']) && !rest.starts_with("--");
    Some(scored || rest.is_empty() && start.named != Some(Format::Transcript))
}

/// A position with what is known about it, in discs from the mover's view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObfPosition {
    /// The position.
    pub position: Position,
    /// Exact scores of moves, in the order of the file.
    pub moves: Vec<(Move, Score)>,
    /// The best score: the one given, or the best of the moves.
    pub best: Option<Score>,
}

/// Why a line is not OBF. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObfError {
    /// Not a move.
    #[error("column {column}: {source}")]
    Move {
        /// Where it stands.
        column: usize,
        /// What stands there.
        source: ParseMoveError,
    },
    /// Against the rules.
    #[error("column {column}: {mv} is not legal in this position")]
    Illegal {
        /// Where it stands.
        column: usize,
        /// The move.
        mv: Move,
    },
    /// Not a number of discs.
    #[error("column {column}: '{found}' is not a score from -64 to +64")]
    Score {
        /// Where it stands.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// The one score is not the best of the others.
    #[error("the best score is given as {given}, but the best move has {best}")]
    Best {
        /// The score without a move.
        given: Score,
        /// The best score with a move.
        best: Score,
    },
}

impl ObfPosition {
    /// Reads a line without its comment; a position alone will do.
    pub fn parse(line: &str) -> Result<ObfPosition, Reason> {
        let (position, rest) = line.split_once(';').unwrap_or((line, ""));
        let position: Position = position.parse()?;
        let mut column = line.chars().count() - rest.chars().count() + 1;
        let mut moves = Vec::new();
        let mut given = None;
        for field in rest.split(';') {
            let text = field.trim();
            let start = column + field.chars().take_while(|c| c.is_whitespace()).count();
            column += field.chars().count() + 1;
            if text.is_empty() {
                continue;
            }
            match text.split_once(':') {
                None => given = Some(score(text, start)?),
                Some((mv, value)) => {
                    let error = |source| ObfError::Move { column: start, source };
                    let mv: Move = mv.trim().parse().map_err(error)?;
                    if position.board.play(mv).is_none() {
                        return Err(ObfError::Illegal { column: start, mv }.into());
                    }
                    let column = start + text.chars().count() - value.chars().count();
                    moves.push((mv, score(value, column)?));
                }
            }
        }
        let best = moves.iter().map(|&(_, score)| score).max();
        match (given, best) {
            (Some(given), Some(best)) if given != best => {
                Err(ObfError::Best { given, best }.into())
            }
            _ => Ok(ObfPosition { position, moves, best: given.or(best) }),
        }
    }
}

fn score(text: &str, column: usize) -> Result<Score, ObfError> {
    let number: Option<i32> = text.trim().parse().ok();
    let error = || ObfError::Score { column, found: text.trim().to_owned() };
    number.and_then(Score::new).ok_or_else(error)
}

impl fmt::Display for ObfPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        for (mv, score) in &self.moves {
            let name =
                mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase());
            write!(f, " {name}:{:+};", score.discs())?;
        }
        match self.best {
            Some(best) if self.moves.is_empty() => write!(f, " {:+};", best.discs()),
            _ => Ok(()),
        }
    }
}

/// Reads positions, one per line.
pub struct ObfReader<R> {
    lines: Lines<R>,
    positions: u64,
}

impl<R: BufRead> ObfReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> ObfReader<R> {
        ObfReader { lines: Lines::new(input), positions: 0 }
    }

    /// Reads every position as a game without moves, its best score as the
    /// proven result of its start.
    pub fn into_games(self) -> impl Iterator<Item = Result<GameRecord, Fault>> {
        self.map(|position| position.map(|obf| record_of(&obf)))
    }
}

impl<R: BufRead> Iterator for ObfReader<R> {
    type Item = Result<ObfPosition, Fault>;

    fn next(&mut self) -> Option<Result<ObfPosition, Fault>> {
        Some(self.lines.next_content()?.and_then(|(number, line)| {
            self.positions += 1;
            let place = Place::line(self.positions, number);
            ObfPosition::parse(&line).map_err(|reason| Fault::new(place, reason))
        }))
    }
}

fn record_of(obf: &ObfPosition) -> GameRecord {
    let mut record = GameRecord::new(Game::new(obf.position));
    let verdict = obf.best.map(Verdict::Score);
    record.solved.extend(verdict.map(|verdict| Solved { ply: 0, verdict }));
    record
}

/// A line for each position whose score is known; a position that is no game
/// needs no score.
fn lines(record: &GameRecord) -> Result<String, WriteError> {
    let mut lines: Vec<String> = positions_of(record).map(|obf| obf.to_string()).collect();
    if lines.is_empty() {
        if !record.game.plies().is_empty() {
            let why = "OBF is for positions with scores, and this game has none that is solved";
            return Err(WriteError::Unwritable(why));
        }
        lines.push(format!("{};", record.game.start()));
    }
    Ok(lines.join("\n"))
}

/// The positions of a game whose exact scores are known.
pub fn positions_of(record: &GameRecord) -> impl Iterator<Item = ObfPosition> {
    let plies = record.game.plies();
    record.solved.iter().filter_map(move |solved| {
        let position = plies.get(solved.ply).map_or(record.game.position(), |ply| ply.before);
        let best = Some(solved.verdict.score()?);
        Some(ObfPosition { position, moves: Vec::new(), best })
    })
}
