//! Results as plain text for the terminal, one file for each kind of result.

mod analysis;
mod book;
mod compare;
mod experiment;
mod explained;
mod fit;
mod game;
mod games;
mod review;
mod solutions;
mod sparse;
mod tournament;
mod training;
mod tree;
mod weights;

pub use analysis::print_analysis;
pub use book::{Shown, book_study_text, book_text, growing_text};
pub use compare::print_comparison;
pub use experiment::{StudyTable, Table1, facts_line};
pub use explained::{print_explained, print_explained_moves};
pub(crate) use fit::folds;
pub use fit::{print_fit, print_metrics};
pub use game::game_text;
pub use games::games_text;
pub use review::print_review;
pub use solutions::{SOLUTIONS_HEAD, solution_line, solving_text, totals_text};
pub use sparse::print_sparse;
pub use tournament::{Tallies, tournament_text};
pub use training::{print_calibration, print_generation};
pub use tree::tree_text;
pub use weights::print_weights;
