//! Moves to play.

use serde_json::{Value, json};

use crate::client::{Answer, START};
use crate::server::Server;

fn ask(server: &Server, position: &str, limit: Value) -> Answer {
    let position = position.replace('+', " ");
    let body = json!({"client": "me", "position": position, "model": "rev", "limit": limit});
    server.client().post_json("/api/move", &body)
}

#[test]
fn a_move_is_found_by_depth_time_and_clock() {
    let server = Server::start();
    for limit in [
        json!({"depth": 4}),
        json!({"seconds": 0.1}),
        json!({"clock": {"left": 5.0, "increment": 0.1}}),
        json!({"clock": {"left": 0}}),
    ] {
        let answer = ask(&server, START, limit.clone()).ok();
        let mv = answer["move"].as_str().unwrap();
        assert!(["d3", "c4", "f5", "e6"].contains(&mv), "{limit}: {answer}");
        assert!(answer["pv"].as_str().unwrap().starts_with(mv));
    }
    assert_eq!(ask(&server, START, json!({"depth": 4})).ok()["depth"], 4);
    server.until_idle();
}

#[test]
fn a_pass_is_a_move_and_a_finished_game_has_none() {
    let server = Server::start();
    let pass = format!("OX{}+X", "-".repeat(62));
    assert_eq!(ask(&server, &pass, json!({"depth": 2})).ok()["move"], "pass");
    let over = format!("{}+X", "X".repeat(64));
    assert!(ask(&server, &over, json!({"depth": 2})).refusal(400).contains("over"));
}

#[test]
fn what_is_not_understood_is_refused() {
    let server = Server::start();
    for limit in [
        json!({"depth": 0}),
        json!({"depth": 61}),
        json!({"depth": -1}),
        json!({"seconds": 0}),
        json!({"seconds": -3}),
        json!({"clock": {"left": -1}}),
        json!({"clock": {"left": 1e300}}),
        json!({"nodes": 3}),
        json!({"depth": 3, "seconds": 1}),
        json!(7),
    ] {
        ask(&server, START, limit).refusal(400);
    }
    ask(&server, "XXX X", json!({"depth": 2})).refusal(400);
    let post = |kind: &str, body: &[u8]| {
        server.client().post("/api/move", &[("Content-Type", kind)], body)
    };
    post("text/plain", b"{}").refusal(415);
    post("application/json", b"{").refusal(400);
    post("application/json", b"\xff\xfe{}").refusal(400);
    post("application/json", "[".repeat(4000).as_bytes()).refusal(400);
    post("application/json", &b" ".repeat(10_000)).refusal(413);
}

#[test]
fn a_move_ends_the_stream_of_its_client() {
    let server = Server::start();
    let target = format!("/api/analyze?client=me&position={START}&seconds=20&threads=2");
    let mut events = server.client().events(&target);
    assert_eq!(events.next().unwrap().0, "progress");
    ask(&server, START, json!({"depth": 3})).ok();
    assert_eq!(events.last().unwrap().1["reason"], "replaced");
}

#[test]
fn analyses_keep_nobody_from_a_move() {
    let server = Server::start();
    let long = format!("/api/analyze?client=first&position={START}&seconds=20&threads=2");
    let mut first = server.client().events(&long);
    assert_eq!(first.next().unwrap().0, "progress");
    ask(&server, START, json!({"depth": 1})).ok();
}

#[test]
fn a_move_that_cannot_be_thought_about_is_refused_within_a_second() {
    let server = Server::start();
    let body = json!({"client": "first", "position": START.replace('+', " "), "model": "rev",
        "limit": {"seconds": 4.0}, "threads": 2});
    std::thread::scope(|scope| {
        let first = scope.spawn(|| server.client().post_json("/api/move", &body));
        while server.studio.running() == 0 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let begun = std::time::Instant::now();
        let busy = ask(&server, START, json!({"depth": 1}));
        let waited = begun.elapsed();
        assert!(busy.refusal(503).contains("try again"));
        assert_eq!(busy.header("retry-after"), Some("1"));
        assert!(waited < std::time::Duration::from_secs(2), "{waited:?}");
        first.join().unwrap().ok();
    });
}
