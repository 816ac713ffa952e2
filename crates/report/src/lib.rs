//! Results made visible: SVG charts and terminal tables.
//!
//! Result structs go in and text comes out; nothing is computed here beyond
//! where a mark goes. [`chart`] is the layer every figure is built on: axes
//! with labels, series, a palette that colour-blind readers can tell apart,
//! light and dark.

pub mod chart;
mod figures;
pub mod reproduction;
mod text_table;

pub use figures::{calibration_chart, class_density_chart, winning_share_chart};
pub use text_table::{Align, TextTable};
