//! The formulas of the statistics against answers worked out elsewhere.

mod conservative {
    use discern_arena::stats::*;

    #[test]
    fn the_table_of_the_paper_gets_its_values() {
        let p = |wins: u32, draws: u32| {
            conservative_test(100, f64::from(wins) + f64::from(draws) / 2.0)
        };
        let table = [
            (116, 15, 0.0176),
            (112, 15, 0.0443),
            (93, 35, 0.184),
            (86, 24, 0.618),
            (93, 33, 0.242),
            (84, 30, 0.618),
            (88, 26, 0.540),
        ];
        for (wins, draws, expected) in table {
            assert!((p(wins, draws) - expected).abs() < 6e-4, "{wins}-{draws}: {}", p(wins, draws));
        }
        assert!((conservative_test(100, 116.0) - 0.0666).abs() < 1e-4);
        assert!((conservative_test(100, 118.0) - 0.0443).abs() < 1e-4);
    }

    #[test]
    fn critical_scores_are_those_known() {
        for (pairs, percent) in
            [(20, 75.0), (50, 64.0), (100, 59.0), (200, 56.5), (500, 53.8), (1000, 52.7)]
        {
            let found = 100.0 * critical_score(pairs, 0.05).unwrap();
            assert!((found - percent).abs() < 0.051, "{pairs}: {found}");
        }
        assert_eq!(critical_score(4, 0.05), None);
    }
}

mod elo {
    use discern_arena::stats::*;

    fn near(found: f64, expected: f64, digits: i32) {
        assert!((found - expected).abs() <= 0.501 * 10f64.powi(-digits), "{found} {expected}");
    }

    fn tally(wins: u64, draws: u64, losses: u64) -> Sample {
        Tally { wins, draws, losses }.into()
    }

    #[test]
    fn single_games_of_the_paper_give_the_known_answers() {
        let sample = tally(116, 15, 69);
        near(elo(&sample).value, 83.2, 1);
        near(elo(&sample).error, 47.9, 1);
        let normalized = normalized_elo(&sample).unwrap();
        near(normalized.value, 87.5, 1);
        near(normalized.error, 48.2, 1);
        near(100.0 * likelihood_of_superiority(&sample), 99.98, 2);
    }

    #[test]
    fn pairs_give_the_known_answers() {
        let sample = Pentanomial([12, 6, 40, 7, 35]).into();
        let found = elo(&sample);
        near(found.value, 83.2, 1);
        near(found.error, 48.6, 1);
        near(found.low, 36.2, 1);
        near(found.high, 133.4, 1);
        near(normalized_elo(&sample).unwrap().value, 86.3, 1);
        near(normalized_elo(&sample).unwrap().error, 48.2, 1);
        near(100.0 * likelihood_of_superiority(&sample), 99.978, 3);
    }

    #[test]
    fn answers_published_elsewhere_agree() {
        let sample = Pentanomial([13, 37, 50, 25, 3]).into();
        near(elo(&sample).value, -43.66, 2);
        near(normalized_elo(&sample).unwrap().value, -63.97, 2);
        let sample = Pentanomial([34, 54, 63, 64, 75]).into();
        near(elo(&sample).value, 55.58, 2);
        near(elo(&sample).error, 27.65, 2);
        near(normalized_elo(&sample).unwrap().value, 57.94, 2);
        near(normalized_elo(&sample).unwrap().error, 28.28, 2);
        let sample = tally(136, 111, 96);
        near(elo(&sample).value, 40.70, 2);
        near(elo(&sample).error, 30.43, 2);
        near(normalized_elo(&sample).unwrap().value, 49.77, 2);
        near(normalized_elo(&sample).unwrap().error, 36.77, 2);
        near(100.0 * likelihood_of_superiority(&sample), 99.60, 2);
    }

    #[test]
    fn scores_and_elo_are_each_other_s_inverse() {
        for score in [0.01, 0.3, 0.5, 0.75, 0.99] {
            assert!((score_of_elo(elo_of_score(score)) - score).abs() < 1e-12);
        }
        assert!(elo_of_score(1.0).is_finite());
    }

