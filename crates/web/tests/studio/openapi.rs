//! `openapi.json` says what the server does: every path of it is served, and
//! real answers fit its schemas.

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::client::START;
use crate::experiments::Folder;
use crate::server::{Server, bounds};

struct Contract(Value);

impl Contract {
    fn of(server: &Server) -> Contract {
        Contract(server.get("/openapi.json").ok())
    }

    /// A validator of a schema that may refer to others in the file.
    fn schema(&self, reference: &Value) -> Validator {
        let mut schema = reference.clone();
        schema["components"] = self.0["components"].clone();
        jsonschema::validator_for(&schema).expect("a valid schema")
    }

    #[track_caller]
    fn check(&self, reference: &Value, value: &Value) {
        assert!(!reference.is_null(), "the file says nothing of this answer");
        let faults: Vec<String> = self
            .schema(reference)
            .iter_errors(value)
            .map(|e| format!("{}: {e}", e.instance_path()))
            .collect();
        assert!(faults.is_empty(), "{faults:#?}\n{value:#}");
    }

    /// The answer of a route against its schema.
    #[track_caller]
    fn answer(&self, path: &str, method: &str, status: &str, value: &Value) {
        let content = &self.0["paths"][path][method]["responses"][status]["content"];
        self.check(&content["application/json"]["schema"], value);
    }

    /// The events of a stream against their schemas.
    #[track_caller]
    fn events(&self, path: &str, events: &[(String, Value)]) {
        assert!(!events.is_empty());
        for (name, data) in events {
            let schemas = &self.0["paths"][path]["get"]["responses"]["200"]["x-events"];
            self.check(&schemas[name], data);
        }
    }
}

#[test]
fn every_schema_is_valid_and_every_reference_leads_somewhere() {
    let server = Server::start();
    let contract = Contract::of(&server);
    for (name, _) in contract.0["components"]["schemas"].as_object().unwrap() {
        contract.schema(&json!({"$ref": format!("#/components/schemas/{name}")}));
    }
    let text = contract.0.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(contract.0["components"]["schemas"][name].is_object(), "{name}");
    }
}

#[test]
fn every_path_is_served_with_its_methods() {
    let folder = Folder::with_runs();
    let server = Server::with(bounds(), vec![folder.path()]);
    let contract = Contract::of(&server);
    let mut paths = 0;
    for (path, methods) in contract.0["paths"].as_object().unwrap() {
        let target = path.replace("{file}", "index.html").replace("{id}", "x");
        for method in ["get", "post"] {
            let declared = methods.get(method).is_some();
            let status = match method {
                "get" => server.get(&target).status,
                _ => server.client().post(&target, &[], b"").status,
            };
            assert_eq!(status != 405, declared, "{method} {path}: {status}");
            if declared {
                let declared = &contract.0["paths"][path][method]["responses"];
                assert!(declared.get(status.to_string()).is_some(), "{method} {path}: {status}");
            }
        }
        paths += 1;
    }
    assert_eq!(paths, 17, "all routes are in the file");
}

#[test]
fn answers_fit_their_schemas() {
    let folder = Folder::with_runs();
    let server = Server::with(bounds(), vec![folder.path()]);
    let contract = Contract::of(&server);
    contract.answer("/api/info", "get", "200", &server.get("/api/info").ok());
    let explained = server.get(&format!("/api/explain?position={START}")).ok();
    contract.answer("/api/explain", "get", "200", &explained);
    for moves in ["", "f5", "f5d6c3d3c4f4"] {
        let said = server.get(&format!("/api/book?moves={moves}")).ok();
        contract.answer("/api/book", "get", "200", &said);
    }
    for query in ["", "?moves=f5&rows=3", "?player=anna&from=1999&opening=tiger", "?skip=2"] {
        let found = server.get(&format!("/api/library{query}")).ok();
        contract.answer("/api/library", "get", "200", &found);
    }
    let names = server.get("/api/library/names?of=player&like=a").ok();
    contract.answer("/api/library/names", "get", "200", &names);
    let report = server.get("/api/library/player?name=Anna").ok();
    contract.answer("/api/library/player", "get", "200", &report);
    let asked = json!({"client": "a", "position": START.replace('+', " "), "limit": {"depth": 3}});
    contract.check(&json!({"$ref": "#/components/schemas/MoveRequest"}), &asked);
    let moved = server.client().post_json("/api/move", &asked).ok();
    contract.answer("/api/move", "post", "200", &moved);
    for upload in [
        "f5d6",
        "f5d6\nf5f5\n",
        "(;GM[Othello]PC[x]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)",
    ] {
        let read = server.client().post("/api/import", &[], upload.as_bytes()).ok();
        contract.answer("/api/import", "post", "200", &read);
    }
    let refused = server.client().post("/api/import", &[], b"rubbish");
    contract.answer("/api/import", "post", "400", &refused.json());
    let runs = server.get("/api/experiments").ok();
    contract.answer("/api/experiments", "get", "200", &runs);
    for run in runs["runs"].as_array().unwrap() {
        let shown = server.get(&format!("/api/experiments/{}", run["id"].as_str().unwrap())).ok();
        contract.answer("/api/experiments/{id}", "get", "200", &shown);
    }
}

#[test]
fn events_fit_their_schemas() {
    let folder = Folder::with_runs();
    let server = Server::with(bounds(), vec![folder.path()]);
    let contract = Contract::of(&server);
    let over = format!("{}+X", "X".repeat(64));
    let endgame = "XXXXXXXXXXXXXXXXXXOXXXXXXXXOXXXXXXXXOOXXXXXXXOXXXXXXXXO-XXXXXXX-+O";
    for (position, model) in [(START, "rev"), (START, "quad"), (&*over, "log"), (endgame, "direct")]
    {
        let target = format!("/api/analyze?client=a&position={position}&seconds=0.3&model={model}");
        contract.events("/api/analyze", &server.client().events(&target).all());
    }
    let target = "/api/review?client=a&moves=e6f4e3f6g5d6e7f5c5&seconds=0.02&model=rev";
    contract.events("/api/review", &server.client().events(target).all());
    let id = folder.tournament_id(&server);
    let table = server.client().events(&format!("/api/experiments/{id}/live")).next().unwrap();
    contract.events("/api/experiments/{id}/live", &[table]);
}
