//! The quadratic form on any machine.

use super::Form;
use crate::fast::packed::SLOTS;

/// f(x) in thousandths of a logit.
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
pub(super) fn value(form: &Form, x: &[f32; SLOTS]) -> i32 {
    // y = L + x Q, then c + y x′.
    let mut y = form.linear;
    for (x, row) in x.iter().zip(&form.rows) {
        y.iter_mut().zip(row).for_each(|(y, q)| *y += x * q);
    }
    let sum: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
    (form.constant + sum).round_ties_even() as i32
}
