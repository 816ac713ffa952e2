//! Learning from classified positions: tables of configurations, and the
//! models LOG, FISHER and QUAD of every phase (Section 4 of the paper).
//!
//! This crate knows positions and their outcomes; how games become classified
//! positions is a matter of its own modules, and it refuses to know how the
//! weights are used.
//!
//! * [`ClassifiedPosition`]: an example.
//! * [`fit`]: all tables and models from examples; [`FitSettings`].
//! * [`Split`], [`compare`]: how good they are on games they have not seen.

mod compare;
mod counts;
mod fit;
mod position;
mod rows;
mod settings;
mod split;
#[cfg(test)]
mod testing;

pub use compare::{Agreement, Comparison, ModelQuality, PhaseQuality, compare, quality};
pub use fit::{Fitted, LearnError, PhaseFit, fit};
pub use position::ClassifiedPosition;
pub use settings::{Evidence, FitSettings, TableSettings, Window};
pub use split::{Split, deal};
