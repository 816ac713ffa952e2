//! The quadratic form on vectors of eight numbers.
//!
//! `cargo bench -p discern-eval`: the commit that changes it quotes the figures.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::Form;
use crate::fast::packed::{SLOTS, USED};

/// Vectors in a row.
const VECTORS: usize = SLOTS / 8;

/// [`value`] for builds whose every function may use AVX2 and FMA.
#[inline(always)]
pub(super) fn value_compiled_in(form: &Form, x: &[f32; SLOTS]) -> i32 {
    // SAFETY: this module is compiled only when the whole build targets AVX2
    // and FMA, and the program checks the processor before anything else.
    unsafe { value(form, x) }
}

/// f(x) in thousandths of a logit.
// Loops over iterators are not unrolled here and cost 40 ns more.
#[expect(clippy::needless_range_loop)]
#[inline]
#[target_feature(enable = "avx2,fma")]
fn value(form: &Form, x: &[f32; SLOTS]) -> i32 {
    // y = L + x Q in two sums per vector, for even and odd rows, so that the
    // additions overlap.
    let mut even: [__m256; VECTORS] = std::array::from_fn(|v| eight(&form.linear, v));
    let mut odd = [_mm256_setzero_ps(); VECTORS];
    for row in 0..USED {
        let factor = _mm256_set1_ps(x[row]);
        let sums = if row % 2 == 0 { &mut even } else { &mut odd };
        for v in row / 8..VECTORS {
            sums[v] = _mm256_fmadd_ps(factor, eight(&form.rows[row], v), sums[v]);
        }
    }
    // c + y x′
    let mut sum = _mm256_setzero_ps();
    for v in 0..VECTORS {
        sum = _mm256_fmadd_ps(eight(x, v), _mm256_add_ps(even[v], odd[v]), sum);
    }
    let four = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    let one = _mm_add_ss(two, _mm_shuffle_ps::<1>(two, two));
    // Rounds to nearest, ties to even.
    _mm_cvtss_si32(_mm_add_ss(one, _mm_set_ss(form.constant)))
}

/// Vector number `v` of some slots.
#[inline]
#[target_feature(enable = "avx2")]
fn eight(slots: &[f32; SLOTS], v: usize) -> __m256 {
    let eight: &[f32; 8] = slots[8 * v..][..8].try_into().expect("eight numbers");
    // SAFETY: the reference covers all 32 bytes read; no alignment is needed.
    unsafe { _mm256_loadu_ps(eight.as_ptr()) }
}
