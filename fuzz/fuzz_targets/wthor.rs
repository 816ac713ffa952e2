//! Files of games, and of names with the first bytes of the input as both.
#![no_main]

use discern_records::wthor::{WthorNames, WthorReader, WthorWriter};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let names = WthorNames::from_bytes(bytes, bytes);
    if let Ok(reader) = WthorReader::new(bytes, names) {
        let mut writer = WthorWriter::default();
        for record in reader.flatten() {
            writer.append(&record).expect("what was WTHOR can be WTHOR again");
        }
    }
});
