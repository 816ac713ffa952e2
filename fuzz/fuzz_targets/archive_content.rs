//! The content of blocks, past compression and checksums; what is accepted
//! must be written back to something that reads the same.
#![no_main]

use discern_records::archive::testing::{content, games};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (count, bytes) = input;
    if let Ok(records) = games(bytes, count.into()) {
        assert_eq!(games(&content(&records), count.into()), Ok(records));
    }
});
