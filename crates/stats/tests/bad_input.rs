//! Data no model can be fitted to, and data it can be fitted to only in part:
//! each a clear message, never a panic or a silent number.

use discern_stats::{
    Block, Blocks, ColumnsView, DataError, Dataset, Estimator, Example, Examples, Fisher, Fold,
    Linear, Logistic, Moments, PhaseMoments, Pooling, Quadratic, Side, StopReason, Threads, Trials,
    compare_covariances, cross_validate, variance_inflation,
};

fn dataset(names: &[&str], rows: &[(Vec<f64>, f64)]) -> Dataset {
    let mut builder = Dataset::builder(names.iter().copied());
    for (x, outcome) in rows {
        builder.push(&Example { score: Some(3.0 * x[0]), ..Example::new(x, *outcome) }).unwrap();
    }
    builder.finish()
}

/// Every model's message, in the order LOG, FISHER, QUAD.
fn messages(data: &Dataset) -> [String; 3] {
    fn message(model: &impl Estimator, data: &Dataset) -> String {
        model.fit(data).err().map_or(String::new(), |error| error.to_string())
    }
    [
        message(&Logistic::default(), data),
        message(&Fisher::default(), data),
        message(&Quadratic::default(), data),
    ]
}

fn assert_all(data: &Dataset, parts: &[&str]) {
    for message in messages(data) {
        for part in parts {
            assert!(message.contains(part), "'{part}' is not in '{message}'");
        }
    }
}

/// Rows that overlap, with a second and third feature made from the first.
fn overlapping(second: impl Fn(usize, f64) -> f64) -> Vec<(Vec<f64>, f64)> {
    (0..40)
        .map(|row| {
            let a = f64::from(row % 8) - 3.5;
            let b = f64::from(row * 13 % 11);
            let outcome = f64::from(u8::from((row * 7 % 10) as f64 + a > 4.0));
            (vec![a, b, second(row as usize, a)], outcome)
        })
        .collect()
}

#[test]
fn no_rows() {
    assert_all(&Dataset::builder(["a"]).finish(), &["no rows"]);
    let error = Linear::default().fit(&Dataset::builder(["a"]).finish()).unwrap_err();
    assert!(error.to_string().contains("no rows"), "{error}");
}

#[test]
fn one_class_missing() {
    let won: Vec<_> = overlapping(|row, _| row as f64).into_iter().map(|(x, _)| (x, 1.0)).collect();
    assert_all(&dataset(&["a", "b", "c"], &won), &["no lost rows among 40"]);
    let lost: Vec<_> = won.into_iter().map(|(x, _)| (x, 0.0)).collect();
    assert_all(&dataset(&["a", "b", "c"], &lost), &["no won rows among 40"]);
}

#[test]
fn a_constant_feature_is_named() {
    for value in [0.0, 7.0, 0.1, -1e9] {
        let rows = overlapping(|_, _| value);
        assert_all(&dataset(&["a", "b", "tempo"], &rows), &["'tempo' is constant"]);
    }
}

#[test]
fn a_feature_constant_within_a_class_stops_only_the_models_it_must() {
    let mut rows = overlapping(|row, _| (row % 3) as f64);
    for (x, outcome) in &mut rows {
        if *outcome == 1.0 {
            x[2] = 1.0;
        }
    }
    let [log, fisher, quad] = messages(&dataset(&["a", "b", "tempo"], &rows));
    assert_eq!((log.as_str(), fisher.as_str()), ("", ""));
    assert!(quad.contains("'tempo' is constant among the won rows"), "{quad}");
}

#[test]
fn collinear_features_are_named_with_their_combination() {
    let mut rows = overlapping(|_, a| a);
    for (x, _) in &mut rows {
        x[2] = 2.0 * x[0] - 0.5 * x[1] + 3.0;
    }
    let data = dataset(&["mobility", "edge", "both"], &rows);
    assert_all(&data, &["collinear", "both = 2·mobility − 0.5·edge"]);
    let moments = Moments::collect(&data, Threads::ONE).unwrap();
    assert!(variance_inflation(&moments).is_err());
    assert!(compare_covariances(&moments).is_err());
    let error = Linear::default().fit(&data).unwrap_err();
    assert!(error.to_string().contains("both = 2·mobility"), "{error}");
}

