//! The kernels on 256-bit vectors, one lane per direction (steps 1, 7, 8, 9).
//!
//! Measured on a Zen 4 core with `cargo bench -p discern-board`; the commit
//! that changes a kernel quotes the figures.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::rays::ALIGNED_RAYS;
use crate::Square;

/// [`flips`] for builds whose every function may use AVX2.
#[inline(always)]
pub(super) fn flips_compiled_in(mover: u64, opponent: u64, square: Square) -> u64 {
    // SAFETY: this module is compiled only when the whole build targets AVX2,
    // and the program checks the processor before it does anything else.
    unsafe { flips(mover, opponent, square) }
}

/// [`moves`] for builds whose every function may use AVX2.
#[inline(always)]
pub(super) fn moves_compiled_in(mover: u64, opponent: u64) -> u64 {
    // SAFETY: as above.
    unsafe { moves(mover, opponent) }
}

/// The discs turned over by the mover on the empty `square`.
///
/// Towards higher squares the first square of a ray that is not the
/// opponent's is the lowest set bit of `others`; towards lower ones it is the
/// highest, found by smearing `others` along the ray, as AVX2 cannot count
/// leading zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn flips(mover: u64, opponent: u64, square: Square) -> u64 {
    let mover = _mm256_set1_epi64x(mover as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let zero = _mm256_setzero_si256();
    let rays = &ALIGNED_RAYS[square.index()].0;
    // SAFETY: the row is 64 bytes long and 32-byte aligned.
    let (up_rays, down_rays) = unsafe {
        let row = rays.as_ptr().cast::<__m256i>();
        (_mm256_load_si256(row), _mm256_load_si256(row.add(1)))
    };

    let others = _mm256_andnot_si256(opponent, up_rays);
    let first = _mm256_and_si256(others, _mm256_sub_epi64(zero, others));
    let open = _mm256_cmpeq_epi64(_mm256_and_si256(first, mover), zero);
    let before = _mm256_and_si256(_mm256_add_epi64(first, _mm256_set1_epi64x(-1)), up_rays);
    let up = _mm256_andnot_si256(open, before);

    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let others = _mm256_andnot_si256(opponent, down_rays);
    let smear = _mm256_or_si256(others, _mm256_srlv_epi64(others, step));
    let smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, _mm256_set_epi64x(18, 16, 14, 2)));
    let smear = _mm256_or_si256(smear, _mm256_srlv_epi64(smear, _mm256_set_epi64x(36, 32, 28, 4)));
    let first = _mm256_andnot_si256(_mm256_srlv_epi64(smear, step), others);
    let open = _mm256_cmpeq_epi64(_mm256_and_si256(first, mover), zero);
    let before = _mm256_andnot_si256(smear, down_rays);
    let down = _mm256_andnot_si256(open, before);

    or_lanes(_mm256_or_si256(up, down))
}

/// The empty squares on which the mover turns over at least one disc; the
/// portable kernel's flood with the four steps side by side.
#[inline]
#[target_feature(enable = "avx2")]
fn moves(mover: u64, opponent: u64) -> u64 {
    let empty = !(mover | opponent);
    let inner = _mm256_set_epi64x(
        0x7e7e_7e7e_7e7e_7e7e,
        0x00ff_ffff_ffff_ff00,
        0x7e7e_7e7e_7e7e_7e7e,
        0x7e7e_7e7e_7e7e_7e7e,
    );
    let mover = _mm256_set1_epi64x(mover as i64);
    let runs = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), inner);
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let two_steps = _mm256_set_epi64x(18, 16, 14, 2);

    let up = _mm256_and_si256(runs, _mm256_sllv_epi64(mover, step));
    let down = _mm256_and_si256(runs, _mm256_srlv_epi64(mover, step));
    let up = _mm256_or_si256(up, _mm256_and_si256(runs, _mm256_sllv_epi64(up, step)));
    let down = _mm256_or_si256(down, _mm256_and_si256(runs, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(runs, _mm256_sllv_epi64(runs, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    let up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    let down =
        _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));
    let up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two_steps)));
    let down =
        _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two_steps)));

    let next = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    or_lanes(next) & empty
}

/// The four lanes united.
#[inline]
#[target_feature(enable = "avx2")]
fn or_lanes(lanes: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    _mm_cvtsi128_si64(one) as u64
}
