//! LOG, FISHER, QUAD and OLS of the same rows, through one interface; the
//! moments are collected once for all of them.

use discern_stats::{
    Dataset, Estimator, Example, Fisher, Fit, Linear, Logistic, PhaseMoments, Quadratic, Threads,
    WithMoments,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) fn main() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut data = Dataset::builder(["mobility", "edge"]);
    for _ in 0..4000 {
        let x: [f64; 2] = [rng.random_range(-3.0..3.0), rng.random_range(-1.0..1.0)];
        let margin = 4.0 * x[0] - 2.0 * x[1] + rng.random_range(-10.0..10.0);
        let outcome = f64::from(u8::from(margin > 0.0));
        data.push(&Example { score: Some(margin), ..Example::new(&x, outcome) }).expect("finite");
    }
    let data = data.finish();
    let moments = PhaseMoments::collect(&data, Threads::available()).expect("outcomes");
    let data = WithMoments::new(&data, &moments);

    let log = Logistic::default().fit(&data).expect("a fit");
    let fisher = Fisher::default().fit(&data).expect("a fit");
    let quad = Quadratic::default().fit(&data).expect("a fit");
    let ols = Linear::default().fit(&data).expect("a fit");
    let fits: [(&str, &dyn Fit); 4] =
        [("LOG", &log), ("FISHER", &fisher), ("QUAD", &quad), ("OLS", &ols)];
    for (name, fit) in fits {
        let errors = fit.standard_errors(fit.uncertainty().best()).expect("errors");
        for ((what, value), error) in fit.names().iter().zip(fit.coefficients()).zip(errors) {
            println!("{name:7} {what:14} {value:8.4} ±{error:.4}");
        }
        let [better, worse] = [[2.0, -0.5], [-2.0, 0.5]].map(|x| fit.probability(&x));
        assert!(better > 0.8 && worse < 0.2, "{name}: {better} {worse}");
    }
    // The classes have the same covariance here: quadratic terms are 0 within
    // three standard errors.
    let table = quad.estimates(quad.uncertainty().best(), 0.997).expect("errors");
    assert!(table[3..].iter().all(|product| product.interval.0 < 0.0 && product.interval.1 > 0.0));
}
