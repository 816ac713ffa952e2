use serde::{Deserialize, Serialize};

/// Where a set of weights comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The program and its version.
    pub program: String,
    /// The command that made it.
    pub command: String,
    /// Hash of the classified positions (BLAKE3).
    pub data: String,
    /// How many positions were used.
    pub positions: u64,
    /// How many groups of games they come from.
    pub groups: u64,
    /// All settings of tables and fits.
    pub settings: serde_json::Value,
    /// What a reader should know: phases that borrowed from their
    /// neighbours, features left out, fits that did not converge.
    pub remarks: Vec<String>,
}

impl Manifest {
    /// A manifest that says only which command it is.
    pub fn new(command: impl Into<String>) -> Manifest {
        Manifest {
            program: concat!("discern ", env!("CARGO_PKG_VERSION")).into(),
            command: command.into(),
            data: String::new(),
            positions: 0,
            groups: 0,
            settings: serde_json::Value::Null,
            remarks: Vec::new(),
        }
    }
}
