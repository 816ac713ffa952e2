//! Learns the direct model from nothing, generation by generation: the newest
//! model plays itself, its searches judge every position they meet, and the
//! next model is fitted to these judgements. After each generation it is
//! measured on games that taught it nothing and meets the one before.
//!
//! * [`Settings`]: what a training does; its folder keeps them.
//! * [`Course`]: the folder. [`Course::advance`] makes what is missing of the
//!   next generation; killed at any moment, it resumes.
//! * [`Generation`]: what came of one.
//! * [`with_odds`]: odds that outcomes bear out.
//! * [`with_scores`]: expected scores, from the end of the game to its middle.
//! * [`calibrate`]: how far searches stray from a model, and what its odds mean
//!   in discs.
//!
//! This crate refuses to know how anything is printed and which weights are
//! shipped: those that are to keep their other models are handed in.

mod calibrate;
mod course;
mod error;
mod held_out;
mod odds;
mod scores;
mod searched;
mod settings;

pub use calibrate::calibrate;
pub use course::{Course, Doing, Event, Generation};
pub use error::TrainError;
pub use held_out::HeldOut;
pub use odds::with_odds;
pub use scores::{ScoreSample, ScoreSettings, ScoreStep, with_scores};
pub use settings::Settings;
