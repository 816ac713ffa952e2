//! The games of a block, past its checksum; what is accepted must be written
//! back to something that reads the same.
#![no_main]

use discern_records::archive::testing::{games_of_stream, stream};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (count, bytes) = input;
    let records = games_of_stream(bytes, count.into());
    assert_eq!(games_of_stream(&stream(&records), records.len() as u32), records);
});
