//! What this crate does, seen from outside, in one program: linking costs more than compiling.

#[allow(dead_code)]
#[path = "../examples/connect_four.rs"]
mod connect_four;
#[allow(dead_code)]
#[path = "../examples/kalah.rs"]
mod kalah;

mod book;
mod common;
mod database;
mod documentation;
mod engine_commands;
mod fit_and_predict;
mod games;
mod hostile;
mod overview;
mod positions;
mod protocols;
mod reproduce;
mod review;
mod serve;
mod sparse;
mod tournament;
mod training;
