//! What people paste or give on the command line.
#![no_main]

use discern_records::{parse_game, pasted};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for record in pasted(text).into_iter().flatten() {
        record.check().expect("readers hand out consistent games");
    }
    let _ = parse_game(text);
});
