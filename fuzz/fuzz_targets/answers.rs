//! What programs that play against ours write, in GTP and in NBoard.
#![no_main]

use discern_players::player::testing::hear;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| hear(text));
