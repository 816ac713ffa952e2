use std::fmt;
use std::ops::Neg;

use discern_board::{Outcome, Score};
use discern_eval::Value;

/// What a position or move is worth to the mover: log-odds of a win in
/// thousandths, or a proven result beyond all estimates.
///
/// A proven draw is 0 and an estimate never is: draws have a value of their
/// own, which [`Worth::counting`] can make a win or a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Worth(i16);

/// What a draw counts for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Draws {
    /// Half a win.
    #[default]
    Even,
    /// As good as a win: the mover seeks draws.
    Seek,
    /// As bad as a loss: the mover avoids draws.
    Avoid,
}

impl Draws {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Draws); 3] = [
        ("even", "Half a win", Draws::Even),
        ("seek", "As good as a win", Draws::Seek),
        ("avoid", "As bad as a loss", Draws::Avoid),
    ];
}

const PROVEN: i16 = 20_000;

impl Worth {
    /// A proven draw.
    pub const DRAW: Worth = Worth(0);
    /// Stands in files for "not known".
    const UNKNOWN: i16 = i16::MIN;

    /// An estimate from log-odds in thousandths; even odds become +1, since 0
    /// is a draw.
    pub fn estimate(thousandths: i32) -> Worth {
        match Value::estimate(thousandths).thousandths() as i16 {
            0 => Worth(1),
            other => Worth(other),
        }
    }

    /// A result known for certain.
    pub fn proven(score: Score) -> Worth {
        Worth(Value::proven(score).thousandths() as i16)
    }

    /// A draw that counts as a win (by no disc) or as a loss; anything else
    /// stays as it is.
    pub fn counting(self, draws: Draws) -> Worth {
        match (self.0, draws) {
            (0, Draws::Seek) => Worth(PROVEN),
            (0, Draws::Avoid) => Worth(-PROVEN),
            _ => self,
        }
    }

    /// The outcome, if this is a proven one.
    pub fn outcome(self) -> Option<Outcome> {
        match self.0 {
            0 => Some(Outcome::Draw),
            PROVEN.. => Some(Outcome::Win),
            ..=-20_000 => Some(Outcome::Loss),
            _ => None,
        }
    }

    /// The score of a proven result. Where only the outcome is known, a win
    /// counts as +2.
    pub fn score(self) -> Option<Score> {
        let _ = self.outcome()?;
        Score::new(i32::from(self.0 - self.0.signum() * PROVEN))
    }

    /// The probability of a win; a draw is half a win.
    pub fn probability(self) -> f64 {
        match self.outcome() {
            Some(Outcome::Win) => 1.0,
            Some(Outcome::Draw) => 0.5,
            Some(Outcome::Loss) => 0.0,
            None => self.value().probability(),
        }
    }

    /// As the search measures; a draw is even.
    pub fn value(self) -> Value {
        Value::from_thousandths(self.0.into())
    }

    /// The chance of a win in hundred-thousandths, by additions and products
    /// alone: every machine rounds them alike, so books grow alike everywhere.
    /// Errors stay below one in a thousand.
    pub(crate) fn chance(self) -> u32 {
        let odds = match self.outcome() {
            Some(Outcome::Win) => return 100_000,
            Some(Outcome::Draw) => return 50_000,
            Some(Outcome::Loss) => return 0,
            // e^f as (1 + f/4096)^4096, by squaring twelve times.
            None => (0..12).fold(1.0 + f64::from(self.0) / 4_096_000.0, |power, _| power * power),
        };
        (100_000.0 * odds / (1.0 + odds)) as u32
    }

    /// The number in files, from an optional worth.
    pub(crate) fn to_raw(worth: Option<Worth>) -> i16 {
        worth.map_or(Worth::UNKNOWN, |worth| worth.0)
    }

    /// The worth of a number in a file; `Err` if it is none.
    pub(crate) fn from_raw(raw: i16) -> Result<Option<Worth>, ()> {
        match raw {
            Worth::UNKNOWN => Ok(None),
            -20_064..=-20_000 | -15_000..=15_000 | 20_000..=20_064 => Ok(Some(Worth(raw))),
            _ => Err(()),
        }
    }

    /// The same log-odds on another scale; proven results keep theirs.
    pub fn scaled(self, factor: f64) -> Worth {
        match self.outcome() {
            Some(_) => self,
            None => Worth::estimate((f64::from(self.0) * factor).round() as i32),
        }
    }
}

impl Neg for Worth {
    type Output = Worth;

    fn neg(self) -> Worth {
        Worth(-self.0)
    }
}

