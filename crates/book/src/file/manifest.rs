use serde::{Deserialize, Serialize};

/// How a book was made. Nothing in it depends on clocks or interruptions, so
/// that the same work gives the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program and its version.
    pub program: String,
    /// What was done, in order: who judged, with which limits.
    pub steps: Vec<String>,
}

impl Manifest {
    /// A book that this program begins.
    pub fn new() -> Manifest {
        let program = concat!("discern ", env!("CARGO_PKG_VERSION")).to_owned();
        Manifest { program, steps: Vec::new() }
    }

    /// Notes a step, unless it continues the last one.
    pub fn note(&mut self, step: &str) {
        if self.steps.last().is_none_or(|last| last != step) {
            self.steps.push(step.to_owned());
        }
    }
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest::new()
    }
}
