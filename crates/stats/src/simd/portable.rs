//! Lanes in plain Rust: the reference, and the kernel of every other target.

use super::{Arithmetic, Lanes, WIDTH};

/// Four `f64` in an array.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Portable([f64; WIDTH]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

/// Operators, lane by lane.
macro_rules! operators {
    ($($operation:ident $operator:tt)*) => {
        $(
            #[inline(always)]
            fn $operation(self, other: Self) -> Self {
                self.zip(other, |a, b| a $operator b)
            }
        )*
    };
}

impl Arithmetic for Portable {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self([value; WIDTH])
    }

    operators!(add + sub - mul * div /);

    // Not `f64::mul_add`: without an FMA instruction that is a call to libm.
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        self.mul(factor).add(addend)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn select_greater(self, other: Self, yes: Self, no: Self) -> Self {
        Self(std::array::from_fn(|lane| {
            if self.0[lane] > other.0[lane] { yes.0[lane] } else { no.0[lane] }
        }))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(self.0.map(|x| f64::from_bits(x.to_bits().wrapping_add(1023) << 52)))
    }
}

impl Lanes for Portable {
    #[inline(always)]
    fn from_array(values: [f64; WIDTH]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn from_f32(values: [f32; WIDTH]) -> Self {
        Self(values.map(f64::from))
    }

    #[inline(always)]
    fn to_array(self) -> [f64; WIDTH] {
        self.0
    }
}
