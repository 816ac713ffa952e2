//! The fields of games: each in a column of its own, so that what hardly
//! changes from game to game costs next to nothing once compressed. `docs/formats.md` describes the columns; [`super::encode`] fills
//! them and [`super::decode`] reads them.

use discern_board::{Outcome, Score};

use super::ArchiveError;
use super::bytes::{narrow, unzigzag, zigzag};
use crate::evaluation::{Evaluation, Verdict};

/// The columns in the order in which they stand in a block.
#[derive(Clone, Copy)]
pub enum Column {
    Names,
    Flags,
    Players,
    Limits,
    Starts,
    Openings,
    Lengths,
    Moves,
    Endings,
    Scores,
    Seeds,
    Sources,
    Evaluations,
    Times,
    Depths,
    Nodes,
    Solved,
    Corrections,
    Tags,
}

impl Column {
    /// A number for each ply: which of them a byte belongs to says little, and
    /// which byte of its number it is says much.
    pub fn is_of_plies(self) -> bool {
        matches!(self, Column::Evaluations | Column::Times | Column::Depths | Column::Nodes)
    }
}

/// How many columns there are.
pub const COLUMNS: usize = Column::Tags as usize + 1;

/// Which parts a game has beyond the usual.
pub mod flag {
    pub const START: u64 = 1;
    pub const STOPPED: u64 = 1 << 1;
    pub const SCORE: u64 = 1 << 2;
    pub const LIMITS: u64 = 1 << 3;
    pub const SEED: u64 = 1 << 4;
    pub const SOURCE: u64 = 1 << 5;
    pub const NOTES: u64 = 1 << 6;
    pub const SOLVED: u64 = 1 << 7;
    pub const CORRECTION: u64 = 1 << 8;
    pub const TAGS: u64 = 1 << 9;
    pub const ALL: u64 = (1 << 10) - 1;
}

/// 0, 1, 2 for loss, draw, win; 3 to 131 for the scores −64 to 64.
pub fn verdict_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Outcome(outcome) => outcome as u8,
        Verdict::Score(score) => (score.discs() + 67) as u8,
    }
}

/// Undoes [`verdict_code`].
pub fn verdict(code: u8) -> Result<Verdict, ArchiveError> {
    let unknown = ArchiveError::Content("an unknown proven result");
    Ok(match code {
        0 => Verdict::Outcome(Outcome::Loss),
        1 => Verdict::Outcome(Outcome::Draw),
        2 => Verdict::Outcome(Outcome::Win),
        _ => Verdict::Score(Score::new(i32::from(code) - 67).ok_or(unknown)?),
    })
}

/// The kind in the remainder by three, the number in the quotient.
pub fn evaluation_code(evaluation: Evaluation) -> u64 {
    match evaluation {
        Evaluation::LogOdds(milli) => zigzag(milli.into()) * 3,
        Evaluation::Discs(centi) => zigzag(centi.into()) * 3 + 1,
        Evaluation::Proven(verdict) => u64::from(verdict_code(verdict)) * 3 + 2,
    }
}

/// What the last search thought, from the view of whoever moves now: the next
/// one hardly differs, so log-odds of a game are coded as differences.
#[derive(Debug, Clone, Copy, Default)]
pub struct Expected(i32);

impl Expected {
    /// The code of the next ply's evaluation.
    pub fn code(&mut self, evaluation: Option<Evaluation>) -> Option<u64> {
        let before = self.0;
        self.pass_on(evaluation);
        evaluation.map(|evaluation| match evaluation {
            Evaluation::LogOdds(milli) => {
                evaluation_code(Evaluation::LogOdds(milli.wrapping_sub(before)))
            }
            other => evaluation_code(other),
        })
    }

    /// Undoes [`Expected::code`].
    pub fn evaluation(&mut self, code: Option<u64>) -> Result<Option<Evaluation>, ArchiveError> {
        let coded = code.map(evaluation).transpose()?;
        let found = coded.map(|coded| match coded {
            Evaluation::LogOdds(milli) => Evaluation::LogOdds(milli.wrapping_add(self.0)),
            other => other,
        });
        self.pass_on(found);
        Ok(found)
    }

    /// The other side moves, and sees what was found the other way round.
    fn pass_on(&mut self, found: Option<Evaluation>) {
        if let Some(Evaluation::LogOdds(milli)) = found {
            self.0 = milli;
        }
        self.0 = self.0.wrapping_neg();
    }
}

/// Undoes [`evaluation_code`].
pub fn evaluation(code: u64) -> Result<Evaluation, ArchiveError> {
    let number = || narrow::<u32>(code / 3).map(|value| unzigzag(value.into()) as i32);
    Ok(match code % 3 {
        0 => Evaluation::LogOdds(number()?),
        1 => Evaluation::Discs(number()?),
        _ => Evaluation::Proven(verdict(narrow(code / 3)?)?),
    })
}
