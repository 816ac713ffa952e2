//! Real small programs that misbehave: each game ends as it should, and no
//! process stays behind.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use discern_arena::Rules;
use discern_arena::player::{Command, EnginePlayer, GtpPlayer, NBoardPlayer, Player};
use discern_arena::tournament::{
    Builder, Conclusion, Contestant, Halt, Plan, Results, Schedule, Standings, Tournament,
};
use discern_records::{Clock, Ending, GameRecord, Limits};
use discern_search::{AnyEvaluator, Options};

fn mock(arguments: &str) -> Command {
    Command::parse(&format!("'{}' {arguments}", env!("CARGO_BIN_EXE_mock-engine"))).unwrap()
}

fn mock_contestant(arguments: &str, limits: Limits) -> Contestant {
    let command = mock(arguments);
    let nboard = arguments.starts_with("nboard");
    let build: Builder = Arc::new(move || {
        Ok(match nboard {
            true => Box::new(NBoardPlayer::start(&command)?) as Box<dyn Player>,
            false => Box::new(GtpPlayer::start(&command)?),
        })
    });
    Contestant { name: "mock".into(), description: arguments.into(), limits, build }
}

fn ours() -> Contestant {
    let options = Options { threads: 1, table_mebibytes: 1 };
    Contestant {
        name: "ours".into(),
        description: String::new(),
        limits: Limits::depth(1),
        build: Arc::new(move || {
            Ok(Box::new(EnginePlayer::new(AnyEvaluator::Material.engine(options)?, None)))
        }),
    }
}

fn seconds(main: u64) -> Limits {
    let clock = Clock { main_ms: 1000 * main, increment_ms: 0, grace_ms: 0 };
    Limits { clock: Some(clock), ..Limits::default() }
}

/// A pair of games between our engine and the mock.
fn pair(mock: Contestant, patience: Duration, restart: bool) -> (Conclusion, Vec<GameRecord>) {
    let plan = Plan {
        contestants: vec![ours(), mock],
        schedule: Schedule::RoundRobin,
        openings: vec!["f5d6c3".parse().unwrap()],
        pairs: 1,
        rules: Rules { patience, ..Rules::default() },
    };
    let halt = Halt::new();
    let mut tournament =
        Tournament { plan: &plan, concurrency: 1, restart, sprt: None, archive: None, halt: &halt };
    let mut records = Vec::new();
    let mut results = Results::default();
    let conclusion =
        tournament.run(&mut results, |finished| records.push(finished.record.clone())).unwrap();
    let standings = Standings::new(&plan, &results, None, 1);
    assert!(standings.players[0].failures.is_empty(), "{:?}", standings.players[0].failures);
    (conclusion, records)
}

/// Long enough for a loaded machine.
const PATIENT: Duration = Duration::from_secs(60);

#[track_caller]
fn both_games_end(behaviour: &str, ending: Ending, comment: &str) {
    for protocol in ["gtp", "nboard"] {
        let mock = mock_contestant(&format!("{protocol} {behaviour}"), Limits::default());
        let (conclusion, records) = pair(mock, PATIENT, true);
        assert_eq!(conclusion, Conclusion::Complete, "{protocol}");
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
        let (conclusion, records) =
            pair(mock_contestant(&format!("{protocol} well"), seconds(100)), PATIENT, false);
        assert_eq!(conclusion, Conclusion::Complete);
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
        let (conclusion, records) = pair(mock_contestant("gtp whole", limits), PATIENT, false);
        assert_eq!(conclusion, Conclusion::Complete);
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
fn without_restart_a_crash_ends_the_tournament() {
    let (conclusion, records) =
        pair(mock_contestant("gtp crash", Limits::default()), PATIENT, false);
    assert!(matches!(conclusion, Conclusion::PlayerDied { player: 1, .. }), "{conclusion:?}");
    assert_eq!(records.len(), 1);
}

#[test]
fn a_program_may_resign() {
    let (_, records) = pair(mock_contestant("gtp resign", Limits::default()), PATIENT, false);
    assert!(records.iter().all(|record| record.ending == Ending::Resigned));
}

#[test]
fn silence_loses_after_the_patience() {
    let short = Duration::from_secs(2);
    for arguments in ["gtp silent", "nboard silent 1", "gtp deaf"] {
        let start = Instant::now();
        let (conclusion, records) =
            pair(mock_contestant(arguments, Limits::default()), short, true);
        assert_eq!(conclusion, Conclusion::Complete);
        for record in &records {
            assert_eq!(record.ending, Ending::Silence, "{arguments}: {}", record.comment);
        }
        assert!(start.elapsed() >= 2 * short);
    }
}

#[test]
fn a_slow_program_loses_on_time_and_goes_on() {
    let limits = Limits { move_ms: Some(150), ..Limits::default() };
    let (conclusion, records) = pair(mock_contestant("gtp slow", limits), PATIENT, false);
    assert_eq!(conclusion, Conclusion::Complete, "late is not dead");
    for record in &records {
        assert_eq!(record.ending, Ending::Timeout, "{}", record.comment);
    }
}

#[test]
fn a_megabyte_on_standard_error_blocks_nobody() {
    let (conclusion, records) =
        pair(mock_contestant("gtp talkative 25", Limits::default()), PATIENT, false);
    assert_eq!(conclusion, Conclusion::Complete);
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
        let arguments = format!(
            "MOCK_CHILD_FILE='{}' '{}' gtp {behaviour}",
            file.display(),
            env!("CARGO_BIN_EXE_mock-engine")
        );
        let command = Command::parse(&format!("env {arguments}")).unwrap();
        let mut contestant = mock_contestant(&format!("gtp {behaviour}"), Limits::default());
        contestant.build =
            Arc::new(move || Ok(Box::new(GtpPlayer::start(&command)?) as Box<dyn Player>));
        let (_, records) = pair(contestant, PATIENT, true);
        assert!(records.iter().all(|record| record.ending == ending), "{}", records[0].comment);
        let child = std::fs::read_to_string(&file).unwrap();
        assert!(
            !child.is_empty() && !exists(&child),
            "{behaviour}: process {child} is still there"
        );
    }
}

#[test]
fn an_abort_ends_games_in_hand_without_a_result() {
    let halt = Arc::new(Halt::new());
    let plan = Plan {
        contestants: vec![ours(), mock_contestant("gtp silent 1", Limits::default())],
        schedule: Schedule::RoundRobin,
        openings: vec!["f5d6c3".parse().unwrap()],
        pairs: 1,
        rules: Rules { patience: PATIENT, ..Rules::default() },
    };
    let aborter = halt.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(500));
        aborter.abort();
    });
    let mut results = Results::default();
    let start = Instant::now();
    let conclusion = Tournament {
        plan: &plan,
        concurrency: 1,
        restart: true,
        sprt: None,
        archive: None,
        halt: &halt,
    }
    .run(&mut results, |_| {});
    assert_eq!((conclusion.unwrap(), results.len()), (Conclusion::Halted, 0));
    assert!(start.elapsed() < PATIENT / 2);
}
