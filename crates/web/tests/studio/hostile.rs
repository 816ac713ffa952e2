//! Requests that no honest page makes. Each gets a refusal and one line in
//! the log, and the server goes on.

use std::time::{Duration, Instant};

use crate::client::{Client, START};
use crate::server::{Server, bounds};

/// Sends a head as it is and returns the status, 0 if the server hung up.
fn status(mut client: Client, request: &[u8]) -> u16 {
    client.send(request);
    client.answer().map_or(0, |answer| answer.status)
}

#[test]
fn no_path_leads_to_the_file_system() {
    let server = Server::start();
    let secrets = ["etc/passwd", "Cargo.toml", "src/lib.rs", "assets/index.html"];
    let ways =
        ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "....//", "/", "%2f", "./"];
    for secret in secrets {
        for way in ways {
            for depth in [1, 3, 8] {
                let target = format!("/assets/{}{secret}", way.repeat(depth));
                let answer = server.get(&target);
                assert!((400..500).contains(&answer.status), "{target}: {}", answer.status);
                assert!(!answer.text().contains("root:") && !answer.text().contains("[package]"));
            }
        }
    }
    for target in
        ["/../Cargo.toml", "//etc/passwd", "/assets/%00", "/assets/index.html%00", "/assets"]
    {
        assert!((400..500).contains(&server.get(target).status), "{target}");
    }
    for id in ["..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "..", "%00"] {
        server.get(&format!("/api/experiments/{id}")).refusal(404);
        server.get(&format!("/api/experiments/{id}/live")).refusal(404);
    }
    for target in ["/api/experiments/%ff", "/api/experiments/%ff/live", "/assets/%ff"] {
        server.get(target).refusal(400);
    }
}

#[test]
fn only_get_head_and_post_are_served() {
    let server = Server::start();
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
        for target in ["/", "/api/info", "/api/move"] {
            let client = server.client();
            let head = client.head(method, target) + "\r\n";
            let found = status(client, head.as_bytes());
            assert!(found == 405 || method == "CONNECT" && found == 400, "{method}: {found}");
        }
    }
    let wrong = server.client().post("/api/info", &[], b"");
    wrong.refusal(405);
    assert_eq!(wrong.header("allow"), Some("GET, HEAD, POST"));
    server.get("/api/move").refusal(405);
    server.client().post("/", &[], b"").refusal(405);
    for target in ["/", "/api/info", "/assets/app.js", "/api/experiments"] {
        let mut client = server.client();
        let head = client.head("HEAD", target) + "\r\n";
        client.send(head.as_bytes());
        let answer = client.answer().expect("an answer");
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{target}");
    }
}

#[test]
fn work_is_done_only_for_those_who_know_the_token() {
    let server = Server::start();
    let analyze = format!("/api/analyze?client=a&position={START}&seconds=0.01");
    let stranger = || Client::connect(server.address);
    // As a picture on another page asks in a browser that says nothing of it.
    for target in [&analyze[..], "/api/review?client=a&moves=f5", "/api/experiments"] {
        let said = stranger().get(target).refusal(403);
        assert!(said.contains("token"), "{said}");
    }
    stranger().post("/api/import", &[], b"f5d6").refusal(403);
    stranger().get_with("/api/experiments", &[("X-Discern-Token", "0")]).refusal(403);
    assert_eq!(server.studio.running(), 0);
    // Our page: it knows the token, or its browser says where it comes from.
    let token = stranger().get("/api/info").ok()["token"].as_str().unwrap().to_owned();
    assert_eq!(stranger().with_token(&token).get(&analyze).status, 200);
    for header in
        [("Sec-Fetch-Site", "same-origin"), ("Origin", &*format!("http://{}", server.address))]
    {
        assert_eq!(stranger().get_with("/api/experiments", &[header]).status, 200);
    }
}

#[test]
fn idle_connections_keep_nobody_out() {
    let reading = Duration::from_secs(60);
    let server =
        Server::with(discern_web::Bounds { connections: 8, reading, ..bounds() }, Vec::new());
    // A stream that must not be disturbed, and more silent ones than places.
    let target = format!("/api/analyze?client=a&position={START}&seconds=1.5");
    let stream = server.client().events(&target);
    let _silent: Vec<_> = (0..30).map(|_| server.client()).collect();
    for _ in 0..20 {
        let begun = Instant::now();
        assert_eq!(server.get("/api/info").status, 200);
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    }
    assert_eq!(stream.all().last().unwrap().0, "done");
}

