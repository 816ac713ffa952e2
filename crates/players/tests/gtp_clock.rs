//! Clocks as GTP controllers tell them.

use std::time::Duration;

use discern_players::serve::{GtpClock, TimeMeaning};

const S: fn(u64) -> Duration = Duration::from_secs;

#[test]
fn the_same_settings_mean_three_things() {
    let clock = |meaning| GtpClock::new(meaning, S(0), S(5), 1).unwrap();
    for meaning in [TimeMeaning::Canadian, TimeMeaning::Byoyomi] {
        let time = clock(meaning).move_time(50);
        assert!(time.maximum > S(4) && time.maximum < S(5), "{meaning:?}: {time:?}");
    }
    let mut fischer = clock(TimeMeaning::Fischer);
    assert!(fischer.move_time(50).maximum < S(1));
    fischer.spend(S(0));
    let time = fischer.move_time(50).maximum;
    assert!(time > S(1) && time < S(5), "{time:?}");
}

#[test]
fn nothing_and_stones_without_number_are_no_limit() {
    assert_eq!(GtpClock::new(TimeMeaning::Canadian, S(9), S(5), 0), None);
    assert_eq!(GtpClock::new(TimeMeaning::Fischer, S(0), S(0), 0), None);
    assert!(GtpClock::new(TimeMeaning::Fischer, S(9), S(5), 0).is_some());
    assert!(GtpClock::new(TimeMeaning::Canadian, S(9), S(0), 0).is_some());
}

#[test]
fn canadian_periods_follow_each_other() {
    let mut clock = GtpClock::new(TimeMeaning::Canadian, S(1), S(10), 2).unwrap();
    clock.spend(S(3));
    assert!(clock.move_time(40).maximum < S(5) && clock.move_time(40).maximum > S(4));
    clock.set_left(S(2), 1);
    assert!(clock.move_time(40).maximum < S(2));
}

#[test]
fn no_more_time_than_there_is() {
    for left in [0, 1, 10, 100, 1000, 100_000] {
        let left = Duration::from_millis(left);
        let mut clock = GtpClock::new(TimeMeaning::Canadian, S(60), S(0), 0).unwrap();
        clock.set_left(left, 0);
        for empties in 1..=60 {
            assert!(clock.move_time(empties).maximum <= left);
        }
    }
}
