//! Whole archives: heads, checksums, resynchronisation.
#![no_main]

use discern_records::archive::ArchiveReader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(reader) = ArchiveReader::new(bytes) {
        for game in reader.flatten() {
            game.check().expect("readers hand out consistent games");
        }
    }
});
