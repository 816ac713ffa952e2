//! The whole experiment with few games and nodes instead of clocks: the numbers
//! mean nothing, but they are the same ones every time.

use std::path::Path;

use discern_arena::tournament::TournamentPlan;
use discern_board::testing::random_games;
use discern_experiment::{
    Event, Experiment, ExperimentError, Folder, NUMBERS, Pace, Reproduction, Source, Step,
};
use discern_players::{Crew, Halt, RunFolder, run_missing};
use tempfile::TempDir;

/// Random games to learn from and openings to begin with.
fn experiment(desk: &Path) -> Experiment {
    let write = |name: &str, lines: Vec<String>| {
        let path = desk.join(name);
        std::fs::write(&path, lines.join("\n")).unwrap();
        path
    };
    let games = random_games(3, 500).map(|game| game.transcript()).collect();
    let openings = random_games(4, 3).map(|game| game.transcript()[..20].to_owned()).collect();
    Experiment {
        games: Source::read("games", &write("games.txt", games)).unwrap(),
        given: Source::read("openings", &write("openings.txt", openings)).unwrap(),
        pace: Pace::NodesPerMove(200),
        openings: 2,
        seed: 1,
        concurrency: 2,
        plans_only: false,
        speed_nodes: 1000,
        program: "test".into(),
        build: "this one".into(),
        command: "a test".into(),
    }
}

/// Runs the experiment; `stop` ends it early by saying so.
fn run(
    experiment: &Experiment,
    folder: &Path,
    mut stop: impl FnMut(&Event, &Halt),
) -> Result<Reproduction, ExperimentError> {
    let mut folder = Folder::open(folder, &experiment.settings(), false)?;
    let halt = Halt::new();
    experiment.run(&mut folder, &halt, &mut |event| stop(&event, &halt))
}

/// Everything that does not depend on clocks, as it is written down.
fn without_time(mut found: Reproduction, of: &Reproduction) -> String {
    assert_eq!(found.run.files.len(), of.run.files.len());
    (found.run, found.speed, found.findings) =
        (of.run.clone(), of.speed.clone(), of.findings.clone());
    found.to_json()
}

#[test]
fn the_same_experiment_gives_the_same_bytes_whether_interrupted_or_not() {
    let desk = TempDir::new().unwrap();
    let experiment = experiment(desk.path());
    let mut steps = Vec::new();
    let whole = run(&experiment, &desk.path().join("whole"), |event, _| {
        if let Event::Begun(step) = event {
            steps.push(*step);
        }
    })
    .unwrap();
    assert_eq!(steps, Step::ALL);
    assert_eq!((whole.table.len(), whole.equal_strength.len()), (7, 3));
    assert!(whole.table.iter().all(|row| row.ours.tally.games() == 4));

    // Stopped in the middle of the games, twice; what was done is kept.
    let parts = desk.path().join("parts");
    let mut games = Vec::new();
    for enough in [3, 5] {
        let mut fresh = 0;
        let stopped = run(&experiment, &parts, |event, halt| {
            if let Event::Match(progress) = event {
                fresh = progress.fresh;
                if fresh >= enough {
                    halt.finish();
                }
            }
        });
        assert!(matches!(stopped, Err(ExperimentError::Stopped)), "{stopped:?}");
        assert!(!parts.join(NUMBERS).exists());
        games.push(fresh);
    }
    let (mut kept, mut fresh) = (Vec::new(), 0);
    let resumed = run(&experiment, &parts, |event, _| match event {
        Event::Kept(step) => kept.push(*step),
        Event::Match(progress) => fresh = progress.fresh,
        _ => {}
    })
    .unwrap();
    assert_eq!(kept, [Step::Positions, Step::Models, Step::Speed]);
    assert_eq!(games.iter().sum::<u64>() + fresh, 28, "no game is lost or played twice");
    assert_eq!(without_time(resumed, &whole), whole.to_json());

    // The matches planned here and played elsewhere.
    let spread = desk.path().join("spread");
    let planned = Experiment { plans_only: true, ..experiment.clone() };
    let Err(ExperimentError::Planned(folders)) = run(&planned, &spread, |_, _| {}) else {
        panic!("nothing was planned");
    };
    assert_eq!(folders.len(), 7);
    for folder in &folders {
        let waiting = run(&experiment, &spread, |_, _| {});
        assert!(matches!(waiting, Err(ExperimentError::Planned(_))), "shards are missing");
        let folder: RunFolder<TournamentPlan> = RunFolder::open(folder).unwrap();
        let crew = Crew { threads: 1, restart: false, halt: &Halt::new() };
        run_missing(&folder, &[0], crew, &|_| {}).unwrap();
    }
    let found = run(&experiment, &spread, |_, _| {}).unwrap();
    assert_eq!(without_time(found, &whole), whole.to_json());
}

#[test]
fn a_finished_experiment_is_read_back_to_the_last_bit() {
    let desk = TempDir::new().unwrap();
    let experiment = experiment(desk.path());
    let folder = desk.path().join("out");
    let found = run(&experiment, &folder, |_, _| {}).unwrap();
    let written = std::fs::read(folder.join(NUMBERS)).unwrap();
    assert_eq!(String::from_utf8(written.clone()).unwrap(), found.to_json());
    let read = Reproduction::from_json(&written).unwrap();
    assert!(read == found && read.to_json() == found.to_json());
    let again = Folder::open(&folder, &experiment.settings(), false).unwrap();
    assert_eq!(again.finished().unwrap(), Some(found));
    drop(again);

    // Numbers that somebody touched are not ours.
    std::fs::write(folder.join(NUMBERS), [written, vec![b' ']].concat()).unwrap();
    let again = Folder::open(&folder, &experiment.settings(), false).unwrap();
    assert_eq!(again.finished().unwrap(), None);

    // Two at a time do not work in one folder, nor do other settings.
    let locked = Folder::open(&folder, &experiment.settings(), false);
    assert!(matches!(locked.err(), Some(ExperimentError::Locked(_))));
    drop(again);
    let other = Experiment { seed: 2, ..experiment };
    let refused = Folder::open(&folder, &other.settings(), false).err().unwrap();
    assert!(refused.is_about_the_folder() && refused.to_string().contains("--seed"), "{refused}");
    Folder::open(&folder, &other.settings(), true).unwrap();
}

#[test]
fn other_formats_and_other_files_are_told_apart() {
    let message = |text: &str| Reproduction::from_json(text.as_bytes()).unwrap_err().to_string();
    assert!(message("{\"format\": 1}").contains("format 1"));
    assert!(message("{\"format\": 2}").contains("damaged"));
    assert!(message("f5d6").contains("not the numbers of a reproduction"));
}
