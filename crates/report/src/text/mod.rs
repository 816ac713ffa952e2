//! Results as plain text for the terminal, one file for each kind of result.

mod analysis;
mod bench;
mod book;
mod compare;
mod experiment;
mod explained;
mod fit;
mod game;
mod games;
mod progress;
mod review;
mod solutions;
mod sparse;
mod tournament;
mod training;
mod tree;
mod weights;

pub use analysis::print_analysis;
pub use bench::{BenchmarkRow, print_benchmark};
pub use book::{BookPart, GrowingWatch, book_study_text, book_text};
pub use compare::{ComparisonRow, comparison_rows, print_comparison, split_text};
pub use experiment::{ReadmeTable, StudyTable, Table1, facts_line};
pub use explained::print_explained;
pub(crate) use fit::folds;
pub use fit::{print_fit, print_metrics};
pub use game::{game_board, game_text};
pub use games::games_text;
pub use progress::{ExperimentWatch, Shown};
pub use review::{ReviewRow, print_review, review_rows};
pub use solutions::{SOLUTIONS_HEAD, solution_line, solving_text, totals_text};
pub use sparse::{Doing, SparseWatch, print_sparse};
pub use tournament::{TournamentWatch, mishap_text, tournament_text, unfinished_text};
pub use training::{
    CalibratedPhase, calibrated_phases, print_calibration, print_generation, score_stage_text,
    stage_text,
};
pub use tree::tree_text;
pub use weights::print_weights;
