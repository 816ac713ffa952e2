//! The studio: a local server for a page on which one plays, analyses and
//! sees why an evaluation is what it is.
//!
//! [`Studio::new`] takes the [`Settings`], [`serve`] answers the connections of
//! a listener until it is told to stop. This crate refuses to know how boards
//! are searched or evaluated, and never turns a part of a request into the
//! name of a file.
//!
//! ```text
//! server ─► front_door ─► routes/ ─┬─► seats ─► engines   searches, bounded and stoppable
//!           limits, Host,          ├─► models             evaluators by name
//!           headers, log           ├─► runs/              experiments of the user's folders
//!                                  └─► assets             the page, embedded
//! ```
//!
//! The API is `assets/openapi.json`; a test holds the answers against it.

mod assets;
mod background;
pub mod browser;
mod connections;
mod engines;
mod fault;
mod front_door;
mod hosts;
mod line;
mod models;
mod rate;
mod refusal;
mod routes;
mod runs;
mod seats;
mod server;
mod settings;
mod steady;
mod studio;
#[doc(hidden)]
pub mod testing;

pub use models::Models;
pub use server::{cannot_serve, run, serve};
pub use settings::{Bounds, Log, Settings};
pub use studio::Studio;
