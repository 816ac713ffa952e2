//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod endings;
mod midgame;
mod plain;
mod proof;
mod selective;
mod solver;
