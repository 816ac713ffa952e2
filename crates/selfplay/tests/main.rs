//! What this crate does, seen from outside, in one program: linking costs more than compiling.

mod books;
mod corrections;
mod halts;
mod labels;
mod shards;
