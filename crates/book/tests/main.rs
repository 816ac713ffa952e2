//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod common;
mod file;
mod graph;
mod growing;
