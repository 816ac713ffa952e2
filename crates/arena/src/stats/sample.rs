use discern_board::Dice;

use super::{Pentanomial, Tally};

/// Independent observations of the first player's score: single games
/// (trinomial) or pairs of games (pentanomial). The estimates of this module
/// read the same for both.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Score of an observation, 0 to 1, and how often it was seen.
    points: Vec<(f64, f64)>,
    games_each: f64,
}

impl From<Tally> for Sample {
    /// Games as independent observations. Games of a pair are not: use the
    /// pentanomial where there are pairs.
    fn from(tally: Tally) -> Sample {
        let counts = [tally.losses, tally.draws, tally.wins];
        let points = [0.0, 0.5, 1.0].into_iter().zip(counts.map(|n| n as f64)).collect();
        Sample { points, games_each: 1.0 }
    }
}

impl From<Pentanomial> for Sample {
    fn from(pairs: Pentanomial) -> Sample {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let points = scores.into_iter().zip(pairs.0.map(|n| n as f64)).collect();
        Sample { points, games_each: 2.0 }
    }
}

impl Sample {
    /// How many observations.
    pub fn len(&self) -> f64 {
        self.points.iter().map(|(_, count)| count).sum()
    }

    /// Nothing was observed.
    pub fn is_empty(&self) -> bool {
        self.len() == 0.0
    }

    /// Games in one observation: 1 or 2.
    pub fn games_each(&self) -> f64 {
        self.games_each
    }

    /// All games.
    pub fn games(&self) -> f64 {
        self.len() * self.games_each
    }

    /// Scores and how often each was seen.
    pub fn points(&self) -> &[(f64, f64)] {
        &self.points
    }

    /// s, the mean score; even if nothing was observed.
    pub fn mean(&self) -> f64 {
        if self.is_empty() {
            return 0.5;
        }
        self.points.iter().map(|(x, n)| x * n).sum::<f64>() / self.len()
    }

    /// v, the population variance of one observation.
    pub fn variance(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let mean = self.mean();
        self.points.iter().map(|(x, n)| n * (x - mean).powi(2)).sum::<f64>() / self.len()
    }

    /// √(v/N), the standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        if self.is_empty() { 0.0 } else { (self.variance() / self.len()).sqrt() }
    }

    /// As many observations drawn from these with replacement.
    pub fn resample(&self, dice: &mut Dice) -> Sample {
        let total = self.len() as u64;
        let mut points: Vec<(f64, f64)> = self.points.iter().map(|&(x, _)| (x, 0.0)).collect();
        for _ in 0..total {
            let mut place = dice.below(total) as f64;
            for ((_, count), drawn) in self.points.iter().zip(&mut points) {
                if place < *count {
                    drawn.1 += 1.0;
                    break;
                }
                place -= count;
            }
        }
        Sample { points, games_each: self.games_each }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_pairs_agree_on_the_mean() {
        let games = Sample::from(Tally { wins: 116, draws: 15, losses: 69 });
        let pairs = Sample::from(Pentanomial([12, 6, 40, 7, 35]));
        assert!((games.mean() - 0.6175).abs() < 1e-12);
        assert!((pairs.mean() - 0.6175).abs() < 1e-12);
        assert_eq!((games.games(), pairs.games()), (200.0, 200.0));
        assert!((pairs.variance() - 0.111_819).abs() < 1e-6);
        assert!((games.standard_error() - 0.0330).abs() < 5e-5);
        assert!((pairs.standard_error() - 0.033_44).abs() < 5e-6);
    }

    #[test]
    fn resamples_keep_the_number_and_vary_about_the_mean() {
        let pairs = Sample::from(Pentanomial([12, 6, 40, 7, 35]));
        let mut dice = Dice::new(&[1]);
        let means: Vec<f64> = (0..4000)
            .map(|_| {
                let drawn = pairs.resample(&mut dice);
                assert_eq!(drawn.len(), 100.0);
                drawn.mean()
            })
            .collect();
        let mean = means.iter().sum::<f64>() / 4000.0;
        let spread = (means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / 4000.0).sqrt();
        assert!((mean - 0.6175).abs() < 0.002 && (spread - 0.0334).abs() < 0.002);
    }
}
