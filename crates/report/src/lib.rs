//! Results made visible: SVG charts, terminal tables, CSV files and the report
//! of a reproduction as one HTML page.
//!
//! Result structs go in and text comes out; nothing is computed here beyond
//! where a mark goes and how a number is written.
//!
//! - [`chart`] is the layer every figure is built on: axes with labels, series,
//!   a palette that colour-blind readers can tell apart, light and dark.
//! - [`reproduction`] holds the results of `discern reproduce`; [`html`] draws
//!   them, [`csv_files`] writes them for other programs.
//!
//! # Adding a section to the report
//!
//! 1. Put the numbers into [`reproduction::Reproduction`].
//! 2. Write `sections/<noun>.rs` with `pub fn section(&Reproduction) -> Section`:
//!    prose with `format!`, figures and tables from `markup`, numbers from
//!    `numbers`. Strings from the data go through `escape`; missing data get a
//!    sentence (`missing`), not a hole.
//! 3. Add it to `sections::ALL` at its place in the story. The table of contents
//!    follows by itself, and the tests check that every number shows, that
//!    hostile text stays text and that the page is well-formed.
//!
//! To look at the page: `cargo run -p discern-report --example page > page.html`
//! (made-up numbers; with the path of a `numbers.json`, those).

pub mod chart;
mod csv_files;
mod drawings;
mod features;
mod figures;
mod markup;
mod numbers;
mod page;
pub mod reproduction;
mod sections;
mod svg;
mod text_table;

pub use csv_files::{CsvFile, csv_files};
pub use figures::{calibration_chart, class_density_chart, winning_share_chart};
pub use numbers::{decimal, factor_range, p_value_to};
pub use page::html;
pub use text_table::{Align, TextTable};
