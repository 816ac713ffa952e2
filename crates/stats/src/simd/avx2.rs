//! Lanes in one AVX2 register.
//!
//! The intrinsics are called through `unsafe` because a trait method cannot
//! carry `#[target_feature]`; only rows are read through pointers. Against the
//! portable lanes, which the compiler vectorises too but without fused
//! multiply-add, LOG on 2.5 million rows is 1.5 times as fast.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Arithmetic, Lanes, WIDTH};

/// Four `f64` in a 256-bit register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Avx2(__m256d);

/// Wraps a call of intrinsics.
macro_rules! lanes {
    ($($call:tt)*) => {
        // SAFETY: `Native` and the tests make these lanes only on a processor
        // with AVX2 and FMA; the calls take and return values only.
        Avx2(unsafe { $($call)* })
    };
}

/// Operations of two operands that are one instruction.
macro_rules! instructions {
    ($($operation:ident $intrinsic:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                lanes!($intrinsic(self.0, other.0))
            }
        )*
    };
}

impl Arithmetic for Avx2 {
    instructions!(add _mm256_add_pd sub _mm256_sub_pd mul _mm256_mul_pd div _mm256_div_pd
        min _mm256_min_pd max _mm256_max_pd);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        lanes!(_mm256_set1_pd(value))
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        lanes!(_mm256_fmadd_pd(self.0, factor.0, addend.0))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        lanes!(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0))
    }

    #[inline(always)]
    fn select_greater(self, other: Self, yes: Self, no: Self) -> Self {
        lanes!(_mm256_blendv_pd(no.0, yes.0, _mm256_cmp_pd::<_CMP_GT_OQ>(self.0, other.0)))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        lanes!({
            let bits = _mm256_add_epi64(_mm256_castpd_si256(self.0), _mm256_set1_epi64x(1023));
            _mm256_castsi256_pd(_mm256_slli_epi64::<52>(bits))
        })
    }
}

impl Lanes for Avx2 {
    #[inline(always)]
    fn from_array(values: [f64; WIDTH]) -> Self {
        let [a, b, c, d] = values;
        lanes!(_mm256_setr_pd(a, b, c, d))
    }

    #[inline(always)]
    fn from_f32(values: [f32; WIDTH]) -> Self {
        let [a, b, c, d] = values;
        lanes!(_mm256_cvtps_pd(_mm_setr_ps(a, b, c, d)))
    }

    #[inline(always)]
    fn to_array(self) -> [f64; WIDTH] {
        // SAFETY: `__m256d` is four `f64`, lowest lane first; both types have
        // the same size and every bit pattern is valid.
        unsafe { std::mem::transmute::<__m256d, [f64; WIDTH]>(self.0) }
    }

    #[inline(always)]
    fn from_rows(values: &[f64], width: usize) -> [Self; WIDTH] {
        let row = rows_of(values, width);
        // Rows 0 and 2 share a register, and so do 1 and 3: each half is a load
        // from memory, and one shuffle a column is left.
        let pair = |upper: usize, at: usize| {
            // SAFETY: `rows_of` checked that each row has four values, of which
            // two are read from 0 or 2 on; unaligned loads may be anywhere.
            unsafe {
                let halves = [row(upper), row(upper + 2)].map(|row| _mm_loadu_pd(row.add(at)));
                _mm256_insertf128_pd::<1>(_mm256_castpd128_pd256(halves[0]), halves[1])
            }
        };
        let [even, odd, even_later, odd_later] = [pair(0, 0), pair(1, 0), pair(0, 2), pair(1, 2)];
        [
            lanes!(_mm256_unpacklo_pd(even, odd)),
            lanes!(_mm256_unpackhi_pd(even, odd)),
            lanes!(_mm256_unpacklo_pd(even_later, odd_later)),
            lanes!(_mm256_unpackhi_pd(even_later, odd_later)),
        ]
    }

    #[inline(always)]
    fn from_f32_rows(values: &[f32], width: usize) -> [Self; WIDTH] {
        let row = rows_of(values, width);
        // SAFETY: `rows_of` checked that each row has four values; unaligned
        // loads may be anywhere.
        let columns = unsafe {
            let [mut a, mut b, mut c, mut d] = [0, 1, 2, 3].map(|i| _mm_loadu_ps(row(i)));
            _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
            [a, b, c, d]
        };
        columns.map(|column| lanes!(_mm256_cvtps_pd(column)))
    }

