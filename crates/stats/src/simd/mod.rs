//! Four `f64` lanes behind one door.
//!
//! Every kernel of this crate is written once, generic over [`Lanes`], and run
//! by a [`Native`], which takes the fastest lanes that the processor has: AVX2
//! with fused multiply-add, found at run time unless the build targets it
//! anyway, or else the portable lanes, which the tests also compare with.
//!
//! Whatever a kernel calls on its lanes is `#[inline(always)]`: it has to end
//! up within [`on_avx2`], where the compiler may use these instructions. What
//! stays outside works as well, but each operation becomes a call.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod math;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
pub(crate) use portable::Portable;
/// Elsewhere there is no AVX2, and [`has_avx2`] says so.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) use portable::Portable as Avx2;

/// Working memory of a kernel, for any lanes.
pub(crate) trait Memory {
    /// The memory on some lanes.
    type On<L: Lanes>;

    /// Memory for this many columns.
    fn new<L: Lanes>(columns: usize) -> Self::On<L>;
}

/// A kernel with its arguments, for any lanes.
pub(crate) trait Work {
    /// What it works in.
    type In: Memory;
    /// What comes out.
    type Out;

    /// Does the work; to be `#[inline(always)]`.
    fn run<L: Lanes>(self, memory: &mut <Self::In as Memory>::On<L>) -> Self::Out;
}

/// Working memory on the lanes of this processor.
pub(crate) enum Native<M: Memory> {
    Avx2(M::On<Avx2>),
    Portable(M::On<Portable>),
}

impl<M: Memory> Native<M> {
    pub(crate) fn new(columns: usize) -> Self {
        if has_avx2() { Self::Avx2(M::new(columns)) } else { Self::Portable(M::new(columns)) }
    }

    #[allow(unsafe_code, unused_unsafe)]
    pub(crate) fn run<W: Work<In = M>>(&mut self, work: W) -> W::Out {
        match self {
            // SAFETY: only `new` makes this variant, and only if the processor
            // has the instructions; the gain is said in `avx2.rs`.
            Self::Avx2(memory) => unsafe { on_avx2(work, memory) },
            Self::Portable(memory) => work.run(memory),
        }
    }
}

/// Work compiled for AVX2 and FMA, whatever the rest of the build targets.
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
fn on_avx2<W: Work>(work: W, memory: &mut <W::In as Memory>::On<Avx2>) -> W::Out {
    work.run(memory)
}

/// Whether [`Avx2`] lanes may be used; asked of the processor only once.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether [`Avx2`] lanes may be used.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn has_avx2() -> bool {
    false
}

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

    /// The first four columns of the first four rows of a table that has a row
    /// every `width` values.
    ///
    /// # Panics
    /// If there are not that many values.
    #[inline(always)]
    fn from_rows(values: &[f64], width: usize) -> [Self; WIDTH] {
        let column = |j| std::array::from_fn(|i| values[i * width + j]);
        std::array::from_fn(|j| Self::from_array(column(j)))
    }

    /// The same, widened.
    #[inline(always)]
    fn from_f32_rows(values: &[f32], width: usize) -> [Self; WIDTH] {
        let column = |j| std::array::from_fn(|i| values[i * width + j]);
        std::array::from_fn(|j| Self::from_f32(column(j)))
    }

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

/// Operations of two operands, register by register.
macro_rules! together {
    ($($operation:ident)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i].$operation(other.0[i])))
            }
        )*
    };
}

impl<L: Arithmetic, const N: usize> Arithmetic for Together<L, N> {
    together!(add sub mul div min max);

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([L::splat(value); N])
    }

    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].mul_add(factor.0[i], addend.0[i])))
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
