//! What the networks are trained with: stochastic gradient descent with a step
//! of its own for every weight (AdaGrad, Duchi et al. 2011).

use crate::split::mix;

/// A weight under descent.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) value: f32,
    /// Sum of the squared gradients so far.
    squares: f32,
}

impl Weight {
    pub(super) fn new(value: f32) -> Weight {
        Weight { value, squares: 0.0 }
    }

    #[inline(always)]
    pub(super) fn step(&mut self, gradient: f32, rate: f32) {
        self.squares += gradient * gradient;
        self.value -= rate * gradient / (self.squares + 1e-3).sqrt();
    }
}

/// Numbers between −1 and 1, the same for the same seed.
pub(super) fn noise(seed: u64) -> impl FnMut() -> f32 {
    let mut next = 0;
    move || {
        next += 1;
        (mix(next, seed) >> 40) as f32 / (1 << 23) as f32 - 1.0
    }
}

/// A fixed random order, so that neighbours of one game do not follow each
/// other.
pub(super) fn shuffled(rows: usize, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..rows as u32).collect();
    order.sort_by_cached_key(|&row| mix(row, seed));
    order
}

/// Does some work for each stage on several threads; the late stages first,
/// which hold the most.
pub(super) fn by_stage<T: Send>(
    stages: usize,
    threads: usize,
    work: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = std::thread::scope(|scope| {
        let run = || {
            let mut done = Vec::new();
            loop {
                let taken = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if taken >= stages {
                    return done;
                }
                let stage = stages - 1 - taken;
                done.push((stage, work(stage)));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
        handles.into_iter().flat_map(|h| h.join().expect("descent does not panic")).collect()
    });
    done.sort_by_key(|(stage, _)| *stage);
    done.into_iter().map(|(_, result)| result).collect()
}
