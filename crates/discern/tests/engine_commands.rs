//! perft, solve, bench, analyze and play from the outside.

use crate::common::{discern, discern_with_input};
use serde_json::Value;

/// Ten empty squares.
const END: &str = "OOOOOOO-OOOOOXXXOOOXXXXXOOXXXX--OOXXXXX-OOXXXX--OOXXX---OOOOOOO- O";
const START: &str = "---------------------------OX------XO--------------------------- X";

/// An OBF file with this text, removed at the end of the test.
fn obf(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::Builder::new().suffix(".obf").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    file
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn perft_counts() {
    let report = json(&discern(&["perft", "8", "--json"]).success());
    assert_eq!(report["depth"], 8);
    assert_eq!(report["nodes"], 390_216);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(discern(&["perft", "3"]).success().starts_with("depth 3: 56 paths"));
}

#[test]
fn bench_tells_the_signature() {
    let signature: u64 = include_str!("../../search/tests/signature.txt").trim().parse().unwrap();
    let report = json(&discern(&["bench", "--model", "rev", "--json"]).success());
    assert_eq!(report["signature"].as_u64(), Some(signature));
    assert!(report["endgame"]["nodes_per_second"].as_f64().unwrap() > 0.0);
}

#[test]
fn solve_tells_score_outcome_and_play() {
    // Ten empty squares; the score is that of plain minimax.
    let file = obf("% a comment\n\n\
        OOOOOOO-OOOOOXXXOOOXXXXXOOXXXX--OOXXXXX-OOXXXX--OOXXX---OOOOOOO- O; g6:+50;\n");
    let path = file.path().to_str().unwrap();
    let exact = json(&discern(&["solve", path, "--json"]).success());
    assert_eq!(exact["index"], 0);
    assert_eq!(exact["empties"], 10);
    let score = exact["score"].as_i64().unwrap();
    let pv = exact["pv"].as_str().unwrap();
    assert!(pv.starts_with(exact["move"].as_str().unwrap()));
    let two = json(&discern(&["solve", path, "--json", "--threads", "2"]).success());
    assert_eq!(two["score"], exact["score"]);
    let outcome = json(&discern(&["solve", path, "--json", "--wdl"]).success());
    assert!(outcome.get("score").is_none());
    assert_eq!(outcome["outcome"], exact["outcome"]);
    let expected = match score {
        0 => "draw",
        s if s > 0 => "win",
        _ => "loss",
    };
    assert_eq!(exact["outcome"], expected);
    let table = discern(&["solve", path]).success();
    assert!(table.contains("known scores agree"), "{table}");
}

#[test]
fn analyze_values_every_move() {
    let report = json(&discern(&["analyze", "f5d6c3", "--depth", "4", "--json"]).success());
    assert_eq!(report["mover"], "white");
    assert_eq!(report["discs"], 7);
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    for mv in moves {
        let (p, f) = (mv["probability"].as_f64().unwrap(), mv["value"].as_f64().unwrap());
        assert!((p - 1.0 / (1.0 + (-f).exp())).abs() < 1e-12);
        assert_eq!(mv["depth"], 4);
        assert_eq!(mv["exact"], false);
    }
    let same = json(&discern(&["analyze", START, "--depth", "3", "--json"]).success());
    let none = json(&discern(&["analyze", "", "--depth", "3", "--json"]).success());
    assert_eq!(same["moves"], none["moves"]);
    let table = discern(&["analyze", "f5", "--depth", "2", "--best", "1"]).success();
    assert!(table.contains("white to move, 5 discs"), "{table}");
}

#[test]
fn the_engine_plays_with_the_shipped_weights_unless_told_otherwise() {
    let moves = |more: &[&str]| {
        let args = [&["analyze", "f5d6c3", "--depth", "3", "--json"], more].concat();
        json(&discern(&args).success())["moves"].take()
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.weights");
    std::fs::write(&path, discern_data::WEIGHTS).unwrap();
    let file = path.to_str().unwrap();
    assert_eq!(moves(&[]), moves(&["--model", "direct", "--weights", file]));
    assert_ne!(moves(&[]), moves(&["--model", "fisher"]));
    assert_eq!(moves(&["--model", "quad"]), moves(&["--model", "quad", "--weights", file]));
    std::fs::write(&path, "DISCERNW").unwrap();
    let refused = discern(&["analyze", "f5", "--weights", file]).failure();
    assert!(refused.ends_with("copy.weights: the weight file is cut off"), "{refused}");
}

#[test]
fn explanations_add_up_for_the_position_and_for_every_move() {
    let args = ["analyze", "f5d6c3d3c4f4", "--depth", "1", "--explain=moves", "--json"];
    let report = json(&discern(&args).success());
    let names: Vec<_> = report["features"].as_object().unwrap().keys().collect();
    // The paper's 13; two counts and twelve more patterns that only the direct model knows.
    assert_eq!(names.len(), 13 + 14);
    let check = |explanation: &Value| {
        for model in ["log", "fisher", "quad", "direct"] {
            let parts = &explanation[model];
            let number = |name: &str| parts[name].as_f64().unwrap();
            let contributions = parts["contributions"].as_object().unwrap();
            assert!(contributions.keys().eq(names.iter().copied()));
            let sum: f64 = contributions.values().map(|part| part.as_f64().unwrap()).sum();
            let f = number("value");
            assert!((sum + number("intercept") - f).abs() < 1e-9, "{model}");
            assert!((number("probability") - 1.0 / (1.0 + (-f).exp())).abs() < 1e-12);
        }
    };
    check(&report["explanation"]);
    for mv in report["moves"].as_array().unwrap() {
        check(&mv["explanation"]);
        // One ply deep the search sees what the explanation sees.
        let static_value = mv["explanation"]["direct"]["value"].as_f64().unwrap();
        assert!((static_value - mv["value"].as_f64().unwrap()).abs() < 0.002);
    }

    let position = discern(&["analyze", "f5d6c3d3c4f4", "--depth", "1", "--explain"]).success();
    let (_, table) = position.split_once("before any search").unwrap();
    assert!(!table.contains("best moves"), "{table}");
    let heads = ["LOG", "FISHER", "QUAD", "DIRECT"];
    assert!(table.lines().any(|line| line.split_whitespace().skip(2).eq(heads)), "{table}");
    let column = |line: &str, nth: usize| -> f64 {
        let cells: Vec<_> = line.split_whitespace().collect();
        cells[cells.len() - heads.len() + nth].parse().unwrap()
    };
    let rows: Vec<_> = table
        .lines()
        .filter(|line| line.contains("the phase") || names.iter().any(|n| line.starts_with(*n)))
        .collect();
    let total = table.lines().find(|line| line.starts_with("sum")).unwrap();
    for nth in 0..heads.len() {
        let sum: f64 = rows.iter().map(|row| column(row, nth)).sum();
        // Nineteen numbers rounded to hundredths.
        assert!((sum - column(total, nth)).abs() <= 0.1, "{table}");
    }
    assert_eq!(rows.len(), 1 + names.len());
    let moves = discern(&["analyze", "f5", "--depth", "1", "--model=quad", "--explain=moves"]);
    assert!(moves.success().contains("for QUAD after the best moves"));
    let plain = json(&discern(&["analyze", "f5", "--depth", "1", "--json"]).success());
    assert!(plain.get("explanation").is_none() && plain["features"]["MOB"].is_number());
}

#[test]
fn bad_input_gets_one_sentence_that_names_the_place() {
    let analyze = |text: &str| discern(&["analyze", text]).failure();
    assert_eq!(analyze("--X X"), "not a position: a board has 64 squares, this one has 3");
    assert_eq!(
        analyze(&START.replacen('-', "?", 1)),
        "not a position: column 1: '?' is not a square's content (X black, O white, - empty)"
    );
    assert_eq!(
        analyze(&START.replace(" X", " Z")),
        "not a position: column 66: 'Z' is not a side to move (X or O)"
    );
    assert_eq!(
        analyze("f5d6a1"),
        "not a legal game: move 3, column 5: a1 is not a legal move for black"
    );
    assert_eq!(analyze("f5d6k9"), "not a legal game: column 5: 'k9' is not a move");
    let full = format!("{} X", "X".repeat(64));
    assert_eq!(analyze(&full), "neither side can move: the game is over (+64 for black)");

    let solve = |text: &str| {
        let file = obf(text);
        let complaint = discern(&["solve", file.path().to_str().unwrap()]).failure();
        complaint.replace(&format!("{}, ", file.path().display()), "")
    };
    assert_eq!(solve("% nothing\n--X X\n"), "line 2: a board has 64 squares, this one has 3");
    assert_eq!(
        solve(&format!("{START}; rubbish")),
        "line 1: column 69: 'rubbish' is not a score from -64 to +64"
    );
    assert!(solve("").ends_with("holds no position"));
    let missing = discern(&["solve", "/nonexistent.obf"]).failure();
    assert!(missing.starts_with("cannot read /nonexistent.obf"), "{missing}");
}

#[test]
fn finished_boards_among_others_have_the_score_that_they_show() {
    let file = obf(&format!("{} O; -64\n{}\n", "X".repeat(64), END));
    let path = file.path().to_str().unwrap();
    for wdl in [&[][..], &["--wdl"]] {
        let text = discern(&[&["solve", path, "--json"], wdl].concat()).success();
        let lines: Vec<_> = text.lines().map(json).collect();
        assert_eq!((&lines[0]["score"], &lines[0]["outcome"]), (&(-64).into(), &"loss".into()));
        assert!(lines[0]["move"].is_null() && lines[1]["move"].is_string());
    }
    let table = discern(&["solve", path]).success();
    assert!(table.contains("1 of 1 known scores agree"), "{table}");
}

#[test]
fn wrong_usage_exits_with_2() {
    let cases: [&[&str]; 6] = [
        &["unknown"],
        &["perft"],
        &["perft", "99"],
        &["solve", "x.obf", "--threads", "0"],
        &["analyze", "f5", "--time", "-1"],
        &["analyze", "f5", "--time", "1", "--depth", "3"],
    ];
    for args in cases {
        assert_eq!(discern(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn a_person_can_play_undo_ask_and_leave() {
    let run = discern_with_input(
        &["play", "--depth", "2"],
        "f5\nhint\nundo\na1\nnonsense\nmoves\nhelp\nd3\nquit\n",
    );
    let text = run.success();
    for expected in [
        "black, your move",
        "white played",
        "wins",
        "a1 is not a legal move for black; the dots show where you can play",
        "I do not understand 'nonsense'",
        "take back your last move",
        "So far: d3",
    ] {
        assert!(text.contains(expected), "no '{expected}' in:\n{text}");
    }
}

#[test]
fn solve_takes_a_position_or_standard_input() {
    let position = format!("{}OO- X", "X".repeat(61));
    let argument = json(&discern(&["solve", &position, "--json"]).success());
    let input = discern_with_input(&["solve", "-", "--json"], &format!("{position};\n"));
    let input = json(&input.success());
    assert_eq!((&argument["score"], &argument["move"]), (&64.into(), &"h8".into()));
    assert_eq!(input["score"], argument["score"]);
    let complaint = discern(&["solve", "rubbish"]).failure();
    assert!(complaint.contains("'rubbish' is neither a file nor a position"), "{complaint}");
}

/// Twenty-four empty squares: nobody solves this in a third of a second.
const HARD: &str = "--XXXXX---XXXX-OOXXXXXO-OXXXXOX-OXOXOX--OOOOXX--O---XX------X--- X";

#[test]
fn every_move_has_its_score_and_outcome() {
    let position: discern_board::Position = END.parse().unwrap();
    let best = json(&discern(&["solve", END, "--json"]).success());
    let all = json(&discern(&["solve", END, "--json", "--all-moves"]).success());
    let outcomes = json(&discern(&["solve", END, "--json", "--all-moves", "--wdl"]).success());
    assert_eq!(all["score"], best["score"]);
    assert!(best.get("moves").is_none());
    let moves = all["moves"].as_array().unwrap();
    assert_eq!(moves.len(), position.board.moves().count() as usize);
    assert_eq!(moves[0]["move"], all["move"]);
    assert!(moves.is_sorted_by_key(|mv| -mv["score"].as_i64().unwrap()));
    for mv in moves {
        let name = mv["move"].as_str().unwrap();
        assert_eq!(mv["proven"], true);
        assert!(mv["pv"].as_str().unwrap().starts_with(name));
        let board = position.board.play(name.parse().unwrap()).unwrap();
        let next = discern_board::Position { board, mover: !position.mover };
        let next = json(&discern(&["solve", &next.to_string(), "--json"]).success());
        assert_eq!(mv["score"].as_i64().unwrap(), -next["score"].as_i64().unwrap(), "{name}");
        let same = |other: &&Value| other["move"] == mv["move"];
        let outcome = outcomes["moves"].as_array().unwrap().iter().find(same).unwrap();
        assert_eq!(outcome["outcome"], mv["outcome"], "{name}");
        assert!(outcome.get("score").is_none());
    }
    let table = discern(&["solve", END, "--all-moves"]).success();
    assert_eq!(table.lines().count(), 3 + moves.len(), "{table}");
}

/// Thirty empty squares, which take minutes whatever the machine.
const LONG: &str = "d3c3c4e3b2b4a5c5f4b5c2f3d2e2c6c1e6f5f6d6g5a1a6b1g3e7f7g6c7d7";

#[test]
fn when_time_is_up_there_are_bounds() {
    for wdl in [&[][..], &["--wdl"]] {
        let args = [&["solve", LONG, "--time", "0.3", "--all-moves"], wdl].concat();
        let known = json(&discern(&[&args[..], &["--json"]].concat()).success());
        assert_eq!(known["proven"], false);
        assert!(known.get("score").is_none() && known["move"].is_string());
        let bounds = known["bounds"].as_array().unwrap();
        assert!(bounds[0].as_i64().unwrap() < bounds[1].as_i64().unwrap(), "{known}");
        assert!(known["seconds"].as_f64().unwrap() >= 0.3);
        let table = discern(&args).success();
        assert!(table.contains("bounds, not proven"), "{table}");
        assert!(table.contains("1 not solved in time: bounds"), "{table}");
    }
    assert_eq!(discern(&["solve", END, "--time", "0"]).code, Some(2));
    let solved = json(&discern(&["solve", END, "--time", "60", "--json"]).success());
    assert_eq!(solved["proven"], true);
    assert!(solved.get("bounds").is_none());
}

#[test]
fn a_long_solve_reports_progress_where_asked_to() {
    // Eighteen empty squares.
    let position = "XXXXXXXXOOOOOOOOOXXOOOO-O-XXOO----XXXOO---OOOXO---OO--X--OOO---- X";
    let run = discern(&["solve", position, "--progress=0.001", "--json"]);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert!(lines.iter().any(|line| line.starts_with("0: -64…+64; selective pass, depth ")));
    assert!(lines.iter().any(|line| line.contains("; proof, depth ")), "{lines:?}");
    assert!(lines.iter().all(|line| line.contains(" million nodes in ")), "{lines:?}");
    let quiet = discern(&["solve", END]);
    assert_eq!(quiet.stderr, "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_what_is_known() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
        .args(["solve", HARD, "--json", "--progress=0.01"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The proof has begun.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    stderr.read_line(&mut String::new()).unwrap();
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    let (mut known, mut complaint) = (String::new(), String::new());
    child.stdout.take().unwrap().read_to_string(&mut known).unwrap();
    stderr.read_to_string(&mut complaint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let known = json(&known);
    assert_eq!(known["proven"], false);
    assert_eq!(known["bounds"].as_array().unwrap().len(), 2);
    assert!(complaint.ends_with("discern: interrupted: 0 of 1 positions solved\n"), "{complaint}");
}

#[test]
fn a_level_plays_and_a_game_is_saved_and_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.ggf");
    let late = folder.path().join("late.ggf");
    let (first, second) = (file.display(), late.display());
    let wishes = format!("f5\nsave {first}\nresign\nhint\nsave {second}\nquit\n");
    let text = discern_with_input(&["play", "--level", "beginner"], &wishes).success();
    for expected in ["last move f5", "white played", "Stored in", "black resigns: white wins."] {
        assert!(text.contains(expected), "no '{expected}' in:\n{text}");
    }
    let stored = std::fs::read_to_string(&file).unwrap();
    assert!(stored.contains("PB[You]PW[beginner]") && stored.contains("B[f5]"), "{stored}");
    // Also a game that is over.
    assert!(text.contains("The game is over."), "{text}");
    let stored = std::fs::read_to_string(&late).unwrap();
    assert!(stored.contains("B[f5]"), "{stored}");
    assert_eq!(discern(&["play", "--level", "god"]).code, Some(2));
}

#[test]
fn the_engine_plays_itself_to_the_end() {
    let text = discern(&["play", "--color", "none", "--depth", "1"]).success();
    let result = text.lines().rev().nth(1).unwrap();
    assert!(result.contains("wins by") || result == "A draw.", "{result}");
    let game = text.lines().last().unwrap().strip_prefix("The game: ").unwrap();
    let complaint = discern(&["analyze", game]).failure();
    assert!(complaint.contains("the game is over"), "{complaint}");
}

#[test]
fn end_of_input_ends_the_game() {
    assert!(discern(&["play"]).success().ends_with("So far: \n"));
}

/// `script` lends it a terminal, in which lines are edited: a wrong beginning
/// is deleted with Ctrl-U, a square completed with Tab, a line called back with
/// the arrow.
#[cfg(unix)]
#[test]
fn lines_are_edited_in_a_terminal_and_the_board_has_colours() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    let play = format!("{} play --depth 1 --book none", env!("CARGO_BIN_EXE_discern"));
    let mut child = Command::new("script")
        .args(["-qec", &play, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("script is part of every Debian");
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let (mut output, mut asked) = (Vec::new(), 0);
    for line in ["nonsense\x15f\t\r", "moves\r", "\x1b[A\r", "resign\r", "\r"] {
        // The terminal is told that pasted text may come when a line begins.
        asked += 1;
        while String::from_utf8_lossy(&output).matches("\x1b[?2004h").count() < asked {
            let mut bytes = [0; 1024];
            let read = stdout.read(&mut bytes).unwrap();
            assert!(read > 0, "{}", String::from_utf8_lossy(&output));
            output.extend(&bytes[..read]);
        }
        stdin.write_all(line.as_bytes()).unwrap();
    }
    // A line that broke off must not leave the program waiting for more.
    drop(stdin);
    stdout.read_to_end(&mut output).unwrap();
    let text = String::from_utf8_lossy(&output);
    assert!(child.wait().unwrap().success(), "{text}");
    for expected in ["last move f5", "\x1b[30;42m●", "black resigns: white wins."] {
        assert!(text.contains(expected), "no {expected:?} in:\n{text}");
    }
    assert!(!text.contains("I do not understand"), "{text}");
    // Once typed and once called back.
    let games = text.lines().filter(|line| line.starts_with("f5") && line.trim_end().len() == 4);
    assert_eq!(games.count(), 2, "{text}");
}

#[test]
fn a_level_plays_by_the_model_it_was_measured_with() {
    let without = ["play", "--level", "beginner", "--weights"];
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/tests/data/sample.weights");
    let text = discern_with_input(&[&without[..], &[sample]].concat(), "f5\nquit\n").success();
    assert!(text.contains("white played"), "{text}");
    assert_eq!(discern(&["play", "--level", "club", "--model", "quad"]).code, Some(2));
}
