//! How long a fit will take.

use super::report::SparseWork;

/// Foretells the time that fits still take, from how fast the gradient falls.
///
/// Conjugate gradients make it fall by about the same factor in each pass;
/// fits to folds take as long as the first one.
#[derive(Clone, Debug, Default)]
pub struct Forecast {
    /// Number of the fit under way.
    fit: u32,
    /// When it began, and how long the longest before it took.
    began: f64,
    longest: f64,
    /// When its warm-up was over, and the gradient then.
    full: Option<(f64, f64)>,
}

impl Forecast {
    /// Seconds left at a time (seconds since whenever), if that can be said.
    pub fn left(&mut self, now: f64, work: &SparseWork) -> Option<f64> {
        if work.fit != self.fit {
            self.longest = self.longest.max(now - self.began);
            (self.fit, self.began, self.full) = (work.fit, now, None);
        }
        let progress = &work.progress;
        let own = progress.gradient.and_then(|gradient| {
            let (since, first) = *self.full.get_or_insert((now, gradient));
            let fallen = (first / gradient).ln();
            let rest = (gradient / work.tolerance).ln().max(0.0);
            (fallen > 0.0 && now > since).then(|| rest * (now - since) / fallen)
        });
        let own = own.or_else(|| {
            (self.longest > 0.0).then(|| (self.longest - (now - self.began)).max(0.0))
        })?;
        let each = self.longest.max(now - self.began + own);
        Some(own + each * f64::from(work.fits - 1 - work.fit))
    }
}

#[cfg(test)]
mod tests {
    use discern_stats::sparse::SparseProgress;

    use super::*;

    fn work(fit: u32, gradient: Option<f64>) -> SparseWork {
        let progress = SparseProgress { steps: 1, passes: 3.0, gradient };
        SparseWork { fit, fits: 3, tolerance: 1e-8, progress }
    }

    #[test]
    fn a_gradient_that_falls_evenly_arrives_when_foretold() {
        let mut forecast = Forecast::default();
        assert_eq!(forecast.left(0.0, &work(0, None)), None);
        assert_eq!(forecast.left(2.0, &work(0, Some(1.0))), None);
        // Four of eight decimal places in 4 s, and the same again; two more
        // fits of 10 s.
        let left = forecast.left(6.0, &work(0, Some(1e-4))).unwrap();
        assert!((left - (4.0 + 2.0 * 10.0)).abs() < 1e-9, "{left}");
        // The second fit begins: it and the last one take 10 s each.
        let left = forecast.left(10.0, &work(1, None)).unwrap();
        assert!((left - 20.0).abs() < 1e-9, "{left}");
    }
}