#[test]
fn values_that_are_not_finite_numbers_are_refused_by_name() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut builder = Dataset::builder(["a", "tempo"]);
        let error = builder.push(&Example::new(&[1.0, value], 1.0)).unwrap_err();
        assert!(error.to_string().contains("'tempo'"), "{error}");
        let column = vec![1.0, value];
        let block = Block {
            features: vec![column.as_slice().into()],
            outcome: Some(vec![0.0f32, 1.0].into()),
            ..Block::default()
        };
        let error = ColumnsView::new(["tempo"], block).unwrap_err();
        assert!(error.to_string().contains("'tempo'"), "{error}");
    }
    let mut builder = Dataset::builder(["a"]);
    let bad = [
        Example { outcome: Some(1.5), ..Example::new(&[1.0], 0.0) },
        Example { outcome: Some(f64::NAN), ..Example::new(&[1.0], 0.0) },
        Example { trials: Some(0.0), ..Example::new(&[1.0], 0.0) },
        Example { score: Some(f64::NAN), ..Example::new(&[1.0], 0.0) },
        Example { weight: Some(-1.0), ..Example::new(&[1.0], 0.0) },
        Example { weight: Some(f64::INFINITY), ..Example::new(&[1.0], 0.0) },
        Example::new(&[1.0, 2.0], 0.0),
        Example::new(&[], 0.0),
    ];
    for example in bad {
        assert!(builder.push(&example).is_err(), "{example:?}");
    }
    builder.push(&Example::new(&[1.0], 0.0)).unwrap();
    let ragged = Example { group: Some(1), ..Example::new(&[1.0], 0.0) };
    assert!(matches!(builder.push(&ragged), Err(DataError::Ragged("group"))));
}

#[test]
fn squares_that_overflow_are_said_to() {
    let rows = overlapping(|row, _| if row % 2 == 0 { 1e300 } else { -1e300 });
    assert_all(&dataset(&["a", "b", "huge"], &rows), &["'huge'", "overflow"]);
}

#[test]
fn columns_of_different_length_are_refused() {
    let block = Block {
        features: vec![vec![1.0f32, 2.0].into(), vec![1.0f32].into()],
        outcome: Some(vec![0.0f32, 1.0].into()),
        ..Block::default()
    };
    let error = ColumnsView::new(["a", "b"], block).unwrap_err();
    assert_eq!(error.to_string(), "column 'b' has 1 rows where 2 are expected");
}

#[test]
fn a_reading_error_ends_every_fit() {
    struct Broken(Vec<String>);
    impl Examples for Broken {
        fn features(&self) -> &[String] {
            &self.0
        }
        fn blocks(&self) -> Blocks<'_> {
            let block = Block {
                features: vec![vec![1.0f32, 2.0].into()],
                outcome: Some(vec![0.0f32, 1.0].into()),
                score: Some(vec![0.0f32, 1.0].into()),
                ..Block::default()
            };
            Box::new([Ok(block), Err(DataError::Read("line 7".into()))].into_iter())
        }
    }
    let data = Broken(vec!["x".into()]);
    for threads in [1, 4] {
        let threads = Threads::new(threads);
        let log = Logistic { threads, ..Logistic::default() }.fit(&data).unwrap_err();
        let linear = Linear { threads, ..Linear::default() }.fit(&data).unwrap_err();
        assert_eq!((log.to_string(), linear.to_string()), ("line 7".into(), "line 7".into()));
    }
}

/// x separates completely (gap 1) or but for rows at x = 0 (gap 0).
fn separated(gap: f64) -> Dataset {
    let rows: Vec<(Vec<f64>, f64)> = (0..60)
        .map(|row| {
            let size = gap + f64::from(row % 6) * 0.5;
            let won = row % 2 == 0;
            let noise = f64::from(row * 17 % 13);
            (vec![if won { size } else { -size }, noise], f64::from(u8::from(won)))
        })
        .collect();
    dataset(&["telling", "noise"], &rows)
}

#[test]
fn perfect_separation_is_detected_by_name() {
    for gap in [1.0, 0.0] {
        let plain = Logistic { trials: Trials::One, ..Logistic::default() };
        let fit = plain.fit(&separated(gap)).unwrap();
        assert_eq!(fit.stop, StopReason::Separated, "gap {gap} after {} steps", fit.steps);
        assert!(fit.separated, "gap {gap}");
        assert_eq!(fit.separating_features(), ["telling"], "gap {gap}");
        assert!(fit.coefficients.iter().all(|value| value.is_finite()));
    }
}

