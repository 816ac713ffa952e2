//! A second signal ends searches that would take for ever, and leaves nothing of them.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use discern_board::testing::random_games;
use discern_players::{
    Crew, Halt, Job, JobError, Openings, PlayerSpec, RunFolder, ShardState, WeightStore,
    run_missing,
};
use discern_records::GameRecord;
use discern_records::archive::ArchiveWriter;
use discern_selfplay::{CorrectPlan, GeneratePlan, GrowPlan, InputGames, LabelPlan};

/// Nobody lives to see the end of its searches.
const THOROUGH: &str = "rev,depth=40,outcome=8,score=6";

fn player(defaults: &discern_players::Defaults) -> PlayerSpec {
    let mut player: PlayerSpec = THOROUGH.parse().unwrap();
    player.fill(defaults);
    WeightStore::new().settle(&mut player).unwrap();
    player
}

fn archive(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("random.games");
    let mut writer = ArchiveWriter::create(&path).unwrap();
    random_games(7, 2).for_each(|game| writer.append(&GameRecord::new(game)).unwrap());
    writer.commit().unwrap();
    path
}

fn begun<J: Job>(path: &Path, plan: J) -> RunFolder<J> {
    RunFolder::create(path, plan, &WeightStore::new(), false).unwrap()
}

fn ends_at_the_second_signal<J: Job + Send + 'static>(folder: RunFolder<J>) {
    let halt = Arc::new(Halt::new());
    let (tell, hear) = channel();
    let seen = halt.clone();
    // Not joined: a search that ignores the signal would never end.
    std::thread::spawn(move || {
        let crew = Crew { threads: 1, restart: false, halt: &seen };
        let ended = run_missing(&folder, &[0], crew, &|_| {});
        let state = folder.state(0).unwrap();
        let _ = tell.send((ended, state));
    });
    std::thread::sleep(Duration::from_millis(300));
    halt.finish();
    assert!(hear.recv_timeout(Duration::from_millis(300)).is_err(), "the first lets it finish");
    halt.abort();
    let (ended, state) = hear.recv_timeout(Duration::from_secs(20)).expect("an end");
    assert!(matches!(ended, Err(JobError::Halted)), "{ended:?}");
    assert_eq!(state, ShardState::Missing);
}

#[test]
fn games_that_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let players = [THOROUGH, THOROUGH].map(|player| player.parse().unwrap());
    let plan = GeneratePlan::between(players, &WeightStore::new()).unwrap();
    ends_at_the_second_signal(begun(folder.path(), plan));
}

/// The run of a plan that works on games.
fn over_games<J: Job>(
    folder: &Path,
    plan: impl FnOnce(InputGames, PlayerSpec) -> J,
) -> RunFolder<J> {
    let games = archive(folder);
    let (input, _) = InputGames::of(&games).unwrap();
    let plan = plan(input.clone(), player(&InputGames::DEFAULTS));
    input.begin(&games, &folder.join("work"), plan, &WeightStore::new(), false).unwrap()
}

#[test]
fn games_that_are_corrected() {
    let folder = tempfile::tempdir().unwrap();
    ends_at_the_second_signal(over_games(folder.path(), |input, player| CorrectPlan {
        proven_empties: 8,
        ..CorrectPlan::of(input, player)
    }));
}

#[test]
fn games_that_are_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let label = |input, player| LabelPlan { input, player };
    ends_at_the_second_signal(over_games(folder.path(), label));
}

#[test]
fn books_that_grow() {
    let folder = tempfile::tempdir().unwrap();
    let roots = Openings::Distinct { plies: 2, count: None };
    let player = player(&GrowPlan::DEFAULTS);
    let plan = GrowPlan { player, roots, positions: 9, toll: 400, seed: 1, shards: 1 };
    ends_at_the_second_signal(begun(folder.path(), plan));
}
