//! Results made visible: SVG charts, terminal tables, CSV files and the report
//! of a reproduction as one HTML page.
//!
//! Result structs go in and text comes out. This crate refuses to know how
//! numbers are computed: here is only where a mark goes and how a number is
//! written.
//!
//! - [`chart`] is the layer every figure is built on: axes with labels, series,
//!   a palette that colour-blind readers can tell apart, light and dark.
//! - [`html`] draws the results of an experiment as one page, [`sections`] as
//!   the parts of it for another page with [`style_sheet`], [`csv_files`] writes
//!   them for other programs, and [`Wording`] says what agrees with the paper.
//! - Every other result has a plain text: [`print_fit`], [`tournament_text`],
//!   [`print_review`] and so on, built from [`TextTable`].
//! - [`fit_plots`] draws what a fit on any table shows.
//!
//! # Adding a section to the report
//!
//! 1. Put the numbers into [`discern_experiment::Reproduction`].
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
mod figures;
mod folder;
mod markup;
mod numbers;
mod page;
mod plots;
mod sections;
mod svg;
mod text;
mod text_table;
mod wording;

pub use csv_files::{CsvFile, csv_files};
pub use figures::{calibration_chart, class_density_chart, winning_share_chart};
pub use folder::{read_numbers, write_report, write_study};
pub use numbers::{allowance, decimal, duration, factor_range, p_value_to};
pub use page::{Section, html, sections, study_html, style_sheet};
pub use plots::fit_plots;
pub use sections::facts;
pub use text::*;
pub use text_table::{Align, TextTable};
pub use wording::Wording;
