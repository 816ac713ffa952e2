//! The committed sample of `docs/formats.md`: weight files stay readable.
//!
//! `DISCERN_WRITE_SAMPLES=1 cargo test -p discern-eval --test sample_file`
//! writes it anew after a change of the format.

use std::path::Path;
use std::sync::Arc;

use discern_board::Board;
use discern_eval::{
    Basis, DirectModel, DirectPhase, DirectSet, Evaluator, Features, LinearErrors, LinearModel,
    LinearPhase, Manifest, Model, NamedModel, Phases, QuadraticModel, QuadraticPhase, Stages,
    TableSet, TableValue, Tables, Weights,
};

/// Weights that are simple enough to be small: each table value is the same
/// number, each model has one weight.
fn sample() -> Weights {
    let (features, stages) = (Features::default(), Stages::default());
    let set = TableSet::from_fn(&features, |_, _| TableValue::from_steps(100).expect("in range"));
    let tables = Tables::new(stages, vec![set; stages.count()]);
    let zeros = vec![0.0; features.len()];
    let mut weights = zeros.clone();
    weights[3] = 2.0;
    let errors = Some(LinearErrors { intercept: 0.25, weights: weights.clone() });
    let fisher = LinearPhase { intercept: 0.5, weights, errors: None };
    let log = LinearPhase { errors, ..fisher.clone() };
    let mut quad = QuadraticPhase {
        constant: -0.5,
        linear: zeros.clone(),
        quadratic: vec![zeros; features.len()],
    };
    quad.quadratic[2][2] = 1.5;
    let phases = Phases::from_fn(|discs| DirectPhase::new(discs, 0.1, 0.9));
    let own = "MOB,PMOB,R1,TRI".parse::<Features>().expect("names of features");
    let direct = DirectSet::new(&own, vec![vec![0.5], vec![0.25]], |_, _| 0.125);
    let direct = direct.with_tempo(&own, |_, _| 0.0625);
    let direct = DirectModel::new(own, stages, vec![direct; stages.count()], phases);
    let basis = Arc::new(Basis::new(features, tables));
    let named = |name: &str, model: Arc<dyn Model>| {
        let manifest = Manifest { program: "discern sample".into(), ..Manifest::new("sample") };
        let words = [name, &name.to_uppercase(), "a sample"];
        NamedModel::new(words, manifest, basis.clone(), model)
    };
    let models = vec![
        named("log", Arc::new(LinearModel { phases: Phases::from_fn(|_| log.clone()) })),
        named("fisher", Arc::new(LinearModel { phases: Phases::from_fn(|_| fisher.clone()) })),
        named("quad", Arc::new(QuadraticModel { phases: Phases::from_fn(|_| quad.clone()) })),
        named("direct", Arc::new(direct)),
    ];
    Weights::new(basis.clone(), models)
}

#[test]
fn the_committed_sample_is_read_as_it_was_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample.weights");
    if std::env::var_os("DISCERN_WRITE_SAMPLES").is_some() {
        sample().save(&path).unwrap();
    }
    let weights = Weights::load(&path).unwrap();
    assert_eq!(weights, sample());
    let start =
        |name| weights.model(name).unwrap().evaluator().evaluate(&Board::START).thousandths();
    assert_eq!((start("fisher"), start("direct")), (500, 550));
}