#[test]
fn with_the_papers_trials_separated_estimates_exist_and_say_where_they_come_from() {
    let fit = Logistic::default().fit(&separated(1.0)).unwrap();
    assert_eq!(fit.stop, StopReason::Converged);
    assert!(fit.separated);
    assert!(!Logistic::default().fit(&separated(-0.6)).unwrap().separated);
    let ridge = Logistic { trials: Trials::One, ridge: 1.0, ..Logistic::default() };
    assert_eq!(ridge.fit(&separated(1.0)).unwrap().stop, StopReason::Converged);
}

#[test]
fn a_step_limit_is_admitted() {
    let data = dataset(&["a", "b", "c"], &overlapping(|row, _| (row % 5) as f64));
    let fit = Logistic { max_steps: 2, ..Logistic::default() }.fit(&data).unwrap();
    assert_eq!((fit.stop, fit.steps), (StopReason::StepLimit, 2));
}

#[test]
fn settings_out_of_range_are_refused() {
    let data = dataset(&["a", "b", "c"], &overlapping(|row, _| (row % 5) as f64));
    let bad = [
        Logistic { trials: Trials::Each(2.0), ..Logistic::default() },
        Logistic { trials: Trials::Each(f64::NAN), ..Logistic::default() },
        Logistic { ridge: -1.0, ..Logistic::default() },
        Logistic { ridge: f64::INFINITY, ..Logistic::default() },
        Logistic { tolerance: 0.0, ..Logistic::default() },
    ];
    for settings in bad {
        assert!(settings.fit(&data).is_err(), "{settings:?}");
    }
    assert!(cross_validate(&data, 1, |_| Ok(Box::new(|_, _| None))).is_err());
}

#[test]
fn more_coefficients_than_rows_is_an_error_of_every_model() {
    let rows: Vec<_> = overlapping(|row, _| (row * row) as f64).into_iter().take(3).collect();
    let mut rows = rows;
    (rows[0].1, rows[1].1) = (1.0, 0.0);
    let data = dataset(&["a", "b", "c"], &rows);
    assert_all(&data, &["3 rows are too few for 4 coefficients"]);
    assert!(Linear::default().fit(&data).is_err());
    // At once, without a matrix of all columns by all columns.
    let names: Vec<String> = (0..30_000).map(|column| format!("x{column}")).collect();
    let mut wide = Dataset::builder(names);
    for row in 0..20 {
        let features: Vec<f64> = (0..30_000).map(|column| f64::from(column * row % 17)).collect();
        let outcome = f64::from(row % 2);
        wide.push(&Example { score: Some(1.0), ..Example::new(&features, outcome) }).unwrap();
    }
    let wide = wide.finish();
    assert_all(&wide, &["20 rows are too few for 30001 coefficients"]);
    assert!(Linear::default().fit(&wide).is_err());
}

#[test]
fn an_empty_or_hopeless_phase_does_not_stop_the_others() {
    let mut builder = Dataset::builder(["a", "b", "c"]);
    for (x, outcome) in overlapping(|row, _| (row % 5) as f64) {
        for phase in [20, 21] {
            builder.push(&Example { phase, ..Example::new(&x, outcome) }).unwrap();
        }
        // All of phase 40 is won.
        builder.push(&Example { phase: 40, ..Example::new(&x, 1.0) }).unwrap();
    }
    let data = builder.finish();
    let moments = PhaseMoments::collect(&data, Threads::ONE).unwrap();
    let fits = Logistic::default().fit_phases(&data, Pooling(2)).unwrap();
    let phases: Vec<(i32, bool)> = fits.iter().map(|(phase, fit)| (*phase, fit.is_ok())).collect();
    assert_eq!(phases, [(20, true), (21, true), (40, false)]);
    let error = fits[2].1.as_ref().unwrap_err();
    assert!(error.to_string().contains("no lost rows"), "{error}");
    assert!(moments.pooled(Pooling(2).around(30)).is_none());
}

#[test]
fn a_fold_without_rows_of_a_class_is_an_error_and_not_a_number() {
    let data = dataset(&["a"], &[(vec![1.0], 1.0), (vec![2.0], 0.0)]);
    let fold = Fold::new(&data, 0, 1, Side::Training);
    assert!(Logistic::default().fit(&fold).unwrap_err().to_string().contains("no rows"));
}
