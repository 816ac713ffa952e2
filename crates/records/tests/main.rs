//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod archive;
mod common;
mod formats;
mod ggf;
mod mutations;
mod pasted;
mod sample;
