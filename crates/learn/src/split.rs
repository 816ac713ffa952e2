/// A number in [0, 1) that depends on the group only: what deals groups to
/// tables and weights, or to training and test.
pub fn unit_hash(group: u32) -> f64 {
    // SplitMix64: neighbouring groups end up far apart.
    let mut z = u64::from(group).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as f64 / 2f64.powi(64)
}
