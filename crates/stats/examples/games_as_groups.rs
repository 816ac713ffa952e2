//! Positions of one game resemble each other: standard errors that know it.

use discern_stats::{Dataset, ErrorKind, Estimator, Example, Fit, Logistic};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) fn main() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut data = Dataset::builder(["lead"]);
    for game in 0..300 {
        // One side leads, and wins, through a whole game of 40 positions.
        let lead: f64 = rng.random_range(-2.0..2.0);
        let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-lead).exp());
        for _ in 0..40 {
            let x = [lead + rng.random_range(-0.5..0.5)];
            let outcome = f64::from(u8::from(won));
            data.push(&Example { group: Some(game), ..Example::new(&x, outcome) }).expect("finite");
        }
    }
    let fit = Logistic::default().fit(&data.finish()).expect("a fit");
    let error = |kind| fit.standard_errors(kind).expect("computed by default")[1];
    let kinds = [ErrorKind::Information, ErrorKind::Corrected, ErrorKind::Clustered];
    let [information, corrected, clustered] = kinds.map(error);
    for (kind, error) in kinds.iter().zip([information, corrected, clustered]) {
        println!("{:12} {error:.4}", kind.word());
    }
    // A hundred invented trials per row, and 40 positions for one game: each
    // makes the naive errors smaller than they are.
    assert!((corrected / information - 10.0).abs() < 1e-9);
    assert!(clustered > 3.0 * corrected);
    assert_eq!(fit.uncertainty().groups(), Some(300));
}