#[test]
fn other_names_for_this_server_are_refused() {
    let server = Server::start();
    let with = |hosts: &str| {
        let head = format!("GET /api/info HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
        status(server.client(), head.as_bytes())
    };
    for good in ["Host: localhost\r\n", "Host: 127.0.0.1:1\r\n", "Host: [::1]:8295\r\n"] {
        assert_eq!(with(good), 200, "{good}");
    }
    for bad in [
        "Host: evil.example\r\n",
        "Host: localhost.evil.example\r\n",
        "Host: 127.0.0.1.evil.example:8295\r\n",
        "Host: localhost\r\nHost: evil.example\r\n",
        "Host: \r\n",
        "Host: 192.168.0.1\r\n",
        "",
    ] {
        assert_eq!(with(bad), 403, "{bad}");
    }
    // Named in the request line as well as in the header.
    let head =
        "GET http://evil.example/api/info HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    assert_eq!(status(server.client(), head.as_bytes()), 403);
}

#[test]
fn pages_of_other_sites_may_ask_for_nothing() {
    let server = Server::start();
    let own = format!("http://{}", server.address);
    let import =
        |origin: &str| server.client().post("/api/import", &[("Origin", origin)], b"f5d6").status;
    assert_eq!(import(&own), 200);
    for origin in ["http://evil.example", "null", "http://localhost:1", "https://evil.example"] {
        assert_eq!(import(origin), 403, "{origin}");
    }
    let from =
        |site: &str| server.client().get_with("/api/info", &[("Sec-Fetch-Site", site)]).status;
    assert_eq!([from("same-origin"), from("none")], [200, 200]);
    assert_eq!([from("cross-site"), from("same-site"), from("what")], [403, 403, 403]);
    // A link from elsewhere leads to the page.
    let page = server.client().get_with("/", &[("Sec-Fetch-Site", "cross-site")]);
    assert_eq!(page.status, 200);
}

#[test]
fn long_addresses_and_floods_of_headers_are_refused() {
    let server = Server::start();
    server.get(&format!("/api/info?{}", "x".repeat(9000))).refusal(414);
    let found = status(
        server.client(),
        format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(1 << 20)).as_bytes(),
    );
    assert!([0, 414, 431].contains(&found), "{found}");
    let client = server.client();
    let flood = client.head("GET", "/api/info") + &"X-Flood: x\r\n".repeat(1000) + "\r\n";
    let found = status(client, flood.as_bytes());
    assert!([0, 431].contains(&found), "{found}");
    let client = server.client();
    let long = client.head("GET", "/api/info") + &format!("X: {}\r\n\r\n", "x".repeat(1 << 18));
    let found = status(client, long.as_bytes());
    assert!([0, 431].contains(&found), "{found}");
    server.until("every refusal has a line", |server| server.log().len() >= 4);
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn who_never_reads_loses_his_place() {
    let writing = Duration::from_millis(300);
    let server =
        Server::with(discern_web::Bounds { connections: 1, writing, ..bounds() }, Vec::new());
    let mut greedy = server.client();
    let head = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // More answers than all buffers on the way can hold.
    greedy.send(head.repeat(20_000).as_bytes());
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn what_is_not_http_is_refused() {
    let server = Server::start();
    for rubbish in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET \xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 5\r\n\r\nf5d",
        b"POST /api/import HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    ] {
        let found = status(server.client(), rubbish);
        assert!(found == 0 || (400..500).contains(&found), "{rubbish:?}: {found}");
    }
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn slow_heads_and_slow_bodies_do_not_keep_a_place() {
    let server = Server::start();
    // Half a head.
    let mut slow = server.client();
    slow.send(b"GET / HTTP/1.1\r\nHost: ");
    let begun = Instant::now();
    let found = slow.answer().map_or(0, |answer| answer.status);
    assert!([0, 408].contains(&found) && begun.elapsed() < Duration::from_secs(10));
    // A body drop by drop.
    let mut slow = server.client();
    let head = slow.head("POST", "/api/import") + "Content-Length: 1000\r\n\r\n";
    slow.send(head.as_bytes());
    let begun = Instant::now();
    for _ in 0..20 {
        slow.send(b"f");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(slow.answer().map(|answer| answer.status), Some(408));
    assert!(begun.elapsed() < Duration::from_secs(10));
    server.until("there is a line", |server| server.log().iter().any(|line| line.contains("408")));
}

#[test]
fn an_endless_body_is_cut_off() {
    let server = Server::start();
    for target in ["/api/import", "/api/move"] {
        let mut endless = server.client();
        let head = endless.head("POST", target)
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        endless.send(head.as_bytes());
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        let mut sent = 0usize;
        while sent < 64 << 20 && endless.send(chunk.as_bytes()) {
            sent += chunk.len();
        }
        assert!(sent < 32 << 20, "{sent} bytes were taken");
    }
    server.until("both have a line", |server| {
        server.log().iter().filter(|line| line.contains("413")).count() == 2
    });
    assert_eq!(server.get("/api/info").status, 200);
}

#[test]
fn an_address_that_asks_too_often_is_told_to_slow_down() {
    let bounds = discern_web::Bounds { burst: 20, ..bounds() };
    let server = Server::with(bounds, Vec::new());
    let answers: Vec<_> = (0..40).map(|_| server.get("/api/info")).collect();
    assert!(answers[..20].iter().all(|answer| answer.status == 200));
    let refused = answers.iter().find(|answer| answer.status == 429).expect("one too many");
    assert_eq!(refused.refusal(429), "too many requests, please slow down");
    assert_eq!(refused.header("retry-after"), Some("1"));
}

#[test]
fn log_lines_are_single_short_and_printable() {
    let server = Server::start();
    server.get("/a%0ab%1b[31m");
    server.get(&format!("/{}", "y".repeat(5000)));
    server.get(&format!("/api/analyze?client=%0a%1b&position={START}"));
    server.get("/api/analyze?client=a&position=%ff%fe%00%0a");
    server.get(&format!("/api/analyze?client=a&position={START}&model=%0a%1b{}", "m".repeat(3000)));
    let log = server.log();
    assert_eq!(log.len(), 5, "{log:#?}");
    for line in log {
        assert!(line.chars().all(|symbol| !symbol.is_control()), "{line}");
        assert!(line.chars().count() < 500 && line.starts_with("127.0.0.1 GET /"), "{line}");
    }
}
