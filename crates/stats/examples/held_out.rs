//! How good is a model on games it has not seen? Discordance, log loss and
//! calibration by cross-validation over games.

use discern_stats::{
    Bins, Dataset, ErrorKind, Estimator, Example, Logistic, PhaseModel, Predict, calibration,
    cross_validate, metrics,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) fn main() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut data = Dataset::builder(["mobility"]);
    for row in 0..6000 {
        let mobility: f64 = rng.random_range(-3.0..3.0);
        let won = rng.random_range(0.0..1.0) < 1.0 / (1.0 + (-1.2 * mobility).exp());
        let (x, outcome) = ([mobility], f64::from(u8::from(won)));
        data.push(&Example { group: Some(row / 30), ..Example::new(&x, outcome) }).expect("finite");
    }
    let settings = Logistic { errors: ErrorKind::Information, ..Logistic::default() };
    let predictions = cross_validate(&data.finish(), 5, |training| {
        let fit = settings.fit(training)?;
        Ok(Box::new(move |_phase, x: &[f64]| Some(fit.log_odds(x))) as PhaseModel)
    })
    .expect("every fold can be fitted");
    assert_eq!(predictions.len(), 6000, "each row was held out once");

    let found = metrics(&predictions).expect("rows");
    println!("log loss {:.4} ±{:.4}", found.log_loss.value, found.log_loss.standard_error);
    assert!(found.log_loss.value < 2f64.ln(), "better than a coin");
    assert!(found.discordance.expect("two outcomes").value < 0.25);

    for bin in calibration(&predictions, Bins::EqualWeight(10), 0.999) {
        println!("called {:.3}, happened {:.3}", bin.predicted, bin.observed);
        assert!(bin.interval.0 < bin.predicted && bin.predicted < bin.interval.1);
    }
}
