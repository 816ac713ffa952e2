//! Blocks of sparse rows as they lie on the disk; what is accepted is written
//! back to the same rows.
#![no_main]

use discern_stats::sparse::SparseBlock;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(block) = SparseBlock::decode(bytes) else { return };
    let mut again = Vec::new();
    block.encode(&mut again);
    let back = SparseBlock::decode(&again).expect("our own bytes");
    let mut third = Vec::new();
    back.encode(&mut third);
    assert_eq!(again, third);
});
