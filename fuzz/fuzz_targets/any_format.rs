//! Telling formats apart and reading what they seem to be.
#![no_main]

use discern_records::GameFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let input = std::io::Cursor::new(bytes.to_vec());
    if let Ok(file) = GameFile::from_reader(input, "./none", None) {
        for game in file.flatten() {
            game.check().expect("readers hand out consistent games");
        }
    }
});
