use super::elo::NELO_SCALE;

/// How many pairs a sequential test takes on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedPairs {
    /// If one of the two hypotheses is true.
    pub at_hypothesis: f64,
    /// If the truth lies half way between them: the worst case.
    pub at_midpoint: f64,
}

/// The expected length of a test of normalised Elo with equal error rates:
/// with b = ln((1−α)/α) and ΔT = Δ√2/C per pair, (1−2α)·2b/ΔT² at a
/// hypothesis and b²/ΔT² half way.
pub fn expected_pairs(nelo0: f64, nelo1: f64, error_rate: f64) -> ExpectedPairs {
    let bound = ((1.0 - error_rate) / error_rate).ln();
    let step = (nelo1 - nelo0) * std::f64::consts::SQRT_2 / NELO_SCALE;
    ExpectedPairs {
        at_hypothesis: (1.0 - 2.0 * error_rate) * 2.0 * bound / (step * step),
        at_midpoint: bound * bound / (step * step),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_known() {
        let short = expected_pairs(0.0, 30.0, 0.05);
        assert_eq!((short.at_hypothesis.round(), short.at_midpoint.round()), (355.0, 581.0));
        let long = expected_pairs(0.0, 10.0, 0.05);
        assert_eq!((long.at_hypothesis.round(), long.at_midpoint.round()), (3199.0, 5233.0));
    }
}
