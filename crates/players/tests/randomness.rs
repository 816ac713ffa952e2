//! How players stray.

use std::time::Duration;

use discern_board::{Dice, Square};
use discern_eval::Value;
use discern_players::Randomness;
use discern_search::{Certainty, Line, Report};

fn report(values: &[i32]) -> Report {
    let line = |(index, &value): (usize, &i32)| Line {
        mv: Square::from_index(index as u32).into(),
        value: Value::from_thousandths(value),
        certainty: Certainty::Depth(1),
        pv: Vec::new(),
    };
    let lines = values.iter().enumerate().map(line).collect();
    Report {
        lines,
        nodes: 0,
        time: Duration::ZERO,
        confidence: None,
        proof: None,
        interrupted: false,
    }
}

#[test]
fn moves_within_the_margin_are_drawn_the_better_the_more_often() {
    let randomness = Randomness::default();
    let mut dice = Dice::new(&[3]);
    let mut counts = [0; 4];
    let report = report(&[500, 0, -400, -600]);
    (0..10_000).for_each(|_| counts[randomness.choose(&report, &mut dice)] += 1);
    // Weights 1001, 501, 101, 0.
    assert!(counts[0] > 6000 && counts[1] > 2800 && counts[2] > 500, "{counts:?}");
    assert_eq!(counts[3], 0);
}

#[test]
fn a_proven_win_is_never_given_up() {
    let mut dice = Dice::new(&[4]);
    let report = report(&[20_002, 14_000]);
    assert!((0..1000).all(|_| Randomness::default().choose(&report, &mut dice) == 0));
}

#[test]
fn nobody_strays_near_the_end() {
    let always = Randomness { chance_permille: 1000, ..Randomness::default() };
    let mut dice = Dice::new(&[5]);
    assert!(always.strays(21, &mut dice) && !always.strays(20, &mut dice));
    let never = Randomness { chance_permille: 0, ..Randomness::default() };
    assert!((0..100).all(|_| !never.strays(50, &mut dice)));
}