    #[inline(always)]
    fn prefetch<T>(values: &[T]) {
        const LINE: usize = 64;
        let Some(last) = size_of_val(values).checked_sub(1) else { return };
        let first = values.as_ptr().cast::<i8>();
        // The last byte lies in one more line unless the first begins one:
        // without it every column waited for memory once per tile, a tenth
        // of the time of LOG.
        for offset in (0..last).step_by(LINE).chain([last]) {
            // SAFETY: a prefetch reads nothing and never faults; the address
            // lies within `values`.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(offset)) };
        }
    }
}

/// Where each of the first four rows of a table begins; each has at least four
/// values.
///
/// Through references to arrays the rows went over the stack, and LOG on
/// C-ordered `f64` took 2.2 times as long as on columns.
#[inline(always)]
fn rows_of<T>(values: &[T], width: usize) -> impl Fn(usize) -> *const T {
    assert!(values.len() >= (WIDTH - 1) * width + WIDTH, "four rows of four values");
    let first = values.as_ptr();
    move |row| {
        debug_assert!(row < WIDTH);
        first.wrapping_add(row * width)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Portable;
    use super::*;

    #[test]
    fn every_operation_agrees_with_the_portable_lanes() {
        if !super::super::has_avx2() {
            return;
        }
        let cases = [[0.5, -2.0, 3.25, -0.0], [1e300, -7.5, 2.0, 1e-300], [-1.0, 1.0, 0.0, 9.0]];
        for a in cases {
            for b in cases {
                let (x, y) = (Avx2::from_array(a), Avx2::from_array(b));
                let (p, q) = (Portable::from_array(a), Portable::from_array(b));
                macro_rules! same {
                    ($($operation:ident)*) => {
                        $(assert_eq!(x.$operation(y).to_array(), p.$operation(q).to_array());)*
                    };
                }
                same!(add sub mul min max);
                let eighth = [0.125; WIDTH];
                let (above, over) = (Avx2::from_array(eighth), Portable::from_array(eighth));
                assert_eq!(x.div(y.add(above)).to_array(), p.div(q.add(over)).to_array());
                assert_eq!(x.abs().to_array(), p.abs().to_array());
                let larger = x.select_greater(y, x, y);
                assert_eq!(larger.to_array(), p.select_greater(q, p, q).to_array());
                assert_eq!(x.sum(), p.sum());
            }
        }
        let round = |n: f64| n + 1.5 * (1u64 << 52) as f64;
        for n in [-1022.0, -3.0, 0.0, 1.0, 1023.0] {
            assert_eq!(Avx2::splat(round(n)).power_of_two().to_array(), [n.exp2(); 4]);
            assert_eq!(Portable::splat(round(n)).power_of_two().to_array(), [n.exp2(); 4]);
        }
    }

    #[test]
    fn rows_are_turned_into_columns() {
        if !super::super::has_avx2() {
            return;
        }
        // Six values a row, of which the last row has four.
        let values: Vec<f64> = (0..22).map(|i| f64::from(i) + 0.5).collect();
        let single: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let columns: [[f64; WIDTH]; WIDTH] =
            std::array::from_fn(|j| std::array::from_fn(|i| values[6 * i + j]));
        assert_eq!(Avx2::from_rows(&values, 6).map(Avx2::to_array), columns);
        assert_eq!(Avx2::from_f32_rows(&single, 6).map(Avx2::to_array), columns);
        assert_eq!(Portable::from_rows(&values, 6).map(Portable::to_array), columns);
        assert_eq!(Portable::from_f32_rows(&single, 6).map(Portable::to_array), columns);
    }

    #[test]
    fn multiply_add_is_fused() {
        if !super::super::has_avx2() {
            return;
        }
        let tiny = f64::EPSILON;
        let x = Avx2::splat(1.0 + tiny);
        let exact = (1.0 + tiny).mul_add(1.0 - tiny, -1.0);
        assert_eq!(x.mul_add(Avx2::splat(1.0 - tiny), Avx2::splat(-1.0)).to_array(), [exact; 4]);
        assert_ne!(exact, 0.0);
    }
}
