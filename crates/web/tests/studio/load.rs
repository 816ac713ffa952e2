//! Many clients at once.

use std::time::Duration;

use crate::client::START;
use crate::server::{Server, bounds};

/// Memory of this process in MiB, where the system tells.
fn resident_mebibytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

#[test]
fn fifty_clients_are_answered_or_told_to_wait_and_leave_nothing_behind() {
    let bounds = discern_web::Bounds { waiting: 20, ..bounds() };
    let server = Server::with(bounds, Vec::new());
    let before = resident_mebibytes();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..50)
            .map(|number| {
                let server = &server;
                scope.spawn(move || {
                    let target = format!(
                        "/api/analyze?client=c{number}&position={START}&seconds=0.3&threads=1"
                    );
                    let events = server.client().events(&target);
                    match events.status {
                        200 => (200, events.last()),
                        status => {
                            let retry = events.head.header("retry-after").map(str::to_owned);
                            assert_eq!(retry.as_deref(), Some("5"));
                            let sentence = events.refusal();
                            assert!(sentence["error"].as_str().unwrap().contains("try again"));
                            (status, None)
                        }
                    }
                })
            })
            .collect();
        // Never more searches than there are threads for.
        for _ in 0..20 {
            assert!(server.studio.running() <= 2);
            std::thread::sleep(Duration::from_millis(20));
        }
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });
    let count = |status| answers.iter().filter(|answer| answer.0 == status).count();
    let (answered, turned_away) = (count(200), count(503));
    assert_eq!(answered + turned_away, 50, "{answers:?}");
    assert!(answered >= 22, "two seats and twenty places to wait: {answered} answered");
    for (_, last) in answers.iter().filter(|answer| answer.0 == 200) {
        let (name, done) = last.as_ref().expect("an end");
        assert_eq!((name.as_str(), &done["reason"]), ("done", &"limit".into()));
        assert!(!done["lines"].as_array().unwrap().is_empty());
    }
    server.until_idle();
    if let (Some(before), Some(after)) = (before, resident_mebibytes()) {
        assert!(after < before + 200, "from {before} to {after} MiB");
    }
}

#[test]
fn fifty_clients_that_just_leave_stop_everything() {
    let server = Server::start();
    let streams: Vec<_> = (0..50)
        .map(|number| {
            let target =
                format!("/api/analyze?client=c{number}&position={START}&seconds=20&threads=1");
            server.client().events(&target)
        })
        .collect();
    assert_eq!(server.studio.running(), 2);
    drop(streams);
    server.until_idle();
    // The seats are free again.
    let target = format!("/api/analyze?client=z&position={START}&seconds=0.1&threads=2");
    let events = server.client().events(&target).all();
    assert_eq!(events.last().unwrap().1["reason"], "limit");
}

#[test]
fn more_connections_than_allowed_wait_until_one_is_free() {
    let bounds = discern_web::Bounds { connections: 2, ..bounds() };
    let server = Server::with(bounds, Vec::new());
    let held: Vec<_> = (0..2).map(|_| server.client()).collect();
    // The silent ones are hung up on after a while, then it is our turn.
    assert_eq!(server.get("/api/info").status, 200);
    drop(held);
}
