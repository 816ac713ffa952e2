//! The small parts that the estimators are made of.

mod matrix {
    use discern_stats::{Cholesky, Matrix};

    fn example() -> Matrix {
        Matrix::try_from(vec![vec![4.0, 2.0, -2.0], vec![2.0, 10.0, 2.0], vec![-2.0, 2.0, 6.0]])
            .unwrap()
    }

    #[test]
    fn solve_inverse_and_determinant_agree_with_hand_computation() {
        let cholesky = Cholesky::new(&example(), 1e-12).unwrap();
        let x = cholesky.solve(&[1.0, 2.0, 3.0]);
        for (value, expected) in example().times(&x).into_iter().zip([1.0, 2.0, 3.0]) {
            assert!((value - expected).abs() < 1e-14);
        }
        // 4·(60−4) − 2·(12+4) + (−2)·(4+20) = 144
        assert!((cholesky.log_determinant() - 144f64.ln()).abs() < 1e-14);
        let product = example().product(&cholesky.inverse());
        for row in 0..3 {
            for column in 0..3 {
                let unit = f64::from(u8::from(row == column));
                assert!((product[(row, column)] - unit).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn a_dependent_column_comes_with_its_combination() {
        // Third column = 2·first − second.
        let mut matrix = example().submatrix(&[0, 1]);
        let c = [2.0, -1.0];
        let cross = matrix.times(&c);
        let last = c[0] * cross[0] + c[1] * cross[1];
        matrix = Matrix::from_fn(3, |i, j| match (i, j) {
            (2, 2) => last,
            (2, k) | (k, 2) => cross[k],
            _ => matrix[(i, j)],
        });
        let dependent = Cholesky::new(&matrix, 1e-12).unwrap_err();
        assert_eq!(dependent.column, 2);
        assert!((dependent.combination[0] - 2.0).abs() < 1e-12);
        assert!((dependent.combination[1] + 1.0).abs() < 1e-12);
    }

    #[test]
    fn nan_is_not_positive_definite() {
        let matrix = Matrix::from_fn(2, |_, _| f64::NAN);
        assert!(Cholesky::new(&matrix, 1e-12).is_err());
    }
}

mod inference {
    use discern_stats::{Matrix, Reference, normal_log_odds, wald_test};

    #[test]
    fn textbook_quantiles_and_p_values() {
        assert!((Reference::Normal.quantile(0.95) - 1.959_963_984_540_054).abs() < 1e-9);
        assert!((Reference::StudentT(10.0).quantile(0.95) - 2.228_138_851_986_273_5).abs() < 1e-6);
        assert!((Reference::Normal.p_value(-1.959_963_984_540_054) - 0.05).abs() < 1e-9);
        assert!((Reference::StudentT(10.0).p_value(2.228_138_851_986_273_5) - 0.05).abs() < 1e-9);
    }

    #[test]
    fn p_values_far_in_the_tail_are_small_and_not_zero() {
        let p = Reference::Normal.p_value(20.0);
        assert!(p > 1e-90 && p < 1e-87, "{p}");
    }

    #[test]
    fn normal_log_odds_are_odd_and_finite_on_both_tails() {
        assert_eq!(normal_log_odds(0.0), 0.0);
        assert!(
            (normal_log_odds(1.0) - (0.841_344_746_068_543f64 / 0.158_655_253_931_457).ln()).abs()
                < 1e-9
        );
        for z in [0.5, 5.0, 20.0, 1e6] {
            assert_eq!(normal_log_odds(z), -normal_log_odds(-z));
            assert!(normal_log_odds(z).is_finite());
        }
    }

    #[test]
    fn a_joint_test_of_one_coefficient_is_its_squared_statistic() {
        let covariance = Matrix::from_fn(2, |i, j| if i == j { 4.0 } else { 1.0 });
        let test = wald_test(&[0.5, 3.0], &covariance, &[1]).unwrap();
        assert!((test.statistic - 2.25).abs() < 1e-14);
        assert!((test.p_value - Reference::Normal.p_value(1.5)).abs() < 1e-9);
    }
}

mod folds {
    use discern_stats::{Dataset, Example, Examples, Fold, Side};

    fn games() -> Dataset {
        let mut builder = Dataset::builder(["x"]);
        for row in 0..1000 {
            let features = [f64::from(row)];
            let example = Example { group: Some(row / 7), ..Example::new(&features, 1.0) };
            builder.push(&example).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn the_two_sides_of_a_fold_share_no_group_and_miss_no_row() {
        let data = games();
        let counted = |side, fold| -> Vec<bool> {
            Fold::new(&data, fold, 5, side)
                .blocks()
                .flat_map(|block| block.unwrap().weight.unwrap().values().collect::<Vec<_>>())
                .map(|weight| weight > 0.0)
                .collect()
        };
        let mut times_held_out = vec![0; 1000];
        for fold in 0..5 {
            let training = counted(Side::Training, fold);
            let held_out = counted(Side::HeldOut, fold);
            for row in 0..1000 {
                assert_ne!(training[row], held_out[row]);
                assert_eq!(held_out[row], held_out[row / 7 * 7], "group of row {row} is split");
                times_held_out[row] += i32::from(held_out[row]);
            }
            assert!((100..300).contains(&held_out.iter().filter(|&&counts| counts).count()));
        }
        assert!(times_held_out.iter().all(|&times| times == 1));
    }
}

mod phases {
    use discern_stats::{PhaseRange, Pooling};

    #[test]
    fn a_window_reaches_as_far_on_both_sides() {
        let range = Pooling(2).around(20);
        assert_eq!((18..=22).filter(|&phase| range.contains(phase)).count(), 5);
        assert!(!range.contains(17) && !range.contains(23));
        assert_eq!(Pooling(0).around(7), PhaseRange { first: 7, last: 7 });
        assert!(Pooling(2).around(i32::MAX).contains(i32::MAX));
        let present = PhaseRange { first: 19, last: 60 };
        assert_eq!(range.within(present), PhaseRange { first: 19, last: 22 });
    }
}

mod predict {
    use discern_stats::logistic;

    #[test]
    fn probability_is_symmetric_and_never_leaves_zero_to_one() {
        for f in [0.0, 1e-9, 0.3, 5.0, 40.0, 800.0] {
            assert!((logistic(f) + logistic(-f) - 1.0).abs() < 1e-15);
            assert!((0.0..=1.0).contains(&logistic(f)));
        }
        assert_eq!(logistic(0.0), 0.5);
        assert!(logistic(-700.0) > 0.0);
    }
}
