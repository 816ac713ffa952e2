//! Analyses as they deepen, and how they end.

use std::time::{Duration, Instant};

use crate::client::START;
use crate::server::{Server, bounds};

/// 14 empty squares: solved in no time.
const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXXOXOXXXXXXO-XXXXOXX--XXXOX---XXX---+O";

#[test]
fn an_analysis_deepens_and_then_solves() {
    let server = Server::start();
    let target = format!("/api/analyze?client=a&position={ENDGAME}&seconds=20&model=rev");
    let events = server.client().events(&target).all();
    let (last, progress) = events.split_last().unwrap();
    assert!(progress.iter().all(|(name, _)| name == "progress"), "{progress:?}");
    let nodes: Vec<u64> =
        progress.iter().map(|(_, data)| data["nodes"].as_u64().unwrap()).collect();
    assert!(!nodes.is_empty() && nodes.is_sorted());
    let (name, done) = last;
    assert_eq!((name.as_str(), &done["reason"]), ("done", &"solved".into()));
    assert_eq!(done["mover"], "white");
    let lines = done["lines"].as_array().unwrap();
    assert!(lines.len() > 1);
    for line in lines {
        assert_eq!(line["exact"], true);
        let (score, outcome) = (line["score"].as_i64().unwrap(), line["outcome"].as_str().unwrap());
        let expected = ["loss", "draw", "win"][(score.signum() + 1) as usize];
        assert_eq!(outcome, expected);
    }
    let scores: Vec<i64> = lines.iter().map(|line| -line["score"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted(), "best first");
    server.until_idle();
}

#[test]
fn depth_grows_from_event_to_event() {
    let server = Server::start();
    let target = format!("/api/analyze?client=a&position={START}&seconds=3&lines=1&model=rev");
    let events = server.client().events(&target).all();
    let depths: Vec<u64> = events.iter().map(|(_, data)| data["depth"].as_u64().unwrap()).collect();
    assert!(depths.is_sorted() && depths.first() < depths.last(), "{depths:?}");
    let (name, done) = events.last().unwrap();
    assert_eq!((name.as_str(), &done["reason"]), ("done", &"limit".into()));
    assert_eq!(done["lines"].as_array().unwrap().len(), 1);
}

#[test]
fn a_finished_game_and_a_pass_are_answered() {
    let server = Server::start();
    let over = format!("{}+X", "X".repeat(40) + &"O".repeat(24));
    let events = server.client().events(&format!("/api/analyze?client=a&position={over}")).all();
    assert_eq!(events.len(), 1);
    assert_eq!((&events[0].1["reason"], &events[0].1["final_score"]), (&"over".into(), &16.into()));
    let pass = format!("OX{}+X", "-".repeat(62));
    let events =
        server.client().events(&format!("/api/analyze?client=a&position={pass}&seconds=1")).all();
    let lines = &events.last().unwrap().1["lines"];
    assert_eq!(lines[0]["move"], "pass");
    assert!(lines[0]["pv"].as_str().unwrap().starts_with("passc1"), "{lines}");
}

#[test]
fn closing_the_connection_ends_the_search_at_once() {
    let server = Server::start();
    let target = format!("/api/analyze?client=a&position={START}&seconds=20&threads=2");
    let mut events = server.client().events(&target);
    assert_eq!(events.next().unwrap().0, "progress");
    assert_eq!(server.studio.running(), 1);
    let left = Instant::now();
    drop(events);
    server.until_idle();
    assert!(left.elapsed() < Duration::from_secs(2), "{:?}", left.elapsed());
}

#[test]
fn a_new_search_of_a_client_ends_its_old_one() {
    let server = Server::start();
    let target = format!("/api/analyze?client=same&position={START}&seconds=20");
    let mut old = server.client().events(&target);
    assert_eq!(old.next().unwrap().0, "progress");
    let short = format!("/api/analyze?client=same&position={START}&seconds=0.2");
    let new = server.client().events(&short).all();
    assert_eq!(new.last().unwrap().1["reason"], "limit");
    let last = old.last().unwrap();
    assert_eq!((last.0.as_str(), &last.1["reason"]), ("done", &"replaced".into()));
    server.until_idle();
}

#[test]
fn who_must_wait_is_told_so_and_gets_a_turn() {
    let server = Server::start();
    let long = format!("/api/analyze?client=first&position={START}&seconds=1&threads=2");
    let mut first = server.client().events(&long);
    assert_eq!(first.next().unwrap().0, "progress");
    let short = format!("/api/analyze?client=second&position={START}&seconds=0.2");
    let second = server.client().events(&short).all();
    assert_eq!((second[0].0.as_str(), &second[0].1["ahead"]), ("waiting", &0.into()));
    assert_eq!(second.last().unwrap().1["reason"], "limit");
}

#[test]
fn who_waits_too_long_is_told_so() {
    let patience = Duration::from_millis(200);
    let server = Server::with(discern_web::Bounds { patience, ..bounds() }, Vec::new());
    let long = format!("/api/analyze?client=first&position={START}&seconds=20&threads=2");
    let mut first = server.client().events(&long);
    assert_eq!(first.next().unwrap().0, "progress");
    let second =
        server.client().events(&format!("/api/analyze?client=second&position={START}")).all();
    assert_eq!(second.last().unwrap().1["reason"], "busy");
}

#[test]
fn stopping_the_server_ends_streams_politely() {
    let mut server = Server::start();
    let target = format!("/api/analyze?client=a&position={START}&seconds=20");
    let mut events = server.client().events(&target);
    assert_eq!(events.next().unwrap().0, "progress");
    let reader = std::thread::spawn(move || events.last());
    let begun = Instant::now();
    server.stop();
    assert!(begun.elapsed() < Duration::from_secs(3));
    assert_eq!(reader.join().unwrap().unwrap().1["reason"], "stopped");
    assert_eq!(server.studio.running(), 0);
}
