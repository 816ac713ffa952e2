//! Weight files, and their content under the right hash; what is accepted must
//! be written back to something that reads the same.
#![no_main]

use discern_eval::Weights;
use libfuzzer_sys::fuzz_target;

/// A file with this content.
fn sealed(content: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(content, 1).expect("memory to memory");
    [b"DISCERNW\x02\0\0\0", blake3::hash(&packed).as_bytes().as_slice(), &packed].concat()
}

fuzz_target!(|bytes: &[u8]| {
    for file in [bytes, &sealed(bytes)] {
        if let Ok(weights) = Weights::from_bytes(file) {
            assert_eq!(Weights::from_bytes(&weights.to_bytes()).expect("our own file"), weights);
        }
    }
});
