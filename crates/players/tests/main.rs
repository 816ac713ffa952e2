//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod grammar;
mod openings;
mod our_engine;
mod randomness;
mod referee;
mod store;
