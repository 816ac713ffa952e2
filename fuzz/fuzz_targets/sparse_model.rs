//! Files of sparse models, also with a hash that fits the rubbish in them.
#![no_main]

use discern_fit::SparseModel;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = SparseModel::decode(bytes);
    let mut whole = b"DISCERNS".to_vec();
    whole.extend(1u32.to_le_bytes());
    whole.extend(blake3::hash(bytes).as_bytes());
    whole.extend(bytes);
    if let Ok(model) = SparseModel::decode(&whole) {
        assert!(model.weights.iter().all(|weight| weight.is_finite()));
    }
});
