use discern_board::Dice;

use super::Sample;
use super::distributions::{Z95, normal_cdf};
use super::elo::score_of_elo;

/// All games of two players, observed from the first one's side.
#[derive(Debug, Clone, PartialEq)]
pub struct Encounter {
    /// Index of the player whose scores these are.
    pub first: usize,
    /// Index of the opponent.
    pub second: usize,
    /// The scores.
    pub results: Sample,
}

/// Maximum-likelihood Elo ratings with mean 0, and how sure they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// One per player.
    pub elo: Vec<f64>,
    /// Standard error of each, from resampled pairs.
    pub standard_error: Vec<f64>,
    /// Standard error of the difference of any two.
    pub difference_error: Vec<Vec<f64>>,
    /// A player won or lost everything: a virtual draw with each opponent was
    /// added, without which the rating would be infinite.
    pub with_virtual_draws: bool,
}

impl Ratings {
    /// Rates the players 0 … `players`−1, who must all be connected by games.
    /// Errors come from this many bootstrap resamples, the same for the same
    /// seed.
    pub fn fit(players: usize, encounters: &[Encounter], resamples: usize, seed: u64) -> Ratings {
        let (elo, with_virtual_draws) = maximum_likelihood(players, encounters);
        let mut dice = Dice::new(&[seed]);
        let mut squares = vec![0.0; players];
        let mut difference_squares = vec![vec![0.0; players]; players];
        for _ in 0..resamples {
            let drawn: Vec<Encounter> = encounters
                .iter()
                .map(|e| Encounter { results: e.results.resample(&mut dice), ..e.clone() })
                .collect();
            let (other, _) = maximum_likelihood(players, &drawn);
            let shift: Vec<f64> = other.iter().zip(&elo).map(|(a, b)| a - b).collect();
            for i in 0..players {
                squares[i] += shift[i] * shift[i];
                for j in 0..players {
                    difference_squares[i][j] += (shift[i] - shift[j]).powi(2);
                }
            }
        }
        let root = |sum: f64| (sum / resamples.max(1) as f64).sqrt();
        Ratings {
            elo,
            standard_error: squares.into_iter().map(root).collect(),
            difference_error: difference_squares
                .into_iter()
                .map(|row| row.into_iter().map(root).collect())
                .collect(),
            with_virtual_draws,
        }
    }

    /// Half the width of the 95 % interval of a player's rating.
    pub fn error(&self, player: usize) -> f64 {
        Z95 * self.standard_error[player]
    }

    /// The likelihood that player `i` is stronger than player `j`.
    pub fn likelihood_of_superiority(&self, i: usize, j: usize) -> f64 {
        let error = self.difference_error[i][j];
        if error == 0.0 { 0.5 } else { normal_cdf((self.elo[i] - self.elo[j]) / error) }
    }
}

/// Solves Σ_j n_ij L(r_i − r_j) = points_i by Newton's method, mean 0.
fn maximum_likelihood(players: usize, encounters: &[Encounter]) -> (Vec<f64>, bool) {
    let mut games = vec![vec![0.0; players]; players];
    let mut points = vec![0.0; players];
    for Encounter { first, second, results } in encounters {
        let n = results.games();
        games[*first][*second] += n;
        games[*second][*first] += n;
        points[*first] += n * results.mean();
        points[*second] += n * (1.0 - results.mean());
    }
    let all: Vec<f64> = games.iter().map(|row| row.iter().sum()).collect();
    let extreme = (0..players).any(|i| all[i] > 0.0 && (points[i] == 0.0 || points[i] == all[i]));
    if extreme {
        for (row, points) in games.iter_mut().zip(&mut points) {
            for met in row.iter_mut().filter(|met| **met > 0.0) {
                *met += 1.0;
                *points += 0.5;
            }
        }
    }
    let mut elo = vec![0.0; players];
    let scale = std::f64::consts::LN_10 / 400.0;
    for _ in 0..100 {
        // The ones fix the mean, which the games leave open.
        let mut curvature = vec![vec![scale * scale; players]; players];
        let mut slope = points.clone();
        for i in 0..players {
            for j in 0..players {
                let expected = score_of_elo(elo[i] - elo[j]);
                slope[i] -= games[i][j] * expected;
                let weight = games[i][j] * expected * (1.0 - expected) * scale;
                curvature[i][i] += weight;
                curvature[i][j] -= weight;
            }
        }
        let step = solve(curvature, slope);
        let largest = step.iter().fold(0.0f64, |most, s| most.max(s.abs()));
        // Long steps overshoot where a player has won nearly everything.
        let damping = (200.0 / largest.max(1e-300)).min(1.0);
        elo.iter_mut().zip(&step).for_each(|(r, s)| *r += damping * s);
        if largest < 1e-9 {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    elo.iter_mut().for_each(|r| *r -= mean);
    (elo, extreme)
}

/// Gaussian elimination; a row without a pivot (a player without games)
/// leaves its unknown at 0.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    for column in 0..n {
        let largest =
            |&a: &usize, &b: &usize| matrix[a][column].abs().total_cmp(&matrix[b][column].abs());
        let pivot = (column..n).max_by(largest).expect("a row is left");
        if matrix[pivot][column].abs() < 1e-300 {
            continue;
        }
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let (eliminated, value) = (matrix[column].clone(), right[column]);
        for (index, row) in matrix.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = row[column] / eliminated[column];
            row.iter_mut().zip(&eliminated).for_each(|(x, y)| *x -= factor * y);
            right[index] -= factor * value;
        }
    }
    let unknown =
        |i: usize| if matrix[i][i].abs() < 1e-300 { 0.0 } else { right[i] / matrix[i][i] };
    (0..n).map(unknown).collect()
}
