//! Real small programs that misbehave: each game ends as it should, and no
//! process stays behind.

use std::path::Path;
use std::time::{Duration, Instant};

use discern_players::player::{Failure, Player};
use discern_players::{Halt, PlayerSpec, Referee, Rules, Seat, WeightStore};
use discern_records::{Clock, Ending, GameRecord, Limits};

/// The mock engine as a player, `gtp illegal` for example.
fn mock(arguments: &str, limits: Limits) -> PlayerSpec {
    let protocol = arguments.split(' ').next().unwrap();
    player(&format!("'{}' {arguments}", env!("CARGO_BIN_EXE_mock-engine")), protocol, limits)
}

fn player(command: &str, protocol: &str, limits: Limits) -> PlayerSpec {
    let text = format!("name=mock,cmd=\"{command}\",protocol={protocol}");
    PlayerSpec { limits, ..text.parse().unwrap() }
}

fn seconds(main: u64) -> Limits {
    let clock = Clock { main_ms: 1000 * main, increment_ms: 0, grace_ms: 0 };
    Limits { clock: Some(clock), ..Limits::default() }
}

/// A pair of games between our engine and the mock, which is started again
/// after its death or not.
fn pair(mock: &PlayerSpec, patience: Duration, restart: bool) -> Vec<GameRecord> {
    play(mock, patience, restart, &Halt::new())
}

fn play(mock: &PlayerSpec, patience: Duration, restart: bool, halt: &Halt) -> Vec<GameRecord> {
    let store = WeightStore::new();
    let ours: PlayerSpec = "material,name=ours,depth=1,hash=1".parse().unwrap();
    let mut players: [Box<dyn Player>; 2] = [&ours, mock].map(|spec| spec.player(&store).unwrap());
    let specs = [&ours, mock];
    let rules = Rules { patience, ..Rules::default() };
    let mut records = Vec::new();
    for leg in 0..2 {
        let [first, second] = &mut players;
        let mut seats = [(first, 0), (second, 1)].map(|(player, index)| Seat {
            name: &specs[index].name,
            limits: specs[index].limits,
            player: &mut **player,
        });
        if leg == 1 {
            seats.reverse();
        }
        let mut referee = Referee { rules, solver: None, stop: halt.stop_flag(), seed: 1 };
        let played = referee.play(&"f5d6c3".parse().unwrap(), seats);
        records.push(played.record);
        if let Some((color, failure)) = played.failure {
            assert_eq!(color as usize, 1 - leg, "only the mock fails: {failure}");
            if failure == Failure::Interrupted {
                break;
            }
            if failure.is_fatal() {
                if !restart {
                    break;
                }
                players[1] = mock.player(&store).unwrap();
            }
        }
    }
    records
}

/// Long enough for a loaded machine.
const PATIENT: Duration = Duration::from_secs(60);

#[track_caller]
fn both_games_end(behaviour: &str, ending: Ending, comment: &str) {
    for protocol in ["gtp", "nboard"] {
        let mock = mock(&format!("{protocol} {behaviour}"), Limits::default());
        let records = pair(&mock, PATIENT, true);
        assert_eq!(records.len(), 2);
        for (record, mock_is_black) in records.iter().zip([false, true]) {
            assert_eq!(record.ending, ending, "{protocol}: {}", record.comment);
            assert!(record.comment.contains(comment), "{protocol}: {}", record.comment);
            let discs = record.score_black.unwrap().discs();
            assert_eq!(discs, if mock_is_black { -64 } else { 64 }, "the mock has lost");
        }
    }
}

#[test]
fn a_decent_program_plays_to_the_end() {
    for protocol in ["gtp", "nboard"] {
        let records = pair(&mock(&format!("{protocol} well"), seconds(100)), PATIENT, false);
        assert_eq!(records.len(), 2);
        assert!(records.iter().all(|record| record.ending == Ending::Played));
        let noted = records[0].notes.iter().filter(|note| note.evaluation.is_some()).count();
        assert!(noted > 20, "our evaluations, and those of NBoard programs, are kept");
    }
}