    #[test]
    fn nothing_is_claimed_without_variance() {
        let sample = Pentanomial([0, 0, 5, 0, 0]).into();
        assert_eq!(likelihood_of_superiority(&sample), 0.5);
        assert_eq!(normalized_elo(&sample), None);
        assert_eq!(elo(&Pentanomial::default().into()).value, 0.0);
        assert_eq!(likelihood_of_superiority(&Pentanomial([0, 0, 0, 0, 3]).into()), 1.0);
    }
}

mod paired {
    use discern_arena::stats::*;

    const PAPER: Pentanomial = Pentanomial([12, 6, 40, 7, 35]);

    #[test]
    fn known_answers_come_out() {
        let test = t_test(PAPER).unwrap();
        assert!((test.t - 3.496).abs() < 5e-4 && test.degrees == 99);
        assert!((test.p - 0.00071).abs() < 5e-6);
        assert!((label_swap_test(PAPER) - 0.00101).abs() < 5e-6);
        assert!((sign_test(42, 18) - 0.00267).abs() < 5e-6);
        assert!((label_swap_test(Pentanomial([34, 1, 7, 0, 58])) - 0.0160).abs() < 5e-5);
        // W against L of single games.
        assert!((sign_test(116, 69) - 0.0007).abs() < 5e-5);
    }

    #[test]
    fn label_swap_equals_counting_every_assignment_of_signs() {
        for counts in [[1, 2, 0, 3, 1], [0, 0, 4, 5, 0], [3, 0, 0, 0, 2], [2, 1, 9, 1, 2]] {
            let pairs = Pentanomial(counts);
            let mut worth = vec![1i32; (counts[1] + counts[3]) as usize];
            worth.extend(vec![2; (counts[0] + counts[4]) as usize]);
            let observed =
                (counts[3] as i32 - counts[1] as i32) + 2 * (counts[4] as i32 - counts[0] as i32);
            let extreme = (0..1u32 << worth.len())
                .filter(|signs| {
                    let sum: i32 = worth
                        .iter()
                        .enumerate()
                        .map(|(i, w)| if signs >> i & 1 == 1 { *w } else { -w })
                        .sum();
                    sum.abs() >= observed.abs()
                })
                .count();
            let expected = extreme as f64 / f64::from(1u32 << worth.len());
            assert!((label_swap_test(pairs) - expected).abs() < 1e-12, "{counts:?}");
        }
    }

    /// All pairs won: the two assignments with equal signs, one in 2^54.
    #[test]
    fn small_chances_are_not_lost_to_rounding() {
        let p = label_swap_test(Pentanomial([0, 0, 0, 0, 55]));
        assert!((p * 2f64.powi(54) - 1.0).abs() < 1e-9, "{p}");
        let p = label_swap_test(Pentanomial([1, 1, 32, 12, 54]));
        assert!(p > 0.0 && p < 1e-15, "{p}");
    }

    #[test]
    fn nothing_follows_from_nothing() {
        assert_eq!(t_test(Pentanomial([0, 0, 9, 0, 0])), None);
        assert_eq!(t_test(Pentanomial([0, 0, 0, 0, 1])), None);
        assert_eq!(label_swap_test(Pentanomial::default()), 1.0);
        assert_eq!(sign_test(0, 0), 1.0);
    }
}

mod ratings {
    use discern_arena::stats::*;

    fn encounter(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter { first, second, results: Tally { wins, draws, losses }.into() }
    }

    #[test]
    fn the_round_robin_has_the_known_ratings() {
        let encounters = [
            encounter(0, 1, 116, 15, 69),
            encounter(0, 2, 112, 15, 73),
            encounter(1, 2, 93, 35, 72),
        ];
        let ratings = Ratings::fit(3, &encounters, 4000, 1);
        for (found, expected) in ratings.elo.iter().zip([50.63, -15.31, -35.32]) {
            assert!((found - expected).abs() < 0.006, "{:?}", ratings.elo);
        }
        for (found, expected) in ratings.standard_error.iter().zip([11.4, 11.0, 11.3]) {
            assert!((found - expected).abs() < 0.6, "{:?}", ratings.standard_error);
        }
        for (i, j, expected) in [(0, 1, 19.3), (0, 2, 19.8), (1, 2, 19.2)] {
            assert!((ratings.difference_error[i][j] - expected).abs() < 1.0);
        }
        assert!((ratings.likelihood_of_superiority(1, 2) - 0.85).abs() < 0.02);
        assert!(!ratings.with_virtual_draws);
    }

