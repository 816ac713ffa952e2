//! The opening book's route.

use serde_json::json;

use crate::server::Server;

#[test]
fn the_book_tells_moves_odds_games_and_names() {
    let server = Server::start();
    let start = server.get("/api/book?moves=").ok();
    assert_eq!((&start["found"], &start["positions"]), (&json!(true), &json!(6)));
    assert_eq!(start["opening"], json!(null));
    // One move up to symmetry, and it is examined.
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert_eq!(moves[0]["examined"], json!(true));
    assert_eq!(moves[0]["games"]["human"], json!([2, 1, 3]), "seen from the other side");
    let before = server.get("/api/book?moves=f5d6c3d3").ok();
    let names: Vec<_> = before["moves"].as_array().unwrap().iter().map(|m| &m["opening"]).collect();
    assert!(names.contains(&&json!("Tiger")), "{names:?}");
    let beyond = server.get("/api/book?moves=f5d6c3d3c4f4").ok();
    assert_eq!((&beyond["found"], &beyond["opening"]), (&json!(false), &json!("Tiger")));
    server.get("/api/book?moves=a1").refusal(400);
    server.get("/api/book").refusal(400);
}
