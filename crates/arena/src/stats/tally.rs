use std::ops::AddAssign;

use discern_board::Outcome;
use serde::{Deserialize, Serialize};

/// Games won, drawn and lost by the first of two players.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games the first player won.
    pub wins: u64,
    /// Games nobody won.
    pub draws: u64,
    /// Games the first player lost.
    pub losses: u64,
}

impl Tally {
    /// Counts one game, told from the first player's side.
    pub fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// W + D/2.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// (W + D/2) / N, from 0 to 1; an empty match is even.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// "Won %" of every table: 100 (W + D/2) / N.
    pub fn percentage(&self) -> f64 {
        if self.games() == 0 { 50.0 } else { 100.0 * self.points() / self.games() as f64 }
    }

    /// The same match from the second player's side.
    pub fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games (one opening, colours reversed) by the first player's
/// points in them: 0, ½, 1, 1½, 2. Fields are LL, LD, WL or DD, WD, WW.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by the outcomes of its games for the first player.
    pub fn add(&mut self, games: [Outcome; 2]) {
        let half_points = |outcome| match outcome {
            Outcome::Loss => 0,
            Outcome::Draw => 1,
            Outcome::Win => 2,
        };
        self.0[games.into_iter().map(half_points).sum::<usize>()] += 1;
    }

    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points of the first player.
    pub fn points(&self) -> f64 {
        self.0.iter().zip([0.0, 0.5, 1.0, 1.5, 2.0]).map(|(&n, x)| n as f64 * x).sum()
    }

    /// The same pairs from the second player's side.
    pub fn reversed(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// Pairs the first player gained from, over those he lost in; `None` if
    /// he lost in none.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0;
        (ll + ld > 0).then(|| (wd + ww) as f64 / (ll + ld) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut pairs = Pentanomial::default();
        use Outcome::{Draw, Loss, Win};
        for games in [[Loss, Loss], [Draw, Loss], [Win, Loss], [Draw, Draw], [Win, Win]] {
            pairs.add(games);
        }
        assert_eq!(pairs.0, [1, 1, 2, 0, 1]);
        assert_eq!(pairs.reversed().0, [1, 0, 2, 1, 1]);
        assert_eq!(pairs.points(), 4.5);
        assert_eq!(pairs.pairs_ratio(), Some(0.5));
        assert_eq!(Pentanomial([0, 0, 3, 1, 0]).pairs_ratio(), None);
    }
}
