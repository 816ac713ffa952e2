//! The paper's experiment (Buro 1995, Section 4) from the games up, with its
//! results as plain data.
//!
//! [`Experiment::run`] takes games to classified positions, tables and models,
//! a held-out test, the speed of the search, the seven rows of Table 1 and the
//! time factors of equal strength. What a step has found is kept in a
//! [`Folder`] at once: after `kill -9` at any moment the same experiment
//! resumes, and no finished game is played again.
//!
//! - [`Reproduction`] is everything it found, what `numbers.json` holds. It is
//!   made of the results of `learn`, `stats` and `arena`; numbers come back from
//!   the file as they were, to the last bit.
//! - [`Finding`] is a claim of the paper judged by our intervals.
//! - [`Event`]s report progress to whoever shows it.
//! - [`paper`] has the paper's own figures.
//!
//! This crate refuses to know how results are drawn or printed: that is the
//! report's and the command line's. `models` is the one file that fits and
//! loads models, `matches` the one that plays.
//!
//! ```no_run
//! use discern_experiment::{Experiment, Folder, Pace, Source};
//!
//! let experiment = Experiment {
//!     games: Source::read("games", "othello.games".as_ref())?,
//!     given: Source::read("openings", "openings.txt".as_ref())?,
//!     pace: Pace::Seconds(0.25),
//!     openings: 100,
//!     seed: 1,
//!     concurrency: 2,
//!     plans_only: false,
//!     speed_nodes: discern_experiment::SPEED_NODES,
//!     program: "discern 0.1.0".into(),
//!     build: "hash of the program".into(),
//!     command: "discern reproduce".into(),
//! };
//! let mut folder = Folder::open("report".as_ref(), &experiment.settings(), false)?;
//! let found = experiment.run(&mut folder, &Default::default(), &mut |_| {})?;
//! println!("{:.1} %", found.table[0].ours.percentage());
//! # Ok::<(), discern_experiment::ExperimentError>(())
//! ```

mod companions;
mod diagonal;
mod error;
mod event;
mod experiment;
mod figures;
mod findings;
mod folder;
mod learning;
mod machine;
mod matches;
mod models;
mod moment;
mod openings;
mod pace;
pub mod paper;
mod question;
mod results;
mod source;
mod speed;
mod strength;
mod study;

pub use companions::{Companions, TENTH};
pub use error::{Difference, ExperimentError, ReadError};
pub use event::{Event, Facts, MatchProgress, Step};
pub use experiment::{Experiment, NUMBERS, SPEED_NODES};
pub use findings::{
    Claim, EQUIVALENCE_MARGIN, Finding, Superiority, Verdict, findings, superiorities,
};
pub use folder::{Folder, Settings};
pub use pace::{Allowance, Pace, Preset};
pub use question::Question;
pub use results::*;
pub use source::{Source, hash};
pub use study::{Studied, Study, StudyMatch, StudyPlan, StudyQuality, StudyResults};
