//! The games of a block, past its checksum, in both versions; what is accepted
//! must be written back to something that reads the same.
#![no_main]

use discern_records::GameRecord;
use discern_records::archive::testing::{games_of_columns, games_of_stream, stream};
use libfuzzer_sys::fuzz_target;

fn check(records: Vec<GameRecord>) {
    assert_eq!(games_of_stream(&stream(&records), records.len() as u32), records);
}

fuzz_target!(|input: (u8, &[u8])| {
    let (count, bytes) = input;
    if let Ok(records) = games_of_columns(bytes, count.into()) {
        check(records);
    }
    check(games_of_stream(bytes, count.into()));
});
