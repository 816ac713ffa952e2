//! Uploads.

use serde_json::Value;

use crate::client::{Answer, START};
use crate::server::{Server, bounds};

fn import(server: &Server, bytes: &[u8]) -> Answer {
    server.client().post("/api/import", &[], bytes)
}

#[test]
fn every_format_is_read() {
    let server = Server::start();
    let start = START.replace('+', " ");
    let board = start.replace('X', "*");
    let ggf =
        format!("(;GM[Othello]PC[Cup]DT[2001]PB[Ada]PW[Bo]RE[?]BO[8 {board}]B[f5/0.5/1.2]W[d6];)");
    let sgf = "(;FF[4]GM[2]PB[Ada]PW[Bo];B[f5];W[d6])";
    let obf = format!("{start}; f5:+2;\n");
    let cases: [(&str, &[u8], &str); 7] = [
        ("transcript", b"f5d6c3", "f5d6c3"),
        ("transcript", b" F5 D6\r\n C3\n", "f5d6c3"),
        ("transcript", b"f5d6c3\nf5f6e6\n", "f5d6c3"),
        ("position", start.as_bytes(), ""),
        ("ggf", ggf.as_bytes(), "f5d6"),
        ("sgf", sgf.as_bytes(), "f5d6"),
        ("obf", obf.as_bytes(), ""),
    ];
    for (format, bytes, moves) in cases {
        let answer = import(&server, bytes).ok();
        assert_eq!(answer["format"], format, "{answer}");
        assert_eq!(answer["games"][0]["moves"], moves, "{answer}");
        assert_eq!(answer["games"][0]["start"], start);
        assert_eq!(
            (&answer["truncated"], &answer["faults"]),
            (&false.into(), &Value::Array(vec![]))
        );
    }
    let answer = import(&server, ggf.as_bytes()).ok();
    let game = &answer["games"][0];
    assert_eq!((&game["black"], &game["event"]), (&"Ada".into(), &"Cup".into()));
}

#[test]
fn archives_and_wthor_are_read_from_bytes() {
    let server = Server::start();
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../records/tests/data/sample.games");
    let archive = import(&server, &std::fs::read(sample).unwrap()).ok();
    assert_eq!(archive["format"], "archive");
    assert!(!archive["games"].as_array().unwrap().is_empty());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("WTH_2001.wtb");
    let format = discern_records::Format::Wthor;
    let mut file = discern_records::NewGameFile::create(&path, format, false).unwrap();
    let game = "e6f4e3f6g5d6e7f5c5".parse::<discern_board::Game>().unwrap();
    let mut record = discern_records::GameRecord::new(game);
    record.date = "2001".into();
    file.append(&record).unwrap();
    file.finish().unwrap();
    let answer = import(&server, &std::fs::read(&path).unwrap()).ok();
    assert_eq!(
        (&answer["format"], &answer["games"][0]["moves"]),
        (&"wthor".into(), &"e6f4e3f6g5d6e7f5c5".into())
    );
}

#[test]
fn faults_are_told_and_many_games_are_cut_off() {
    let bounds = discern_web::Bounds { import_games: 3, ..bounds() };
    let server = Server::with(bounds, Vec::new());
    let answer = import(&server, "f5\n".repeat(5).as_bytes()).ok();
    assert_eq!(
        (answer["games"].as_array().unwrap().len(), &answer["truncated"]),
        (3, &true.into())
    );
    let answer = import(&server, b"f5d6\nf5f5\n").ok();
    assert_eq!(answer["games"].as_array().unwrap().len(), 1);
    let fault = &answer["faults"][0];
    assert!(fault["sentence"].as_str().unwrap().contains("line 2"), "{answer}");
    assert_eq!((&fault["game"], &fault["line"]), (&2.into(), &2.into()));
}

#[test]
fn what_is_wrong_is_said_for_any_language() {
    let server = Server::start();
    let board = "BO[8 ---------------------------O*------*O--------------------------- *]";
    let cases = [
        ("f5f5".to_owned(), "illegal"),
        (format!("(;GM[Othello]{board}B[f5]W[f5];)"), "illegal"),
        (format!("(;GM[Othello]{board}B[z9];)"), "notation"),
        (format!("(;GM[Go]{board}B[f5];)"), "unsupported"),
        ("(;GM[Othello]".to_owned(), "incomplete"),
        ("discern games 9\nrubbish".to_owned(), "unsupported"),
    ];
    for (upload, kind) in cases {
        let refused = import(&server, upload.as_bytes());
        assert_eq!(refused.status, 400, "{upload}");
        let refused = refused.json();
        assert_eq!(refused["reason"], "unreadable", "{refused}");
        assert_eq!(refused["fault"]["kind"], kind, "{refused}");
    }
    let reasons = [(&b"hello"[..], "unknown"), (b"discern games 3\nrubbish", "empty")];
    for (upload, reason) in reasons {
        assert_eq!(import(&server, upload).json()["reason"], reason);
    }
}

#[test]
fn rubbish_is_refused_with_a_sentence() {
    let server = Server::start();
    for bytes in [&b""[..], b"hello", b"\xff\xfe\xfd", b"f5f5", b"(;GM[Othello]", &[0; 100_000]] {
        import(&server, bytes).refusal(400);
    }
    let refusal = import(&server, &vec![b'x'; (4 << 20) + 1]).refusal(413);
    assert_eq!(refusal, "at most 4194304 bytes are read");
}

#[test]
fn a_long_address_is_looked_through_at_once() {
    let server = Server::start();
    let address = format!("https://x.org/?g={}", "a1".repeat(127 << 10));
    let begun = std::time::Instant::now();
    import(&server, address.as_bytes()).refusal(400);
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
