#![no_main]

use discern_records::transcript::{TranscriptReader, line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for record in TranscriptReader::new(bytes).flatten() {
        let text = line(&record);
        if !record.game.plies().is_empty() {
            let back = TranscriptReader::new(text.as_bytes()).next().expect("a game");
            assert_eq!(back.expect("our own text"), record);
        }
    }
});
