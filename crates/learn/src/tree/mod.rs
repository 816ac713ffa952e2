//! From games to classified positions: the one tree of all games (Section 3
//! and Figure 3 of the paper).
//!
//! Nodes are canonical positions, so that transpositions, turned and mirrored
//! games meet; edges are the moves and passes that were played. A position's
//! label is found by NegaMax over its examined successors:
//!
//! * *Game over:* the board decides, with its score.
//! * *Solved:* a stored verdict is the label, whatever the successors say: all
//!   of them may be worse, if nobody found the right move, or better, if
//!   somebody erred later. They keep their own labels. Verdicts of different
//!   games that contradict each other prove nothing.
//! * *Otherwise* the best of the negated labels of the examined successors. A
//!   pass is a successor like any other: mover and sign change, the phase
//!   does not.
//! * *Awarded results* (resigned, agreed, adjudicated) count as one more
//!   successor of the last position, with an outcome but no score. Lost on
//!   time, by an illegal move, a crash or silence says nothing of the position:
//!   such games and unfinished ones are examined lines without a result.
//!   Positions for which no line has a result have no label and are not
//!   written.
//! * *Scores:* the score of a position is the best of its successors with the
//!   best outcome. If one of them has no score it has none: its true score
//!   could be better. It is exact where the position is over or was solved for
//!   its score, and else as good as the play.
//!
//! Nothing depends on the order of the games, and a game changes only labels
//! of positions from which it can be reached.

mod counts;
mod group;
mod index;
mod label;
mod order;
mod proof;
mod propagate;
mod table_file;
mod tree_of_games;

pub use counts::{PhaseCounts, TreeCounts};
pub(crate) use group::{OPENING_DISCS, group_of};
pub use label::LabelSource;
pub use proof::Dispute;
pub use propagate::{LabelSteps, LabelledPosition};
pub use table_file::write_parquet;
pub use tree_of_games::GameTree;
