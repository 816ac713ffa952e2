//! The sum of one table entry per lane: the inner loop of the linear models.

use crate::patterns::{CENTRE_OF_QUAD, ENTRIES, Indices, LANES, QUAD};

/// Σ entry of each lane.
#[inline(always)]
pub(super) fn sum(entries: &[i16; ENTRIES], indices: &Indices) -> i32 {
    let lanes = indices.lanes();
    let mut sum = 0;
    for quad in 0..LANES / QUAD {
        let entry = |nth: usize| {
            let lane = isize::from(lanes[QUAD * quad + nth]);
            i32::from(entries[CENTRE_OF_QUAD[quad].wrapping_add_signed(lane)])
        };
        sum += entry(0) + entry(1) + entry(2) + entry(3);
    }
    sum
}
