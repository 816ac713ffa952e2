//! Vectorised e^x and log(1+t) for the logistic pass.
//!
//! Only the ranges the pass needs: e^x for x ≤ 0 and log(1+t) for 0 ≤ t ≤ 1
//! (with t = e^(−|η|) both the probability and log(1+e^η) follow without
//! overflow or cancellation). Both are accurate to 2·10⁻¹⁶ relative on the
//! AVX2 lanes; the tests hold them to 10⁻¹⁵ against `std`.

use super::Arithmetic;

/// e^x for x ≤ 0. Below −708 the result stays at e^−708 ≈ 3·10⁻³⁰⁸, which
/// vanishes in every sum it enters.
///
/// x = n·ln 2 + r with |r| ≤ ln 2 / 2; e^r by its Taylor polynomial of degree
/// 13, whose remainder 0.347¹⁴/14! = 4·10⁻¹⁸ is below the rounding; times 2ⁿ.
#[inline(always)]
pub(crate) fn exp_nonpositive<L: Arithmetic>(x: L) -> L {
    // Adding it rounds to an integer and leaves that integer in the low bits.
    const ROUND: f64 = 1.5 * (1u64 << 52) as f64;
    // ln 2 in two parts; the first has 33 significant bits, so n·LN2_HIGH is exact.
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    /// 1/k! for k = 12, 11, …, 0; 1/13! starts the Horner scheme.
    const INVERSE_FACTORIALS: [f64; 13] = [
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
        1.0,
        1.0,
    ];
    let x = x.max(L::splat(-708.0));
    let rounded = x.mul_add(L::splat(std::f64::consts::LOG2_E), L::splat(ROUND));
    let n = rounded.sub(L::splat(ROUND));
    let r = n.mul_add(L::splat(-LN2_HIGH), x);
    let r = n.mul_add(L::splat(-LN2_LOW), r);
    let mut sum = L::splat(1.0 / 6_227_020_800.0);
    for coefficient in INVERSE_FACTORIALS {
        sum = sum.mul_add(r, L::splat(coefficient));
    }
    sum.mul(rounded.power_of_two())
}

/// log(1+t) for 0 ≤ t ≤ 1.
///
/// log(1+t) = k·ln 2 + 2·artanh(s) with s = (t−k)/(2+t+k), k = 1 for t > √2−1
/// and else 0, so that |s| ≤ 0.172 and no digit of a small t is lost. The
/// artanh polynomial is the one of fdlibm's `log` (error below 2⁻⁵⁸).
#[inline(always)]
pub(crate) fn ln_1p_unit<L: Arithmetic>(t: L) -> L {
    const ARTANH: [f64; 6] = [
        1.531_383_769_920_937_3e-1,
        1.818_357_216_161_805e-1,
        2.222_219_843_214_978_4e-1,
        2.857_142_874_366_239e-1,
        3.999_999_999_940_942e-1,
        6.666_666_666_666_735e-1,
    ];
    let one = L::splat(1.0);
    let zero = L::splat(0.0);
    let k = t.select_greater(L::splat(std::f64::consts::SQRT_2 - 1.0), one, zero);
    let s = t.sub(k).div(t.add(L::splat(2.0)).add(k));
    let z = s.mul(s);
    let mut polynomial = L::splat(1.479_819_860_511_658_6e-1);
    for coefficient in ARTANH {
        polynomial = polynomial.mul_add(z, L::splat(coefficient));
    }
    // 2s + s·z·P(z) + k·ln 2
    let tail = s.mul(z).mul(polynomial);
    k.mul_add(L::splat(std::f64::consts::LN_2), s.add(s).add(tail))
}

#[cfg(test)]
mod tests {
    use super::super::{Avx2, Lanes, Portable, has_avx2};
    use super::*;

    fn worst<L: Lanes>(points: &[f64], ours: fn(L) -> L, exact: fn(f64) -> f64) -> f64 {
        points
            .chunks_exact(4)
            .flat_map(|chunk| {
                let values = ours(L::from_array([chunk[0], chunk[1], chunk[2], chunk[3]]));
                values.to_array().into_iter().zip(chunk.to_vec())
            })
            .map(|(value, x)| ((value - exact(x)) / exact(x)).abs())
            .fold(0.0, f64::max)
    }

    fn exponential_matches_std<L: Lanes>() {
        let points: Vec<f64> = (0..400_000).map(|i| -707.9 * (i as f64 / 400_000.0)).collect();
        let near_zero: Vec<f64> = (0..40_000).map(|i| -1e-3 * (i as f64 / 3_000.0)).collect();
        for points in [points, near_zero] {
            assert!(worst::<L>(&points, exp_nonpositive, f64::exp) < 1e-15);
        }
        for x in [-708.0, -1000.0, -1e300] {
            let value = exp_nonpositive(L::splat(x)).to_array()[0];
            assert!(value > 0.0 && value < 4e-308, "e^{x} = {value}");
        }
        assert_eq!(exp_nonpositive(L::splat(0.0)).to_array(), [1.0; 4]);
    }

    fn logarithm_matches_std<L: Lanes>() {
        let even: Vec<f64> = (1..=400_000).map(|i| i as f64 / 400_000.0).collect();
        let small: Vec<f64> = (0..4_000).map(|i| (-(i as f64) / 10.0).exp()).collect();
        for points in [even, small] {
            assert!(worst::<L>(&points, ln_1p_unit, f64::ln_1p) < 1e-15);
        }
        assert_eq!(ln_1p_unit(L::splat(0.0)).to_array(), [0.0; 4]);
    }

    #[test]
    fn exponential_and_logarithm_match_std_to_rounding() {
        exponential_matches_std::<Portable>();
        logarithm_matches_std::<Portable>();
        if has_avx2() {
            exponential_matches_std::<Avx2>();
            logarithm_matches_std::<Avx2>();
        }
    }
}
