#![no_main]

use discern_records::obf::{ObfPosition, ObfReader};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for position in ObfReader::new(bytes).flatten() {
        assert_eq!(ObfPosition::parse(&position.to_string()).expect("our own text"), position);
    }
});
