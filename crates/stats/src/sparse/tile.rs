//! Probabilities of a tile of rows, several at a time.

use crate::simd::math::{exp_nonpositive, ln_1p_unit};
use crate::simd::{Lanes, Memory, Native, WIDTH, Work};

/// Rows worked on together: their entries fit into the first-level cache.
pub(crate) const TILE: usize = 64;

/// Numbers of the rows of a tile.
pub(crate) type Tile = [f64; TILE];

/// What follows from the log-odds η of the rows of a tile.
pub(crate) struct Logistic {
    /// π = 1/(1+e^−η)
    pub(crate) probability: Tile,
    /// π(1−π)
    pub(crate) curvature: Tile,
    /// log(1+e^η)
    pub(crate) softplus: Tile,
    lanes: Native<Nothing>,
}

impl Logistic {
    pub(crate) fn new() -> Self {
        let [probability, curvature, softplus] = [[0.0; TILE]; 3];
        Self { probability, curvature, softplus, lanes: Native::new(0) }
    }

    pub(crate) fn at(&mut self, log_odds: &Tile) {
        let Self { probability, curvature, softplus, lanes } = self;
        lanes.run(At { log_odds, probability, curvature, softplus });
    }
}

/// The lanes need no memory of their own.
struct Nothing;

impl Memory for Nothing {
    type On<L: Lanes> = ();

    fn new<L: Lanes>(_: usize) {}
}

struct At<'a> {
    log_odds: &'a Tile,
    probability: &'a mut Tile,
    curvature: &'a mut Tile,
    softplus: &'a mut Tile,
}

impl Work for At<'_> {
    type In = Nothing;
    type Out = ();

    /// With t = e^−|η| nothing overflows and no small number is a difference.
    #[inline(always)]
    fn run<L: Lanes>(self, (): &mut ()) {
        let (one, zero) = (L::splat(1.0), L::splat(0.0));
        for start in (0..TILE).step_by(WIDTH) {
            let eta = L::from_array(std::array::from_fn(|lane| self.log_odds[start + lane]));
            let t = exp_nonpositive(zero.sub(eta.abs()));
            let share = one.div(one.add(t));
            let probability = eta.select_greater(zero, share, t.mul(share));
            let curvature = t.mul(share).mul(share);
            let softplus = eta.max(zero).add(ln_1p_unit(t));
            let rows = start..start + WIDTH;
            self.probability[rows.clone()].copy_from_slice(&probability.to_array());
            self.curvature[rows.clone()].copy_from_slice(&curvature.to_array());
            self.softplus[rows].copy_from_slice(&softplus.to_array());
        }
    }
}
