//! The few distributions that match statistics need.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::{erf::erfc, factorial::ln_binomial};

/// The 97.5 % point of the normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// P(Z ≤ z) of a standard normal Z.
pub fn normal_cdf(z: f64) -> f64 {
    erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// P(|T| ≥ |t|) of Student's T with this many degrees of freedom.
pub fn student_two_sided(t: f64, degrees: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, degrees) {
        Ok(student) => (2.0 * student.cdf(-t.abs())).min(1.0),
        Err(_) => 1.0,
    }
}

/// P(X = k) for k = 0 … n heads in n throws of a fair coin.
pub fn fair_coin(n: u64) -> Vec<f64> {
    let all = n as f64 * std::f64::consts::LN_2;
    (0..=n).map(|k| (ln_binomial(n, k) - all).exp()).collect()
}

/// P(X ≥ k) heads in n throws of a fair coin.
pub fn fair_coin_at_least(n: u64, k: u64) -> f64 {
    // Added from the small end, so that small tails keep their digits.
    let tail: f64 = fair_coin(n).into_iter().skip(k as usize).rev().sum();
    tail.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_its_known_points() {
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-10);
        assert_eq!(normal_cdf(0.0), 0.5);
    }

    #[test]
    fn student_tends_to_the_normal_distribution() {
        // Tables: t(0.975; 10) = 2.228139.
        assert!((student_two_sided(2.228_139, 10.0) - 0.05).abs() < 1e-6);
        assert!((student_two_sided(Z95, 1e7) - 0.05).abs() < 1e-5);
        assert_eq!(student_two_sided(1.0, 0.0), 1.0);
    }

    #[test]
    fn coins_add_up_to_one() {
        for n in [0, 1, 2, 7, 100, 5000] {
            assert!((fair_coin(n).iter().sum::<f64>() - 1.0).abs() < 1e-9, "{n}");
        }
        assert_eq!(fair_coin_at_least(10, 0), 1.0);
        assert!((fair_coin_at_least(10, 10) - 1.0 / 1024.0).abs() < 1e-12);
        assert_eq!(fair_coin_at_least(3, 4), 0.0);
    }
}
