//! Where a value comes from.

use serde_json::Value;

use crate::server::Server;

/// After f5d6c3d3c4.
const POSITION: &str = "------------------XX------XXX------XXX-----O--------------------+O";

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn contributions_and_instances_add_up() {
    let server = Server::start();
    let answer = server.get(&format!("/api/explain?position={POSITION}")).ok();
    let models = answer["models"].as_array().unwrap();
    let names: Vec<&str> = models.iter().map(|m| m["model"].as_str().unwrap()).collect();
    assert_eq!(names, ["log", "fisher", "quad", "direct"]);
    for model in models {
        let parts = model["contributions"].as_array().unwrap();
        let sum: f64 = parts.iter().map(|part| number(&part["contribution"])).sum();
        let value = number(&model["value"]);
        assert!((sum + number(&model["intercept"]) - value).abs() < 1e-9);
        assert!((number(&model["probability"]) - 1.0 / (1.0 + (-value).exp())).abs() < 1e-12);
    }
    let features = answer["features"].as_array().unwrap();
    // The paper's, and one that only the direct model of the sample knows.
    assert_eq!(features.len(), 13 + 1);
    let discs: Vec<char> = POSITION.chars().collect();
    for feature in features {
        let instances = feature["instances"].as_array().unwrap();
        let sum: f64 = instances.iter().map(|place| number(&place["table_value"])).sum();
        assert!((sum - number(&feature["x"])).abs() < 1e-9, "{feature}");
        for place in instances {
            let squares = place["squares"].as_array().unwrap();
            let shown: String = squares
                .iter()
                .map(|square| {
                    let name = square.as_str().unwrap().as_bytes();
                    discs[8 * usize::from(name[1] - b'1') + usize::from(name[0] - b'a')]
                })
                .collect();
            assert_eq!(place["configuration"], shown);
        }
    }
    let titles: Vec<&str> = features.iter().map(|f| f["title"].as_str().unwrap()).collect();
    let paper = discern_eval::Features::default();
    let mut expected: Vec<&str> = paper.iter().map(|f| f.title()).collect();
    expected.push("Corner triangles");
    assert_eq!(titles, expected);
}

#[test]
fn an_empty_and_a_full_board_are_explained_too() {
    let server = Server::start();
    for board in ["-", "X", "O"].map(|disc| disc.repeat(64)) {
        server.get(&format!("/api/explain?position={board}+X")).ok();
    }
    server.get("/api/explain?position=X").refusal(400);
    server.get("/api/explain").refusal(400);
}
