//! `discern book` and playing from a book, from the outside.

use crate::common::{discern, discern_with_input};
use serde_json::Value;

const QUICK: [&str; 6] = ["--model", "rev", "--depth", "2", "--solve", "12"];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// A book of this many positions.
    fn grown(&self, name: &str, positions: &str) -> String {
        let path = self.path(name);
        let args = [&["book", "grow", &path, "--positions", positions][..], &QUICK].concat();
        discern(&args).success();
        path
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_book_grows_alike_every_time_and_is_shown_verified_and_exported() {
    let folder = Folder::new();
    let (one, two) = (folder.grown("one.book", "60"), folder.path("two.book"));
    let threads = ["book", "grow", &two, "--positions", "60", "--threads", "1"];
    discern(&[&threads[..], &QUICK].concat()).success();
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
    assert!(discern(&["book", "verify", &one]).success().contains("60 positions, all in order"));
    let shown = json(&discern(&["book", "show", "f5", "--book", &one, "--json"]).success());
    for mv in shown["moves"].as_array().unwrap() {
        let probability = mv["probability"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&probability));
        assert!(mv["move"].is_string() && mv["depth"].is_u64());
        assert!(mv["solved"].is_boolean() && mv["games"].is_u64());
    }
    let tiger = discern(&["book", "show", "c4e3f6e6f5", "--book", &one, "--json"]).success();
    assert_eq!(json(&tiger)["opening"], "Tiger");
    let text = discern(&["book", "show", "--book", &one, "--depth", "3"]).success();
    assert!(text.contains("black to move") && text.contains("Perpendicular"), "{text}");
    let lines = folder.path("lines.txt");
    discern(&["book", "export", "--book", &one, "-o", &lines]).success();
    let text = std::fs::read_to_string(&lines).unwrap();
    assert!(text.lines().count() > 10 && text.lines().all(|line| line.starts_with("f5")));
    // The book of another program, and back.
    let (edax, back) = (folder.path("book.dat"), folder.path("back.book"));
    discern(&["book", "export", "--book", &one, "--format", "edax", "-o", &edax]).success();
    discern(&["book", "import", &back, &edax]).success();
    assert!(discern(&["book", "verify", &back]).success().contains("60 positions"));
}

#[test]
fn games_are_learned_once_and_books_merged() {
    let folder = Folder::new();
    let (games, book) = (folder.path("games.txt"), folder.path("my.book"));
    let game = "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7";
    std::fs::write(&games, format!("{game}\nf5f6e6f4\n")).unwrap();
    let learn = [&["book", "learn", &book, &games][..], &QUICK].concat();
    let first = discern(&learn).success();
    assert!(first.starts_with("2 games entered, 0 known already, 0 faulty"), "{first}");
    let bytes = std::fs::read(&book).unwrap();
    assert!(discern(&learn).success().starts_with("0 games entered, 2 known"));
    assert_eq!(std::fs::read(&book).unwrap(), bytes);
    let other = folder.grown("other.book", "20");
    let merged = discern(&["book", "merge", &book, &other]).success();
    assert!(merged.contains("positions added"), "{merged}");
    discern(&["book", "verify", &book]).success();
}

#[test]
fn players_play_from_the_book_and_without_if_told_so() {
    let folder = Folder::new();
    let book = folder.grown("my.book", "80");
    let gtp = |more: &[&str]| {
        let args = [&["gtp", "--model", "rev", "--depth", "1"][..], more].concat();
        discern_with_input(&args, "play b f5\ngenmove w\nquit\n").success()
    };
    let moves: std::collections::BTreeSet<String> = (0..12)
        .map(|seed| gtp(&["--book", &book, "--book-loss", "50", "--seed", &seed.to_string()]))
        .collect();
    assert!(moves.len() > 1, "games vary with the seed: {moves:?}");
    assert_eq!(gtp(&["--book", "none"]), gtp(&["--book", "none"]));
    let args = ["analyze", "f5", "--model", "rev", "--depth", "1", "--json", "--book", &book];
    let analysis = json(&discern(&args).success());
    let moves = analysis["moves"].as_array().unwrap();
    assert!(moves.iter().any(|mv| mv["book"] == true), "{analysis}");
    let played = discern_with_input(
        &["play", "--model", "rev", "--depth", "1", "--color", "white", "--book", &book],
        "quit\n",
    );
    assert!(played.success().contains("from the book"));
    let player = format!("rev,name=booked,depth=1,book={book}");
    let tournament = ["tournament", "--player", &player, "--player", "rev,name=plain,depth=1"];
    let report = discern(&[&tournament[..], &["--pairs", "3", "--json"]].concat()).success();
    assert_eq!(json(&report)["pairs"], 3);
}

#[test]
fn nboard_tells_book_lines_and_learns() {
    let folder = Folder::new();
    let book = folder.grown("my.book", "30");
    let before = std::fs::read(&book).unwrap();
    let commands =
        "nboard 2\nset depth 2\nhint 3\nping 1\nmove F5\nmove F6\nmove E6\nlearn\nquit\n";
    let args = ["nboard", "--model", "rev", "--depth", "2", "--book", &book];
    let said = discern_with_input(&args, commands).success();
    assert!(
        said.lines().any(|line| line.starts_with("book F5 ")
            || line.starts_with("book D3 ")
            || line.starts_with("book C4 ")
            || line.starts_with("book E6 ")),
        "{said}"
    );
    assert!(said.lines().any(|line| line == "learned"), "{said}");
    assert_ne!(std::fs::read(&book).unwrap(), before);
    discern(&["book", "verify", &book]).success();
}

#[test]
fn bad_books_get_one_sentence() {
    let folder = Folder::new();
    let book = folder.grown("my.book", "20");
    let bad = folder.path("bad.book");
    let mut bytes = std::fs::read(&book).unwrap();
    let last = bytes.len() - 3000;
    bytes[last] ^= 1;
    std::fs::write(&bad, &bytes).unwrap();
    let error = discern(&["book", "verify", &bad]).failure();
    assert!(error.contains("damaged positions at byte"), "{error}");
    let error = discern(&["book", "show", "--book", &bad]).failure();
    assert!(error.contains("damaged positions at byte"), "{error}");
    std::fs::write(&bad, &bytes[..100]).unwrap();
    let error = discern(&["gtp", "--model", "rev", "--book", &bad]).failure();
    assert!(error.contains("cut off"), "{error}");
    std::fs::write(&bad, "something else").unwrap();
    for command in [["book", "verify", &bad], ["analyze", "f5", &format!("--book={bad}")]] {
        assert!(discern(&command).failure().contains("not a book"));
    }
    let args = ["book", "grow", &bad, "--positions", "9", "--model", "rev", "--depth", "1"];
    assert!(discern(&args).failure().contains("not a book"));
    if discern_data::BOOK.is_none() {
        assert!(discern(&["book", "show"]).failure().contains("no opening book comes with"));
    }
    assert!(discern(&["book", "grow", &book]).failure().contains("--time or --positions"));
}
