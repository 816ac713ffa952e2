//! What the result of a match is worth.
//!
//! Pure numbers in, pure numbers out. A match is played in pairs (one opening,
//! colours reversed), and the pair is the unit of every estimate: the games of
//! a pair are not independent. [`Summary`] has everything about one match;
//! [`Sprt`] decides early, [`Ratings`] compare many players, [`holm`] keeps
//! many tests honest.

mod bootstrap;
mod conservative;
mod distributions;
mod elo;
mod equal_strength;
mod holm;
mod margin;
mod paired;
mod ratings;
mod sample;
mod sprt;
mod summary;
mod tally;

pub use bootstrap::{Interval, RESAMPLES, bootstrap_mean, bootstrap_score};
pub use conservative::{conservative_test, critical_score};
pub use elo::{
    Estimate, NELO_SCALE, elo, elo_of_score, likelihood_of_superiority, normalized_elo,
    score_of_elo,
};
pub use equal_strength::{EqualStrength, HandicapMatch};
pub use holm::holm;
pub use margin::{Margin, margin};
pub use paired::{TTest, label_swap_test, sign_test, t_test};
pub use ratings::{Encounter, Ratings};
pub use sample::Sample;
pub use sprt::{Decision, Sprt, SprtModel, SprtRun};
pub use summary::{Pair, Summary};
pub use tally::{Pentanomial, Tally};
