use std::fmt;
use std::str::FromStr;

/// How a game came to its end.
///
/// Only [`Ending::Played`] says that the rules ended it; for every other
/// ending the stated score (if there is one) was awarded, not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// Neither side could move.
    Played,
    /// The record stops and does not say why.
    Unfinished,
    /// A player gave up.
    Resigned,
    /// The players agreed on a result.
    Agreed,
    /// A player ran out of time.
    Timeout,
    /// A player made an illegal move.
    Illegal,
    /// A program died.
    Crash,
    /// A program did not answer.
    Silence,
    /// A player left.
    Left,
    /// A referee or a rule of the match decided.
    Adjudicated,
    /// The match was stopped.
    Interrupted,
}

impl Ending {
    /// All endings; the archive codes an ending as its place in this list.
    pub const ALL: [Ending; 11] = [
        Ending::Played,
        Ending::Unfinished,
        Ending::Resigned,
        Ending::Agreed,
        Ending::Timeout,
        Ending::Illegal,
        Ending::Crash,
        Ending::Silence,
        Ending::Left,
        Ending::Adjudicated,
        Ending::Interrupted,
    ];
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ending::Played => "played",
            Ending::Unfinished => "unfinished",
            Ending::Resigned => "resigned",
            Ending::Agreed => "agreed",
            Ending::Timeout => "timeout",
            Ending::Illegal => "illegal",
            Ending::Crash => "crash",
            Ending::Silence => "silence",
            Ending::Left => "left",
            Ending::Adjudicated => "adjudicated",
            Ending::Interrupted => "interrupted",
        })
    }
}

/// The word names no ending.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a way to end a game")]
pub struct ParseEndingError(pub String);

impl FromStr for Ending {
    type Err = ParseEndingError;

    fn from_str(text: &str) -> Result<Ending, ParseEndingError> {
        let named = |ending: &Ending| ending.to_string() == text;
        Ending::ALL.into_iter().find(named).ok_or_else(|| ParseEndingError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_survive_printing_and_parsing_in_the_order_of_the_list() {
        for (index, ending) in Ending::ALL.into_iter().enumerate() {
            assert_eq!(ending as usize, index);
            assert_eq!(ending.to_string().parse(), Ok(ending));
        }
        assert!("exploded".parse::<Ending>().is_err());
    }
}
