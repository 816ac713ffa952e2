//! Results in the words and numbers that people write.

/// Reads the cells of a label column.
///
/// A column counts in shares of a win (1, ½, 0) or, as soon as a −1 turns up
/// in it, in 1, 0, −1. The two differ in what a 0 means, so that a column of
/// shares cannot hold a −1, nor the other one a word or a fraction.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Labels {
    /// A −1 was read.
    pub(crate) signed: bool,
    /// A 0 was read before any −1, and taken for a loss.
    pub(crate) zeros: bool,
    /// A word or a fraction was read.
    shares: bool,
}

impl Labels {
    /// The number in a cell: a share of the win, or −1, 0, 1. What it means is
    /// certain once all cells were read: [`share`](Self::share).
    pub(crate) fn read(&mut self, text: &str) -> Result<f64, String> {
        let number = text.parse::<f64>();
        let value = match (text.to_ascii_lowercase().as_str(), number) {
            ("w" | "win" | "won", _) => 1.0,
            ("l" | "loss" | "lost", _) => 0.0,
            ("d" | "draw" | "drawn" | "½" | "1/2", _) => 0.5,
            (_, Ok(value)) if value == -1.0 || (0.0..=1.0).contains(&value) => value,
            _ => {
                return Err(format!(
                    "'{text}' is not a result (win, draw, loss; W, D, L; 1, 0.5, 0; \
                     a share between; or 1, 0, -1)"
                ));
            }
        };
        self.signed |= value < 0.0;
        self.zeros |= value == 0.0 && !self.signed;
        self.shares |= text.parse() != Ok(value.round());
        if self.signed && self.shares {
            return Err(format!("'{text}' does not go with the other results: 1, 0, -1 or shares"));
        }
        Ok(value)
    }

    /// The share of the win that a number of this column means.
    pub(crate) fn share(&self, value: f64) -> f64 {
        if self.signed { 0.5 * (value + 1.0) } else { value }
    }
}

/// The share of a win in counted trials.
pub(crate) fn share_of(successes: f64, trials: f64) -> Result<f64, String> {
    // The table holds finite numbers only.
    if trials <= 0.0 {
        return Err(format!("{trials} is not a positive number of trials"));
    }
    if !(0.0..=trials).contains(&successes) {
        return Err(format!("{successes} successes out of {trials} trials"));
    }
    Ok(successes / trials)
}

/// A phase.
pub(crate) fn whole_number(phase: f64) -> Result<i32, String> {
    let whole = phase as i32;
    if f64::from(whole) == phase {
        Ok(whole)
    } else {
        Err(format!("phase {phase} is not a whole number"))
    }
}
