use std::fmt;

/// What one side was allowed to use. What is `None` was not limited, or is not
/// known; several limits may hold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Limits {
    /// Plies of search.
    pub depth: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Milliseconds per move.
    pub move_ms: Option<u64>,
    /// Time for the whole game.
    pub clock: Option<Clock>,
}

/// Time for a whole game, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Clock {
    /// At the start.
    pub main_ms: u64,
    /// Added with every move.
    pub increment_ms: u64,
    /// Left after the main time has run out, at a price the match decides.
    pub grace_ms: u64,
}

impl Limits {
    /// Searches this deep.
    pub fn depth(depth: u32) -> Limits {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    /// Searches this many nodes per move.
    pub fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Nothing is limited, or nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Limits::default()
    }
}

impl fmt::Display for Clock {
    /// In the words of GGF, `5:00/0:03/2:00`: main time, increment, grace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_time(f, self.main_ms)?;
        if self.increment_ms != 0 || self.grace_ms != 0 {
            f.write_str("/")?;
            write_time(f, self.increment_ms)?;
        }
        if self.grace_ms != 0 {
            f.write_str("/")?;
            write_time(f, self.grace_ms)?;
        }
        Ok(())
    }
}

fn write_time(f: &mut fmt::Formatter<'_>, ms: u64) -> fmt::Result {
    let seconds = ms / 1000;
    if seconds >= 3600 {
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    } else {
        write!(f, "{}:{:02}", seconds / 60, seconds % 60)?;
    }
    if ms.is_multiple_of(1000) { Ok(()) } else { write!(f, ".{:03}", ms % 1000) }
}

impl fmt::Display for Limits {
    /// `depth 8, 5:00/0:03`, or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.move_ms.map(|ms| format!("{ms} ms per move")),
            self.clock.map(|clock| clock.to_string()),
        ];
        let text = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        f.pad(if text.is_empty() { "unknown" } else { &text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_in_words() {
        let clock = Clock { main_ms: 300_000, increment_ms: 3_500, grace_ms: 0 };
        let limits = Limits { clock: Some(clock), ..Limits::depth(8) };
        assert_eq!(limits.to_string(), "depth 8, 5:00/0:03.500");
        assert_eq!(Limits::default().to_string(), "unknown");
        let long = Clock { main_ms: 3_723_000, increment_ms: 0, grace_ms: 120_000 };
        assert_eq!(long.to_string(), "1:02:03/0:00/2:00");
    }
}
