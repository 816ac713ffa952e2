//! The committed sample of `docs/formats.md`: old weight files stay readable.
//!
//! `DISCERN_WRITE_SAMPLES=1 cargo test -p discern-eval --test sample_file`
//! writes it anew after a change of the format.

use std::path::Path;

use discern_board::Board;
use discern_eval::{
    DirectModel, DirectPhase, DirectSet, Evaluator, LinearErrors, LinearModel, Manifest, Phases,
    QuadraticModel, Stages, TableSet, TableValue, Tables, Weights,
};

/// Weights that are simple enough to be small: each table value is the same
/// number, each model has one weight.
fn sample() -> Weights {
    let stages = Stages::default();
    let set = TableSet::from_fn(|_, _| TableValue::from_steps(100).expect("in range"));
    let direct = DirectSet::new(0.5, 0.25, |_, _| 0.125);
    let mut linear = LinearModel { intercept: 0.5, ..LinearModel::ZERO };
    linear.weights[3] = 2.0;
    let errors = LinearErrors { intercept: 0.25, weights: linear.weights };
    let mut quadratic = QuadraticModel { constant: -0.5, ..QuadraticModel::ZERO };
    quadratic.quadratic[2][2] = 1.5;
    let phase = DirectPhase { intercept: 0.1, scale: 0.9 };
    Weights {
        manifest: Manifest { program: "discern sample".into(), ..Manifest::new("sample") },
        tables: Tables::new(stages, vec![set; stages.count()]),
        log: Phases::from_fn(|_| LinearModel { errors: Some(errors.clone()), ..linear.clone() }),
        fisher: Phases::from_fn(|_| linear.clone()),
        quad: Phases::from_fn(|_| quadratic.clone()),
        direct: Some(DirectModel::new(
            stages,
            vec![direct; stages.count()],
            Phases::from_fn(|_| phase),
        )),
    }
}

#[test]
fn the_committed_sample_is_read_as_it_was_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample.weights");
    if std::env::var_os("DISCERN_WRITE_SAMPLES").is_some() {
        sample().save(&path).unwrap();
    }
    let weights = Weights::load(&path).unwrap();
    assert_eq!(weights, sample());
    assert_eq!(weights.fisher().evaluate(&Board::START).thousandths(), 500);
    assert_eq!(weights.direct().unwrap().evaluate(&Board::START).thousandths(), 100);
}
