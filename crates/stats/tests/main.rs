//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod bad_input;
mod common;
mod golden;
mod metrics;
mod parts;
mod rows;
mod sparse;
mod textbook;
