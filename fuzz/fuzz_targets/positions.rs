//! Files of classified positions, and their columns under the right hash.
#![no_main]

use discern_learn::decode_positions;
use libfuzzer_sys::fuzz_target;

/// A file with these columns; a position takes 26 bytes of them.
fn sealed(columns: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(columns, 1).expect("memory to memory");
    let count = (columns.len() as u64 / 26).to_le_bytes();
    let hash = blake3::hash(&packed);
    [b"DISCERNP\x02\0\0\0".as_slice(), &count, hash.as_bytes(), &packed].concat()
}

fuzz_target!(|bytes: &[u8]| {
    for file in [bytes, &sealed(bytes)] {
        for position in decode_positions(file).into_iter().flatten() {
            assert!((position.board.mover() & position.board.opponent()).is_empty());
        }
    }
});