impl fmt::Display for Worth {
    /// `53.1 %`, or the proven result: `win`, `draw`, `loss`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self.outcome() {
            Some(outcome) => outcome.to_string(),
            None => format!("{:.1} %", 100.0 * self.probability()),
        })
    }
}

/// A worth in the three ways a draw can count for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Worths {
    /// Draws are half a win.
    pub even: Worth,
    /// Draws are wins.
    pub seek: Worth,
    /// Draws are losses.
    pub avoid: Worth,
}

impl Worths {
    /// What a search found, three times.
    pub fn of(worth: Worth) -> Worths {
        Worths {
            even: worth,
            seek: worth.counting(Draws::Seek),
            avoid: worth.counting(Draws::Avoid),
        }
    }

    /// With draws counted like this.
    pub fn with(&self, draws: Draws) -> Worth {
        match draws {
            Draws::Even => self.even,
            Draws::Seek => self.seek,
            Draws::Avoid => self.avoid,
        }
    }

    /// The best of each.
    pub(crate) fn max(self, other: Worths) -> Worths {
        Worths {
            even: self.even.max(other.even),
            seek: self.seek.max(other.seek),
            avoid: self.avoid.max(other.avoid),
        }
    }

    /// From the other side: who wants a draw is now the opponent.
    pub(crate) fn turned(self) -> Worths {
        Worths { even: -self.even, seek: -self.avoid, avoid: -self.seek }
    }
}

/// How reliable a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// An estimate that looks this many plies ahead, book moves included.
    Depth(u8),
    /// Win, draw or loss is proven.
    Outcome,
    /// The score is proven.
    Score,
}

impl Grade {
    /// Is the outcome proven?
    pub fn is_proven(self) -> bool {
        !matches!(self, Grade::Depth(_))
    }

    /// Plies looked ahead in a position with this many empty squares.
    pub fn depth(self, empties: u32) -> u32 {
        match self {
            Grade::Depth(depth) => depth.into(),
            _ => empties,
        }
    }

    pub(crate) fn to_raw(self) -> u8 {
        match self {
            Grade::Depth(depth) => depth.min(64),
            Grade::Outcome => 254,
            Grade::Score => 255,
        }
    }

    pub(crate) fn from_raw(raw: u8) -> Result<Grade, ()> {
        match raw {
            0..=64 => Ok(Grade::Depth(raw)),
            254 => Ok(Grade::Outcome),
            255 => Ok(Grade::Score),
            _ => Err(()),
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match self {
            Grade::Depth(depth) => format!("depth {depth}"),
            Grade::Outcome => "proven".to_owned(),
            Grade::Score => "exact".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(discs: i32) -> Worth {
        Worth::proven(Score::new(discs).unwrap())
    }

    #[test]
    fn a_draw_is_no_estimate_and_counts_as_it_is_told_to() {
        assert_ne!(Worth::estimate(0), Worth::DRAW);
        assert_eq!(Worth::estimate(0).outcome(), None);
        assert!(Worth::DRAW.counting(Draws::Seek) > Worth::estimate(i32::MAX));
        assert!(Worth::DRAW.counting(Draws::Seek) < score(2));
        assert!(Worth::DRAW.counting(Draws::Avoid) > score(-2));
        assert_eq!(score(-12).score().unwrap().discs(), -12);
        assert_eq!(score(2).counting(Draws::Avoid), score(2));
    }

    #[test]
    fn the_view_from_the_other_side_exchanges_who_wants_the_draw() {
        let draw = Worths::of(Worth::DRAW);
        // A mover to whom draws are wins faces an opponent to whom they are losses.
        assert_eq!(draw.turned(), draw);
        assert_eq!(Worths::of(score(6)).turned(), Worths::of(score(-6)));
    }

    #[test]
    fn chances_are_the_logistic_function_within_a_thousandth() {
        for thousandths in (-15_000..=15_000).step_by(7) {
            let worth = Worth::estimate(thousandths);
            let error = worth.probability() - f64::from(worth.chance()) / 1e5;
            assert!(error.abs() < 1e-3, "{thousandths}: {error}");
        }
    }

    #[test]
    fn numbers_of_files_are_read_back_and_others_refused() {
        for raw in i16::MIN..=i16::MAX {
            if let Ok(worth) = Worth::from_raw(raw) {
                assert_eq!(Worth::to_raw(worth), raw);
            }
        }
        assert!(Worth::from_raw(17_000).is_err() && Worth::from_raw(-20_065).is_err());
        assert!((0..=255).filter(|&raw| Grade::from_raw(raw).is_ok()).count() == 67);
    }
}
