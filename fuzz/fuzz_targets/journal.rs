//! Journals of books, and their frames under the right checksums. What was
//! read once is read again the same.
#![no_main]

use discern_book::Journal;
use libfuzzer_sys::fuzz_target;

const ID: &str = "0123456789abcdef0123456789abcdef";

/// Frames that are as long as their first byte says.
fn sealed(mut content: &[u8]) -> Vec<u8> {
    let mut file = [b"discern journal\n".as_slice(), ID.as_bytes()].concat();
    while let Some((&length, rest)) = content.split_first() {
        let (frame, rest) = rest.split_at(rest.len().min(length.into()));
        file.extend((frame.len() as u32).to_le_bytes());
        file.extend(crc32fast::hash(frame).to_le_bytes());
        file.extend(frame);
        content = rest;
    }
    file
}

fuzz_target!(|bytes: &[u8]| {
    for content in [bytes, &sealed(bytes)] {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        std::fs::write(file.path(), content).expect("room for it");
        let Ok((journal, frames, of)) = Journal::open(file.path(), ID) else { continue };
        drop(journal);
        let again = Journal::open(file.path(), ID).expect("what was read before");
        assert_eq!((again.1, again.2), (frames, of));
    }
});
