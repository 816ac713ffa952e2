//! Learning from classified positions: tables of configurations, and models
//! of every phase (Section 4 of the paper).
//!
//! This crate knows positions and their outcomes; how games become classified
//! positions is a matter of its own modules, and it refuses to know how the
//! weights are used.
//!
//! * [`GameTree`]: games in, labelled positions and the counts of Figure 3 out;
//!   [`write_parquet`] shows them to the world.
//! * [`ClassifiedPosition`]: an example; [`load_positions`] and
//!   [`save_positions`] keep them in files.
//! * [`PatternRows`]: their configurations as sparse rows, also for other programs.
//! * [`JudgedPosition`]: a position with the odds that a search gave it;
//!   [`Judgements`] collects them from games, and [`Hindsight`] lets what came
//!   later correct them.
//! * [`fit`]: tables and models from examples; [`FitSettings`]. How each model
//!   is fitted is an entry of [`FITS`].
//! * [`Split`], [`quality`]: how good any evaluator is on games that it has not
//!   seen.

mod compare;
mod counts;
mod fit;
mod fits;
mod gap;
mod hindsight;
mod judged;
mod levels;
mod pattern_rows;
mod position;
mod position_file;
mod position_form;
mod rows;
mod settings;
mod split;
#[cfg(test)]
mod testing;
mod training;
mod tree;

pub use compare::{
    Agreement, ModelQuality, PhaseQuality, compare, disc_ranges, held_out, prediction, quality,
};
pub use fit::{Fitted, LearnError, fit};
pub use fits::{
    DirectSettings, FITS, Fit, FitEnd, FittedModel, ScoreStage, StageDone, calibrate_odds,
    fit_direct, fit_direct_watched, fit_named, fit_names, fit_scores, lowest, parse_fit,
};
pub use gap::discordance_gap;
pub use hindsight::Hindsight;
pub use judged::{JudgedPosition, Judgements, fit_judged};
pub use levels::Levels;
pub use pattern_rows::PatternRows;
pub use position::ClassifiedPosition;
pub use position_file::{PositionFileError, decode_positions, load_positions, save_positions};
pub use position_form::{PositionForm, UnknownForm};
pub use rows::feature_table;
pub use settings::{Evidence, FitSettings, TableSettings, Window};
pub use split::{Split, deal};
pub use training::{PhaseRows, Training};
pub use tree::{
    Dispute, GameTree, LabelSource, LabelSteps, LabelledPosition, PhaseCounts, TreeCounts,
    write_parquet,
};
