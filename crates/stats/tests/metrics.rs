//! How good predictions are: against counting pairs, hand computation and
//! published intervals.

mod calibration {
    use discern_stats::{Bins, Prediction, calibration, share_interval};

    fn rows(count: u32) -> Vec<Prediction> {
        (0..count)
            .map(|i| {
                let probability = (f64::from(i) + 0.5) / f64::from(count);
                Prediction {
                    phase: 0,
                    log_odds: (probability / (1.0 - probability)).ln(),
                    outcome: f64::from(u8::from(i % 2 == 0)),
                    weight: 1.0,
                    group: None,
                }
            })
            .collect()
    }

    #[test]
    fn bins_keep_every_row_in_order() {
        for bins in [Bins::EqualWidth(10), Bins::EqualWeight(10)] {
            let curve = calibration(&rows(1000), bins, 0.95);
            assert_eq!(curve.len(), 10);
            assert_eq!(curve.iter().map(|bin| bin.weight).sum::<f64>(), 1000.0);
            for pair in curve.windows(2) {
                assert!(pair[0].range.1 < pair[1].range.0);
                assert!(pair[0].predicted < pair[1].predicted);
            }
            for bin in &curve {
                assert!((bin.observed - 0.5).abs() < 0.02);
                assert!(bin.interval.0 < bin.observed && bin.observed < bin.interval.1);
            }
        }
    }

    #[test]
    fn wilson_matches_the_textbook() {
        // Newcombe (1998): 81 of 263, 95 %: 0.2553 to 0.3662.
        let (low, high) = share_interval(81.0 / 263.0, 263.0, 0.95);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5);
        assert_eq!(share_interval(0.0, 20.0, 0.95).0, 0.0);
    }

    #[test]
    fn empty_bins_are_left_out() {
        let few = rows(3);
        assert_eq!(calibration(&few, Bins::EqualWidth(100), 0.95).len(), 3);
        assert!(calibration(&[], Bins::EqualWeight(10), 0.95).is_empty());
    }
}

mod discordance {
    use discern_stats::{Prediction, discordance};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn random(rows: usize, levels: &[f64], scores: i32, seed: u64) -> Vec<Prediction> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..rows)
            .map(|_| Prediction {
                phase: 0,
                log_odds: f64::from(rng.random_range(0..scores)),
                outcome: levels[rng.random_range(0..levels.len())],
                weight: f64::from(rng.random_range(1..4)),
                group: None,
            })
            .collect()
    }

    /// Every pair, one after the other.
    fn by_pairs(rows: &[Prediction]) -> f64 {
        let (mut wrong, mut pairs) = (0.0, 0.0);
        for a in rows {
            for b in rows {
                if a.outcome > b.outcome {
                    let weight = a.weight * b.weight;
                    pairs += weight;
                    if a.log_odds < b.log_odds {
                        wrong += weight;
                    } else if a.log_odds == b.log_odds {
                        wrong += 0.5 * weight;
                    }
                }
            }
        }
        wrong / pairs
    }

    #[test]
    fn equals_the_count_over_all_pairs_with_ties_draws_and_weights() {
        for seed in 0..20 {
            for levels in [&[0.0, 1.0][..], &[0.0, 0.5, 1.0], &[0.0, 0.1, 0.2, 0.7, 1.0]] {
                for scores in [2, 7, 1_000_000] {
                    let rows = random(60, levels, scores, seed);
                    let found = discordance(&rows).unwrap().value;
                    assert!((found - by_pairs(&rows)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn a_perfect_order_has_none_and_a_reversed_one_all() {
        let mut rows = random(50, &[0.0, 0.5, 1.0], 10, 3);
        for row in &mut rows {
            row.log_odds = row.outcome;
        }
        assert_eq!(discordance(&rows).unwrap().value, 0.0);
        for row in &mut rows {
            row.log_odds = -row.outcome;
        }
        assert_eq!(discordance(&rows).unwrap().value, 1.0);
        for row in &mut rows {
            row.log_odds = 0.0;
        }
        assert_eq!(discordance(&rows).unwrap().value, 0.5);
    }

    #[test]
    fn there_is_nothing_to_order_when_all_outcomes_are_equal() {
        assert_eq!(discordance(&random(50, &[0.5], 10, 4)), None);
        assert_eq!(discordance(&[]), None);
    }

    #[test]
    fn the_standard_error_is_that_of_delong() {
        let mut rows = random(80, &[0.0, 1.0], 9, 5);
        for row in &mut rows {
            row.weight = 1.0;
        }
        let found = discordance(&rows).unwrap();
        let (won, lost): (Vec<&Prediction>, Vec<&Prediction>) =
            rows.iter().partition(|row| row.outcome == 1.0);
        let wrong = |w: f64, l: f64| {
            if w < l {
                1.0
            } else if w == l {
                0.5
            } else {
                0.0
            }
        };
        let placements = |of: &[&Prediction], against: &[&Prediction], won: bool| -> f64 {
            let values = of.iter().map(|a| {
                let sum: f64 = against
                    .iter()
                    .map(|b| {
                        let (w, l) = if won { (a, b) } else { (b, a) };
                        wrong(w.log_odds, l.log_odds)
                    })
                    .sum();
                sum / against.len() as f64
            });
            let count = of.len() as f64;
            values.map(|v| (v - found.value).powi(2)).sum::<f64>() / (count * count)
        };
        let variance = placements(&won, &lost, true) + placements(&lost, &won, false);
        assert!((found.standard_error - variance.sqrt()).abs() < 1e-12);
    }
}

mod scores {
    use discern_stats::{Prediction, metrics};

    fn row(probability: f64, outcome: f64) -> Prediction {
        let log_odds = (probability / (1.0 - probability)).ln();
        Prediction { phase: 0, log_odds, outcome, weight: 1.0, group: None }
    }

    #[test]
    fn hand_computed_values() {
        let found = metrics(&[row(0.8, 1.0), row(0.8, 0.0), row(0.5, 0.5)]).unwrap();
        let loss = -(0.8f64.ln() + 0.2f64.ln() + 0.5f64.ln()) / 3.0;
        assert!((found.log_loss.value - loss).abs() < 1e-12);
        assert!((found.brier.value - (0.04 + 0.64) / 3.0).abs() < 1e-12);
        assert!((found.accuracy.value - (1.0 + 0.0 + 0.5) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn certain_and_wrong_is_finite_in_log_odds() {
        let wrong = Prediction { log_odds: 800.0, ..row(0.5, 0.0) };
        assert_eq!(metrics(&[wrong]).unwrap().log_loss.value, 800.0);
    }

    #[test]
    fn rows_of_one_game_do_not_count_as_independent() {
        let rows: Vec<Prediction> =
            (0..40).map(|i| row(0.6, f64::from(u8::from(i / 10 % 2 == 0)))).collect();
        let games: Vec<Prediction> = (0u32..)
            .zip(&rows)
            .map(|(i, row)| Prediction { group: Some(i / 10), ..*row })
            .collect();
        let alone = metrics(&rows).unwrap();
        let grouped = metrics(&games).unwrap();
        assert_eq!(alone.brier.value, grouped.brier.value);
        let ratio = grouped.brier.standard_error / alone.brier.standard_error;
        assert!((ratio - 10f64.sqrt()).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn no_rows_no_metrics() {
        assert_eq!(metrics(&[]), None);
    }
}