    #[test]
    fn winning_everything_is_rated_with_virtual_draws() {
        let encounters = [encounter(0, 1, 20, 0, 0), encounter(1, 2, 10, 5, 5)];
        let ratings = Ratings::fit(3, &encounters, 50, 1);
        assert!(ratings.with_virtual_draws && ratings.elo.iter().all(|r| r.is_finite()));
        assert!(ratings.elo[0] > ratings.elo[1] + 300.0);
    }
}

mod sprt {
    use discern_arena::stats::*;

    fn sprt(elo0: f64, elo1: f64, model: SprtModel) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn normalized(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        sprt(elo0, elo1, SprtModel::Normalized).llr(&Pentanomial(counts).into())
    }

    fn logistic(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        sprt(elo0, elo1, SprtModel::Logistic).llr(&Pentanomial(counts).into())
    }

    const PAPER: [u64; 5] = [12, 6, 40, 7, 35];

    #[test]
    fn the_paper_s_match_has_the_known_ratios() {
        assert!((normalized(PAPER, 0.0, 30.0) - 3.3348).abs() < 5e-5);
        assert!((logistic(PAPER, 0.0, 30.0) - 3.3728).abs() < 5e-5);
        assert!((normalized(PAPER, 0.0, 10.0) - 1.2737).abs() < 5e-5);
        assert!((logistic(PAPER, 0.0, 10.0) - 1.2805).abs() < 5e-5);
        let games = Tally { wins: 116, draws: 15, losses: 69 }.into();
        let by_game = |elo1, model| sprt(0.0, elo1, model).llr(&games);
        assert!((by_game(30.0, SprtModel::Normalized) - 3.4726).abs() < 5e-5);
        assert!((by_game(30.0, SprtModel::Logistic) - 3.5853).abs() < 5e-5);
        assert!((by_game(10.0, SprtModel::Normalized) - 1.3236).abs() < 5e-5);
        assert!((by_game(10.0, SprtModel::Logistic) - 1.3733).abs() < 5e-5);
    }

    #[test]
    fn ratios_published_elsewhere_agree() {
        assert!((normalized([13, 37, 50, 25, 3], 0.0, 4.0) + 0.54912).abs() < 5e-6);
        assert!((normalized([365, 16618, 36229, 16974, 390], 0.0, 2.0) - 2.25).abs() < 0.005);
        assert!((normalized([127, 4883, 10712, 5150, 104], -1.75, 0.25) - 3.01).abs() < 0.005);
        assert!((logistic([223, 9863, 21279, 10037, 246], 0.5, 2.5) + 3.07).abs() < 0.005);
        assert!((normalized([39, 8843, 26675, 9240, 44], 0.5, 2.5) - 2.9417).abs() < 5e-4);
        let games = Tally { losses: 36027, draws: 68692, wins: 36433 }.into();
        let llr = sprt(0.0, 2.0, SprtModel::Normalized).llr(&games);
        assert!((llr - 0.92).abs() < 0.005);
    }

    #[test]
    fn bounds_are_the_logarithms_of_the_odds() {
        let test = sprt(0.0, 10.0, SprtModel::Normalized);
        assert!((test.upper() - 2.94444).abs() < 1e-5 && (test.lower() + 2.94444).abs() < 1e-5);
        assert_eq!(test.llr(&Pentanomial::default().into()), 0.0);
        // All wins, or one pair: finite and in favour of the stronger hypothesis.
        assert!(normalized([0, 0, 0, 0, 50], 0.0, 10.0) > 0.0);
        assert!(logistic([0, 0, 0, 0, 1], 0.0, 10.0).is_finite());
    }
}
