//! The page and its files.

use crate::server::Server;

#[test]
fn the_page_is_served_with_every_security_header() {
    let server = Server::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    // Refusals carry them too.
    let missing = server.get("/nothing");
    missing.refusal(404);
    assert_eq!(missing.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(missing.header("cache-control"), Some("no-store"));
}

#[test]
fn files_are_compressed_and_known_by_their_tags() {
    let server = Server::start();
    let plain = server.get("/openapi.json");
    assert_eq!(plain.ok()["openapi"], "3.1.0");
    let small = server.client().get_with("/openapi.json", &[("Accept-Encoding", "gzip")]);
    assert_eq!(small.header("content-encoding"), Some("gzip"));
    assert!(small.body.len() * 2 < plain.body.len());
    let tag = plain.header("etag").unwrap();
    let again = server.client().get_with("/openapi.json", &[("If-None-Match", tag)]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    let other = server.client().get_with("/openapi.json", &[("If-None-Match", "\"x\"")]);
    assert_eq!(other.status, 200);
}

#[test]
fn the_worker_knows_every_file_of_the_page() {
    let server = Server::start();
    let worker = server.get("/service-worker.js");
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
    let names = worker.text().lines().find_map(|line| line.strip_prefix("const NAMES = ")).unwrap();
    let names: Vec<String> = serde_json::from_str(names.trim_end_matches(';')).unwrap();
    assert!(names.len() > 60 && names.contains(&"text/ja.js".into()), "{names:?}");
    for name in names {
        assert_eq!(server.get(&format!("/assets/{name}")).status, 200, "{name}");
    }
}

#[test]
fn info_tells_models_and_limits() {
    let server = Server::start();
    let info = server.get("/api/info").ok();
    let names: Vec<&str> =
        info["models"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["direct", "log", "fisher", "quad", "rev"], "the strongest comes first");
    assert_eq!(info["limits"]["streams"], 2);
    assert_eq!(info["weights"]["program"], "discern sample");
    assert_eq!(info["running"], 0);
}

#[test]
fn without_weights_only_rev_is_offered() {
    let server = Server::serving(crate::server::bounds(), Vec::new(), None);
    let info = server.get("/api/info").ok();
    assert_eq!(info["models"].as_array().unwrap().len(), 1);
    assert_eq!(info["models"][0]["name"], "rev");
    assert!(info["weights"].is_null());
    let start = crate::client::START;
    let refusal = server.get(&format!("/api/explain?position={start}")).refusal(404);
    assert!(refusal.contains("no weights"), "{refusal}");
    let refusal =
        server.get(&format!("/api/analyze?client=a&position={start}&model=log")).refusal(400);
    assert_eq!(refusal, "there is no model 'log', only rev");
}
