//! Matches between equally strong players, simulated: tests at the 5 % level
//! may cry wolf in about 5 % of them, no more.

use discern_arena::stats::{
    Decision, Pentanomial, Sprt, SprtModel, SprtRun, conservative_test, label_swap_test, sign_test,
    t_test,
};
use discern_board::Dice;

/// Pairs of a match without a stronger side: openings differ in how much they
/// favour a colour, so the two games of a pair are correlated.
fn null_match(pairs: u64, dice: &mut Dice) -> Pentanomial {
    let mut match_ = Pentanomial::default();
    for _ in 0..pairs {
        match_.0[null_pair(dice)] += 1;
    }
    match_
}

fn null_pair(dice: &mut Dice) -> usize {
    let mut uniform = || dice.below(1 << 53) as f64 / 2f64.powi(53);
    let black_wins = 0.1 + 0.7 * uniform();
    let draws = 0.1;
    let mut half_points = 0;
    for first_is_black in [true, false] {
        let throw = uniform();
        half_points += match () {
            () if throw < draws => 1,
            () if (throw < draws + black_wins) == first_is_black => 2,
            () => 0,
        };
    }
    half_points
}

#[test]
fn tests_at_five_percent_reject_about_five_percent_of_null_matches() {
    const MATCHES: usize = 4000;
    for pairs in [20, 100] {
        let mut dice = Dice::new(&[pairs]);
        let [mut conservative, mut swap, mut t, mut sign] = [0; 4];
        for _ in 0..MATCHES {
            let result = null_match(pairs, &mut dice);
            let [ll, ld, _, wd, ww] = result.0;
            conservative += usize::from(conservative_test(pairs, result.points()) <= 0.05);
            swap += usize::from(label_swap_test(result) <= 0.05);
            t += usize::from(t_test(result).is_some_and(|test| test.p <= 0.05));
            sign += usize::from(sign_test(wd + ww, ll + ld) <= 0.05);
        }
        // Three standard errors of the share above 5 %: 6.03 %.
        let most = (MATCHES as f64 * 0.0603) as usize;
        for (name, rejected) in
            [("conservative", conservative), ("label swap", swap), ("t", t), ("sign", sign)]
        {
            assert!(rejected <= most, "{name}, {pairs} pairs: {rejected} of {MATCHES}");
        }
        // The tests are not dead either.
        assert!(swap > MATCHES / 50 && t > MATCHES / 50, "{swap} {t}");
        assert!(conservative < t, "the conservative test is the strictest");
    }
}

#[test]
fn sequential_tests_keep_their_error_rates() {
    const RUNS: usize = 300;
    let sprt =
        Sprt { elo0: 0.0, elo1: 80.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized };
    let mut dice = Dice::new(&[5]);
    let (mut wrong, mut length) = (0, 0);
    for _ in 0..RUNS {
        let mut run = SprtRun::new(sprt);
        while run.observe(null_pair(&mut dice)) == Decision::Continue {
            assert!(run.pairs().pairs() < 5000, "a sequential test ends");
        }
        wrong += usize::from(run.decision() == Decision::AcceptH1);
        length += run.pairs().pairs();
    }
    // 5 % of 300 and three standard errors.
    assert!(wrong <= 27, "{wrong} of {RUNS}");
    assert!(length / (RUNS as u64) < 120, "{length}");
}
