//! The routes of the library of games.

use serde_json::{Value, json};

use crate::server::Server;

fn numbers(found: &Value) -> Vec<u64> {
    found["rows"].as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap()).collect()
}

#[test]
fn games_are_found_by_everything_that_a_query_names() {
    let server = Server::start();
    let info = server.get("/api/info").ok();
    let known = json!({"games": 3, "players": 4, "events": 1, "from": 1999, "to": 2001});
    assert_eq!(info["library"], known);
    let find = |query: &str| server.get(&format!("/api/library?{query}")).ok();
    assert_eq!(numbers(&find("")), [1, 0, 2]);
    assert_eq!(numbers(&find("player=anna&opponent=bert")), [1, 0]);
    assert_eq!(numbers(&find("event=lund&to=2000")), [0]);
    assert_eq!(numbers(&find("opening=comp%27oth")), [1]);
    assert_eq!(numbers(&find("skip=1&rows=1")), [0]);
    // All first moves are the same; the second ones are not.
    let start = find("moves=&rows=0");
    assert_eq!(
        (&start["games"], &start["rows"], &start["complete"]),
        (&3.into(), &json!([]), &true.into())
    );
    assert_eq!(start["moves"][0]["games"], 3);
    let after = find("moves=e6&player=");
    let moves: Vec<_> =
        after["moves"].as_array().unwrap().iter().map(|m| (&m["move"], &m["games"])).collect();
    assert_eq!(moves, [(&json!("f4"), &json!(2)), (&json!("f6"), &json!(1))]);
    assert_eq!(numbers(&find("moves=f5d6c3d3c4f4f6f3")), [1]);
    // What came from a file is no escape code.
    let odd = find("player=clara");
    assert_eq!(odd["rows"][0]["white"], "<b>Bert </b>");
}

#[test]
fn players_are_suggested_and_reported_on() {
    let server = Server::start();
    let names = server.get("/api/library/names?of=player&like=be").ok();
    assert_eq!(names[0], json!({"name": "Bert", "games": 2}));
    assert_eq!(server.get("/api/library/names?of=event&like=").ok()[0]["name"], "Lund Open");
    let report = server.get("/api/library/player?name=Anna").ok();
    assert_eq!((&report["all"]["games"], &report["black"]["games"]), (&2.into(), &1.into()));
    assert_eq!(report["opponents"][0]["name"], "Bert");
    server.get("/api/library/player?name=anna").refusal(404);
}

#[test]
fn what_is_no_query_is_refused_in_one_sentence() {
    let server = Server::start();
    for query in ["moves=a1", "from=x", "rows=-1", "what=1", "start=x&moves=", "from=70000"] {
        server.get(&format!("/api/library?{query}")).refusal(400);
    }
    server.get("/api/library/names?of=moves&like=").refusal(400);
    server.get("/api/library/player").refusal(400);
    assert_eq!(
        numbers(
            &server.get("/api/library?rows=18446744073709551615&skip=18446744073709551615").ok()
        ),
        [0; 0]
    );
}