#[test]
fn a_program_that_reads_whole_seconds_only_plays_to_the_end() {
    let clock = Clock { main_ms: 90_500, increment_ms: 20, grace_ms: 0 };
    for limits in [
        Limits { clock: Some(clock), ..Limits::default() },
        Limits { move_ms: Some(20_050), ..Limits::default() },
    ] {
        let records = pair(&mock("gtp whole", limits), PATIENT, false);
        assert_eq!(records.len(), 2);
        for record in records {
            assert_eq!(record.ending, Ending::Played, "{}", record.comment);
        }
    }
}

#[test]
fn illegal_moves_lose() {
    both_games_end("illegal", Ending::Illegal, "d4");
    both_games_end("rubbish", Ending::Illegal, "k9?");
}

#[test]
fn a_crash_loses_and_is_told_with_the_last_words() {
    both_games_end("crash", Ending::Crash, "exit code 3: the mock has had enough");
    both_games_end("endless", Ending::Crash, "more than 65536 bytes");
}

#[test]
fn a_program_may_resign() {
    let records = pair(&mock("gtp resign", Limits::default()), PATIENT, false);
    assert!(records.iter().all(|record| record.ending == Ending::Resigned));
}

#[test]
fn silence_loses_after_the_patience() {
    let short = Duration::from_secs(2);
    for arguments in ["gtp silent", "nboard silent 1", "gtp deaf"] {
        let start = Instant::now();
        let records = pair(&mock(arguments, Limits::default()), short, true);
        assert_eq!(records.len(), 2);
        for record in &records {
            assert_eq!(record.ending, Ending::Silence, "{arguments}: {}", record.comment);
        }
        assert!(start.elapsed() >= 2 * short);
    }
}

#[test]
fn a_slow_program_loses_on_time_and_goes_on() {
    let limits = Limits { move_ms: Some(150), ..Limits::default() };
    let records = pair(&mock("gtp slow", limits), PATIENT, false);
    assert_eq!(records.len(), 2, "late is not dead");
    for record in &records {
        assert_eq!(record.ending, Ending::Timeout, "{}", record.comment);
    }
}

#[test]
fn a_megabyte_on_standard_error_blocks_nobody() {
    let records = pair(&mock("gtp talkative 25", Limits::default()), PATIENT, false);
    assert_eq!(records.len(), 2);
    assert!(records.iter().all(|record| record.ending == Ending::Played));
}

/// Is there a process with this number, be it a zombie?
fn exists(process: &str) -> bool {
    Path::new("/proc").join(process).exists()
}

#[test]
fn children_of_programs_do_not_stay_behind() {
    for (behaviour, ending) in [("orphan", Ending::Crash), ("parent", Ending::Played)] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("child");
        let command = format!(
            "env MOCK_CHILD_FILE='{}' '{}' gtp {behaviour}",
            file.display(),
            env!("CARGO_BIN_EXE_mock-engine")
        );
        let records = pair(&player(&command, "gtp", Limits::default()), PATIENT, true);
        assert!(records.iter().all(|record| record.ending == ending), "{}", records[0].comment);
        let child = std::fs::read_to_string(&file).unwrap();
        assert!(
            !child.is_empty() && !exists(&child),
            "{behaviour}: process {child} is still there"
        );
    }
}

#[test]
fn an_abort_ends_a_game_in_hand_without_a_result() {
    let halt = Halt::new();
    let start = Instant::now();
    let records = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(500));
            halt.abort();
        });
        play(&mock("gtp silent 1", Limits::default()), PATIENT, true, &halt)
    });
    assert_eq!((records.len(), records[0].ending), (1, Ending::Interrupted));
    assert_eq!(records[0].score_black, None);
    assert!(start.elapsed() < PATIENT / 2);
}
