//! Learning from classified positions: tables of configurations, and the
//! models LOG, FISHER and QUAD of every phase (Section 4 of the paper).
//!
//! This crate knows positions and their outcomes; how games become classified
//! positions is a matter of its own modules, and it refuses to know how the
//! weights are used.
//!
//! * [`GameTree`]: games in, labelled positions and the counts of Figure 3 out;
//!   [`write_parquet`] shows them to the world.
//! * [`ClassifiedPosition`]: an example; [`load_positions`] and
//!   [`save_positions`] keep them in files.
//! * [`fit`]: all tables and models from examples; [`FitSettings`].
//! * [`Split`], [`compare`]: how good they are on games they have not seen.

mod compare;
mod counts;
mod direct;
mod fit;
mod gap;
mod position;
mod position_file;
mod rows;
mod settings;
mod split;
#[cfg(test)]
mod testing;
mod tree;

pub use compare::{
    Agreement, Comparison, ModelQuality, PhaseQuality, compare, prediction, quality,
};
pub use direct::{DirectSettings, fit_direct};
pub use fit::{Fitted, LearnError, PhaseFit, fit};
pub use gap::discordance_gap;
pub use position::ClassifiedPosition;
pub use position_file::{PositionFileError, decode_positions, load_positions, save_positions};
pub use settings::{Evidence, FitSettings, TableSettings, Window};
pub use split::{Split, deal};
pub use tree::{
    Dispute, GameTree, LabelSource, LabelledPosition, PhaseCounts, TreeCounts, write_parquet,
};
