//! One feature, won and lost rows, one logistic regression.

use discern_stats::{Dataset, Estimator, Example, Fit, Logistic, Predict, StopReason, Trials};

pub(crate) fn main() {
    // Mobility of the mover, and whether the mover won, drew or lost.
    let rows = [(3.0, 1.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (0.0, 0.5), (4.0, 1.0)];
    let mut data = Dataset::builder(["mobility"]);
    for (mobility, outcome) in rows {
        data.push(&Example::new(&[mobility], outcome)).expect("finite numbers");
    }
    let data = data.finish();

    // Plain labels; the default is the paper's 100 trials per row.
    let settings = Logistic { trials: Trials::One, ..Logistic::default() };
    let fit = settings.fit(&data).expect("both classes are there");
    assert_eq!(fit.stop(), StopReason::Converged);
    for estimate in fit.estimates(fit.uncertainty().best(), 0.95).expect("errors") {
        let (low, high) = estimate.interval;
        println!("{:12} {:7.3}  [{low:.3}, {high:.3}]", estimate.name, estimate.value);
    }
    println!("P(win | mobility 2.5) = {:.3}", fit.probability(&[2.5]));
    assert!(fit.probability(&[2.5]) > 0.5);
}
