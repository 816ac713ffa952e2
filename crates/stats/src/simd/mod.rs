//! Four `f64` lanes behind one door.
//!
//! Every kernel of this crate is written once, generic over [`Lanes`]. The
//! portable lanes are always compiled and are what the tests compare with;
//! [`Native`] is what the estimators use: AVX2 when the build targets it.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))]
mod avx2;
pub(crate) mod math;
// With AVX2 only the tests use it, as the reference.
#[cfg_attr(
    all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma", not(test)),
    allow(dead_code)
)]
mod portable;

#[cfg(any(
    test,
    not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))
))]
pub(crate) use portable::Portable;

/// The fastest lanes this build may use.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma"))]
pub(crate) type Native = avx2::Avx2;
/// The fastest lanes this build may use.
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "fma")))]
pub(crate) type Native = Portable;

/// Number of lanes; the row count of a tile is a multiple of it.
pub(crate) const WIDTH: usize = 4;

/// `f64` values worked on at once, lane by lane.
pub(crate) trait Arithmetic: Copy {
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// `self + other`
    fn add(self, other: Self) -> Self;
    /// `self − other`
    fn sub(self, other: Self) -> Self;
    /// `self · other`
    fn mul(self, other: Self) -> Self;
    /// `self / other`
    fn div(self, other: Self) -> Self;
    /// `self · factor + addend`
    fn mul_add(self, factor: Self, addend: Self) -> Self;
    /// The smaller of both.
    fn min(self, other: Self) -> Self;
    /// The larger of both.
    fn max(self, other: Self) -> Self;
    /// `|self|`
    fn abs(self) -> Self;
    /// Lane by lane `yes` where `self > other`, else `no`.
    fn select_greater(self, other: Self, yes: Self, no: Self) -> Self;
    /// 2ⁿ for lanes that hold `n + 1.5·2⁵²`, −1022 ≤ n ≤ 1023: adding that
    /// constant to a small `f64` rounds it and leaves `n` in its low bits.
    fn power_of_two(self) -> Self;
}

/// Four `f64` values in one register.
pub(crate) trait Lanes: Arithmetic + Send + Sync {
    /// One value per lane.
    fn from_array(values: [f64; WIDTH]) -> Self;
    /// One value per lane, widened.
    fn from_f32(values: [f32; WIDTH]) -> Self;
    /// The values of the lanes.
    fn to_array(self) -> [f64; WIDTH];

    /// Asks for values that will be wanted soon; does nothing by default.
    #[inline(always)]
    fn prefetch<T>(_values: &[T]) {}

    /// Sum over the lanes, in a fixed order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let [a, b, c, d] = self.to_array();
        (a + b) + (c + d)
    }
}

/// Several registers side by side: long chains of operations, such as a
/// polynomial, wait for each result, and a second chain fills the wait.
#[derive(Clone, Copy)]
pub(crate) struct Together<L, const N: usize>(pub(crate) [L; N]);

impl<L: Arithmetic, const N: usize> Together<L, N> {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(L, L) -> L) -> Self {
        Self(std::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<L: Arithmetic, const N: usize> Arithmetic for Together<L, N> {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([L::splat(value); N])
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, L::add)
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, L::sub)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, L::mul)
    }

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, L::div)
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].mul_add(factor.0[i], addend.0[i])))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, L::min)
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, L::max)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(L::abs))
    }

    #[inline(always)]
    fn select_greater(self, other: Self, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].select_greater(other.0[i], yes.0[i], no.0[i])))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(self.0.map(L::power_of_two))
    }
}
