//! Generations follow each other, and a training that was stopped resumes.

use std::sync::atomic::{AtomicU64, Ordering};

use discern_board::Game;
use discern_eval::Weights;
use discern_players::{Crew, Halt};
use discern_train::{Course, Doing, Event, Settings, TrainError};

fn settings() -> Settings {
    Settings {
        games: 400,
        depth: 2,
        solve: 8,
        features: "R1,R2,D8,TRI".into(),
        held_out_permille: 200,
        pairs: 2,
        nodes: 200,
        ..Settings::default()
    }
}

fn openings() -> Vec<Game> {
    ["f5d6c3d3c4f4", "f5f6e6f4e3c5"].map(|text| text.parse().unwrap()).into()
}

fn quietly(_: Event) {}

#[test]
fn a_second_generation_learns_from_the_first_and_a_stopped_one_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let open =
        |settings| Course::open(folder.path(), settings, discern_data::weights(), openings());
    let course = open(settings()).unwrap();
    let halt = Halt::new();
    let crew = Crew { threads: 2, restart: false, halt: &halt };
    let first = course.advance(crew, &quietly).unwrap();
    assert_eq!((first.number, first.versus.as_ref().unwrap().tally.games()), (1, 4));
    assert!(first.positions > 5000, "{}", first.positions);

    // Stopped in the middle of its games, the second one keeps the shards that
    // were finished.
    let games = AtomicU64::new(0);
    let stopped = course.advance(crew, &|event| {
        if event.doing == Doing::Playing && games.fetch_add(1, Ordering::Relaxed) == 210 {
            halt.finish();
        }
    });
    assert!(stopped.is_err());
    let halt = Halt::new();
    let crew = Crew { halt: &halt, ..crew };
    let again = AtomicU64::new(0);
    let second = course
        .advance(crew, &|event| {
            if event.doing == Doing::Playing {
                again.fetch_add(1, Ordering::Relaxed);
            }
        })
        .unwrap();
    assert!(again.into_inner() < 400, "finished shards are not played again");
    assert_eq!(second.number, 2);
    let (new, old) = (second.held_out.unwrap(), second.held_out_before.unwrap());
    assert!(new.log_loss < old.log_loss, "{new:?} {old:?}");

    let weights = Weights::load(course.weights_path(2)).unwrap();
    assert_eq!(weights.hash(), second.weights);
    let names: Vec<_> = weights.models().iter().map(|model| model.name().to_owned()).collect();
    assert_eq!(names, ["log", "fisher", "quad", "direct"], "the other models are kept");
    assert_eq!(open(settings()).unwrap().finished().unwrap(), [first, second]);

    let other = open(Settings { depth: 3, ..settings() });
    assert!(matches!(other.err(), Some(TrainError::Differs(_))));
}

#[test]
fn settings_that_make_no_sense_are_refused_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine");
    for wrong in [
        Settings { games: 0, ..settings() },
        Settings { games: 1_000_000, ..settings() },
        Settings { depth: 0, ..settings() },
        Settings { features: "R1,XYZ".into(), ..settings() },
        Settings { memory: 0, ..settings() },
    ] {
        let refused = Course::open(&path, wrong, discern_data::weights(), openings());
        assert!(matches!(refused.err(), Some(TrainError::Setting(_))));
        assert!(!path.exists());
    }
}
