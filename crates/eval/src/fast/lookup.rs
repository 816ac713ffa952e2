//! The sum of one table entry per lane: the inner loop of the linear models.

use crate::patterns::{ENTRIES, Indices, LANE_CENTRES, LANES};

/// Σ entry of each lane.
#[inline(always)]
pub(super) fn sum(entries: &[i16; ENTRIES], indices: &Indices) -> i32 {
    let lanes = indices.lanes();
    let mut sums = [0i32; 4];
    for lane in 0..LANES {
        let entry = LANE_CENTRES[lane].wrapping_add_signed(isize::from(lanes[lane]));
        sums[lane % 4] += i32::from(entries[entry]);
    }
    sums.iter().sum()
}
