//! Whole games.

use crate::client::START;
use crate::server::Server;

/// A short game: black wipes white out with the ninth move.
const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

#[test]
fn every_move_is_graded_from_the_last_to_the_first() {
    let server = Server::start();
    let target = format!("/api/review?client=a&moves={WIPEOUT}&seconds=0.05&model=rev");
    let events = server.client().events(&target).all();
    let (done, moves) = events.split_last().unwrap();
    let plies: Vec<u64> = moves.iter().map(|(_, data)| data["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [8, 7, 6, 5, 4, 3, 2, 1, 0]);
    for (number, (name, data)) in (1..).zip(moves) {
        assert_eq!(name, "move");
        assert_eq!(data["progress"], serde_json::json!({"done": number, "total": 9}));
        let [best, played, loss] = ["probability_best", "probability_played", "loss"]
            .map(|field| data[field].as_f64().unwrap());
        assert!((best - played - loss).abs() < 1e-12 && loss >= 0.0, "{data}");
        let black = data["black_probability"].as_f64().unwrap();
        let of_black = if data["mover"] == "black" { played } else { 1.0 - played };
        assert!((black - of_black).abs() < 1e-12);
        let graded = data["grade"] == "best";
        assert!(!graded || loss == 0.0, "{data}");
    }
    let last = &moves[0].1;
    assert_eq!((&last["move"], &last["score_played"]), (&"c5".into(), &64.into()));
    let (name, done) = done;
    assert_eq!((name.as_str(), &done["reason"]), ("done", &"complete".into()));
    assert_eq!(done["final_score"], 64);
    let summary = &done["summary"];
    assert_eq!(summary["black"]["opening"]["moves"], 5);
    assert_eq!(summary["white"]["total"]["moves"], 4);
    assert_eq!(summary["white"]["endgame"]["moves"], 0);
    // White blundered the whole board away.
    assert!(summary["white"]["total"]["blunders"].as_u64().unwrap() > 0, "{summary}");
    server.until_idle();
}

#[test]
fn a_game_may_begin_anywhere_and_be_empty() {
    let server = Server::start();
    let target = format!("/api/review?client=a&start={START}&moves=");
    let events = server.client().events(&target).all();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].1["reason"], "complete");
    let blocked = format!("OX{}+X", "-".repeat(62));
    let target = format!("/api/review?client=a&start={blocked}&moves=c1&seconds=0.05&model=rev");
    let events = server.client().events(&target).all();
    // The pass is not a choice.
    assert_eq!((events.len(), &events[0].1["ply"]), (2, &1.into()));
}

#[test]
fn a_game_against_the_rules_is_refused() {
    let server = Server::start();
    let refusal = server.get("/api/review?client=a&moves=f5f5").refusal(400);
    assert_eq!(refusal, "not a game: move 2, column 3: f5 is not a legal move for white");
}

#[test]
fn a_review_ends_when_the_reader_goes_away() {
    let server = Server::start();
    let target = format!("/api/review?client=a&moves={WIPEOUT}&seconds=5&model=rev");
    let events = server.client().events(&target);
    server.until("the review runs", |server| server.studio.running() == 1);
    drop(events);
    server.until_idle();
}
