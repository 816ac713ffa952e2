//! The committed samples of `docs/formats.md`: old position files stay readable.
//!
//! `DISCERN_WRITE_SAMPLES=1 cargo test -p discern-learn --test suite`
//! writes it anew after a change of the format.

use std::path::Path;

use discern_board::{Game, Outcome, Score};
use discern_learn::{ClassifiedPosition, load_positions, save_positions};

fn sample() -> Vec<ClassifiedPosition> {
    let game: Game = "f5d6c3d3c4f4".parse().unwrap();
    let outcomes = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    game.boards()
        .zip(0..)
        .map(|(board, i)| ClassifiedPosition {
            board: board.canonical(),
            games: 10 - i,
            group: 1000 * i,
            shared: i == 0,
            outcome: outcomes[i as usize % 3],
            score: Score::new(2 * i as i32 - 6).filter(|_| i != 4),
        })
        .collect()
}

#[test]
fn the_committed_sample_of_version_1_is_read_without_shared_positions() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample-1.positions");
    let mut expected = sample();
    expected.iter_mut().for_each(|position| position.shared = false);
    assert_eq!(load_positions(&path).unwrap(), expected);
}

#[test]
fn the_committed_sample_is_read_as_it_was_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sample.positions");
    if std::env::var_os("DISCERN_WRITE_SAMPLES").is_some() {
        save_positions(&path, &sample()).unwrap();
    }
    assert_eq!(load_positions(&path).unwrap(), sample());
}
