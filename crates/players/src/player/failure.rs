use discern_records::Ending;

/// Why a player has no move to offer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The program ended or closed its output.
    #[error("the program died: {0}")]
    Crash(String),
    /// The program did not answer.
    #[error("no answer for {0:.1} seconds")]
    Silence(f64),
    /// The program answered something that is no legal move.
    #[error("not a legal move: {0}")]
    Illegal(String),
    /// The program refused a command without which there is no game.
    #[error("{0}")]
    Refused(String),
    /// The player gives up.
    #[error("resigned")]
    Resigned,
    /// The match was stopped.
    #[error("the match was stopped")]
    Interrupted,
}

impl Failure {
    /// The player cannot be asked again.
    pub fn is_fatal(&self) -> bool {
        matches!(self, Failure::Crash(_) | Failure::Silence(_) | Failure::Interrupted)
    }

    /// How a game ends in which this happens.
    pub fn ending(&self) -> Ending {
        match self {
            Failure::Crash(_) => Ending::Crash,
            Failure::Silence(_) => Ending::Silence,
            Failure::Illegal(_) | Failure::Refused(_) => Ending::Illegal,
            Failure::Resigned => Ending::Resigned,
            Failure::Interrupted => Ending::Interrupted,
        }
    }
}
