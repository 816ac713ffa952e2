use serde::{Deserialize, Serialize};

/// Where a model comes from.
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
    /// How good it was on games it had not seen, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOut>,
}

/// How good a model was on held-out positions: it was fitted to the other
/// games by the same command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// The positions.
    pub positions: u64,
    /// Mean loss −ln P(what happened), each value followed by its standard
    /// error.
    pub log_loss: [f64; 2],
    /// Mean square of P(W) less the outcome.
    pub brier: [f64; 2],
    /// Share of the decided positions on whose side the model was.
    pub accuracy: [f64; 2],
    /// Share of the pairs of positions that it puts in the wrong order.
    pub discordance: Option<[f64; 2]>,
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
            held_out: None,
        }
    }
}
