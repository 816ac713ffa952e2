//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod studies;
mod tiny;
