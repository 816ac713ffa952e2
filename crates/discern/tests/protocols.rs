//! Strict conversations with `discern gtp` and `discern nboard`.

// Not every test file needs all of it.
#[allow(dead_code)]
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::common::discern_with_input;

/// The answers to these commands, as one text.
fn gtp(commands: &str) -> String {
    discern_with_input(&["gtp", "--depth", "2"], commands).success()
}

#[test]
fn gtp_answers_every_command() {
    let conversation = [
        ("protocol_version", "= 2"),
        ("7 protocol_version", "=7 2"),
        ("name", "= Discern"),
        ("version", "= 0.1.0"),
        ("known_command genmove", "= true"),
        ("known_command nonsense", "= false"),
        ("known_command", "? syntax error"),
        ("boardsize 8", "="),
        ("boardsize 19", "? unacceptable size"),
        ("boardsize x", "? boardsize not an integer"),
        ("boardsize", "? syntax error"),
        ("clear_board", "="),
        ("komi 0.5", "="),
        ("play b f5", "="),
        ("play W F6", "="),
        ("play white e6", "? wrong color"),
        ("play black a1", "? illegal move"),
        ("play black pass", "? illegal move"),
        ("play black i9", "? syntax error"),
        ("play black pa", "? syntax error"),
        ("play red e6", "? syntax error"),
        ("play black", "? syntax error"),
        ("play black e6 e6", "? syntax error"),
        ("12 play BLACK E6", "=12"),
        ("undo", "="),
        ("undo", "="),
        ("undo", "="),
        ("undo", "? cannot undo"),
        ("genmove w", "? wrong color"),
        ("genmove", "? syntax error"),
        ("genmove x", "? syntax error"),
        ("time_settings 300 5 1", "="),
        ("time_settings 300 x 1", "? syntax error"),
        ("time_settings 300", "? syntax error"),
        ("time_settings -1 0 0", "? syntax error"),
        ("time_left b 12.5 0", "="),
        ("time_left b 12", "? syntax error"),
        ("time_left q 12 0", "? syntax error"),
        ("final_score", "? the game is not over"),
        ("set_game Othello", "="),
        ("set_game Go", "? unsupported game"),
        ("list_games", "= Othello"),
        ("gogui-rules_game_id", "= Othello"),
        ("gogui-rules_board_size", "= 8"),
        ("gogui-rules_side_to_move", "= black"),
        ("gogui-rules_legal_moves", "= d3 c4 f5 e6"),
        ("gogui-rules_final_result", "= The game is not over."),
        ("loadsgf /nonexistent", "? cannot load file"),
        ("loadsgf", "? syntax error"),
        ("unknown_thing 1 2", "? unknown command"),
        ("99", "?99 unknown command"),
        ("name # with a comment", "= Discern"),
        ("\tname\t", "= Discern"),
        ("na\x07me", "= Discern"),
        ("quit", "="),
    ];
    let commands: String = conversation.iter().map(|(command, _)| format!("{command}\n")).collect();
    // Empty lines and comments have no answer.
    let answers = gtp(&format!("\n  \n# nothing\n{commands}name\n"));
    let answers: Vec<&str> = answers.split("\n\n").collect();
    assert_eq!(answers.last(), Some(&""), "every answer ends with an empty line");
    assert_eq!(answers.len() - 1, conversation.len(), "nothing after quit: {answers:?}");
    for ((command, expected), answer) in conversation.iter().zip(&answers) {
        assert_eq!(answer, expected, "{command}");
    }
}

#[test]
fn gtp_lists_what_it_knows_and_shows_the_board() {
    let list = gtp("list_commands\n");
    let commands: Vec<&str> = list.trim_start_matches("= ").split_whitespace().collect();
    assert!(commands.len() >= 26);
    for command in &commands {
        let (answer, known) =
            (gtp(&format!("{command}\n")), gtp(&format!("known_command {command}\n")));
        assert!(!answer.contains("unknown command"), "{command}");
        assert_eq!(known, "= true\n\n");
    }
    let board = gtp("play b f5\ngogui-rules_board\n");
    assert!(board.contains("\n. . . O X . . .\n. . . X X X . .\n"), "{board}");
    let shown = gtp("showboard\n");
    assert!(shown.contains("X 2  O 2  black to move"), "{shown}");
    assert!(!shown.trim_end().contains("\n\n"), "an empty line would end the answer");
}

#[test]
fn gtp_generates_legal_moves_to_the_end_and_keeps_them() {
    // Both colours are asked in turn; a side without a move says pass.
    let commands: String =
        (0..70).map(|n| format!("genmove {}\n", if n % 2 == 0 { "b" } else { "w" })).collect();
    let answers = gtp(&format!("{commands}final_score\ngogui-rules_final_result\n"));
    let answers: Vec<&str> = answers.trim_end().split("\n\n").collect();
    let moves = answers[..70].iter().filter(|answer| **answer != "= pass").count();
    assert!(moves > 40, "{answers:?}");
    assert!(!answers[..70].iter().any(|answer| answer.starts_with('?')), "{answers:?}");
    let (score, sentence) = (answers[70], answers[71]);
    match score.strip_prefix("= ").unwrap().split_once('+') {
        Some(("B", discs)) => assert_eq!(sentence, format!("= Black wins by {discs}.")),
        Some(("W", discs)) => assert_eq!(sentence, format!("= White wins by {discs}.")),
        other => assert!(score == "= 0" && sentence == "= The game is a draw.", "{other:?}"),
    }
    // reg_genmove says the same and plays nothing.
    let twice = gtp("reg_genmove b\nreg_genmove b\ngenmove b\n");
    let answers: Vec<&str> = twice.trim_end().split("\n\n").collect();
    assert!(answers[0] == answers[1] && answers[1] == answers[2], "{answers:?}");
}

#[test]
fn gtp_passes_silently_and_openly() {
    // After these nine moves White is wiped out; before, a game with a pass.
    let wiped: String = ["b e6", "w f4", "b e3", "w f6", "b g5", "w d6", "b e7", "w f5", "b c5"]
        .iter()
        .map(|mv| format!("play {mv}\n"))
        .collect();
    let answers = gtp(&format!("{wiped}final_score\ngenmove w\nplay w a1\nundo\nfinal_score\n"));
    let answers: Vec<&str> = answers.trim_end().split("\n\n").collect();
    assert_eq!(
        &answers[9..],
        ["= B+64", "= pass", "? illegal move", "=", "? the game is not over"]
    );

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pass.sgf");
    // Black has no move, White has.
    std::fs::write(&file, "(;FF[4]GM[2]SZ[8]AB[b1]AW[a1][h8]PL[B])").unwrap();
    let load = format!("loadsgf {}\n", file.display());
    let first = |commands: &str| {
        let answers = gtp(&format!("{load}{commands}"));
        answers.trim_end().split("\n\n").skip(1).map(str::to_owned).collect::<Vec<_>>().join("|")
    };
    assert_eq!(first("gogui-rules_legal_moves\ngenmove b\ngenmove w\n"), "= pass|= pass|= c1");
    assert_eq!(first("play w c1\nundo\ngogui-rules_side_to_move\n"), "=|=|= black");
    assert_eq!(first("play b pass\nplay w c1\n"), "=|=");
    assert_eq!(first("play b c1\n"), "? illegal move");
}

#[test]
fn gtp_loads_games_up_to_a_move() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.sgf");
    std::fs::write(&file, "(;FF[4]GM[2]SZ[8];B[f5];W[d6];B[c3])").unwrap();
    let side = |number: &str| {
        let text =
            gtp(&format!("loadsgf {} {number}\ngogui-rules_side_to_move\nundo\n", file.display()));
        text.trim_end().split("\n\n").skip(1).map(str::to_owned).collect::<Vec<_>>().join("|")
    };
    assert_eq!(side(""), "= white|=");
    assert_eq!(side("2"), "= white|=", "the position before the second move");
    assert_eq!(side("1"), "= black|? cannot undo");
    assert_eq!(side("x"), "= black|? cannot undo", "a bad number changes nothing");
}

#[test]
fn gtp_survives_endless_lines_and_rubbish() {
    let rubbish: String = (1..2000u32).filter_map(|n| char::from_u32(n * 37 % 0x2fff)).collect();
    let long = "x".repeat(1_000_000);
    let text = gtp(&format!("{long}\n1 name\n{rubbish}\n2 name\n"));
    assert!(text.starts_with("? line too long\n\n=1 Discern\n\n"), "{}", &text[..60]);
    assert!(text.ends_with("=2 Discern\n\n"));
    // Bytes that are no text at all, and no line end at the end.
    let mut child = Talk::start(&["gtp", "--depth", "1"]);
    child.stdin.write_all(b"\xff\xfe\x00\x80 name\n5 name").unwrap();
    assert_eq!(child.rest(), ["? unknown command", "", "=5 Discern", ""]);
}

#[test]
fn gtp_keeps_the_clock() {
    // A second for the whole game, told only once: 25 moves fit into it.
    let start = Instant::now();
    let commands: String = (0..25).map(|_| "genmove b\ngenmove w\n").collect();
    let run = discern_with_input(
        &["gtp", "--time-meaning", "fischer"],
        &format!("time_settings 1 0 0\n{commands}"),
    );
    assert!(!run.success().contains('?'));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// A conversation in which both sides take turns.
struct Talk {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
}

impl Talk {
    fn start(arguments: &[&str]) -> Talk {
        let mut child = Command::new(env!("CARGO_BIN_EXE_discern"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            stdout.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        Talk { child, stdin, lines }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").unwrap();
    }

    #[track_caller]
    fn hear(&mut self) -> String {
        self.lines.recv_timeout(Duration::from_secs(60)).expect("an answer")
    }

    /// All lines up to one that begins like this, that one included.
    #[track_caller]
    fn hear_until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.hear();
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Ends the input and returns what is still said.
    fn rest(self) -> Vec<String> {
        let Talk { mut child, stdin, lines } = self;
        drop(stdin);
        let rest = lines.into_iter().collect();
        assert!(child.wait().unwrap().success());
        rest
    }

    fn is_quiet(&self) -> bool {
        self.lines.recv_timeout(Duration::from_millis(200)) == Err(RecvTimeoutError::Timeout)
    }
}

const GAME: &str = "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[a]PW[b]RE[?]TI[15:00]TY[8]\
BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[d6//0.5];)";

#[test]
fn nboard_greets_hints_goes_and_keeps_the_position() {
    let mut talk = Talk::start(&["nboard"]);
    talk.say("nboard 2");
    talk.say("set depth 5");
    assert_eq!(talk.hear(), "set myname Discern5");
    talk.say(GAME);
    talk.say("set contempt 0");
    talk.say("ping 1");
    assert_eq!(talk.hear(), "pong 1");
    talk.say("hint 3");
    let lines = talk.hear_until("nodestats");
    let searches: Vec<Vec<&str>> = lines
        .iter()
        .filter(|line| line.starts_with("search "))
        .map(|line| line.split(' ').collect())
        .collect();
    assert_eq!(searches.len(), 15, "three moves at five depths: {lines:?}");
    for words in &searches {
        assert_eq!(words.len(), 5, "{words:?}");
        assert!(words[1].len() >= 2 && words[1].len() % 2 == 0);
        assert!(words[2].parse::<f64>().is_ok() && words[3] == "0");
    }
    assert_eq!(searches[14][4], "5");
    assert_eq!(talk.hear(), "status");
    // go does not play: asked twice, it says the same.
    let mut answer = || {
        talk.say("go");
        let line = talk.hear_until("=== ").pop().unwrap();
        line.split('/').next().unwrap().to_owned()
    };
    let first = answer();
    assert_eq!(first, answer());
    // The move is played by the other side.
    talk.say(&format!("move {}/0.5/1.2", first.trim_start_matches("=== ")));
    talk.say("analyze");
    let mut lines: Vec<String> = (0..4).map(|_| talk.hear()).collect();
    for (index, line) in lines.drain(..).enumerate() {
        let start = format!("analysis {index} ");
        assert!(line.strip_prefix(&start).is_some_and(|e| e.parse::<f64>().is_ok()), "{line}");
    }
    talk.say("quit");
    assert!(talk.rest().is_empty());
}

#[test]
fn nboard_takes_a_clock_without_time_for_none() {
    let mut talk = Talk::start(&["nboard"]);
    talk.say("set depth 5");
    talk.hear();
    talk.say(&GAME.replace("TI[15:00]", "TI[0]"));
    talk.say("go");
    let lines = talk.hear_until("=== ");
    let deepest = lines.iter().rfind(|line| line.starts_with("search "));
    assert!(deepest.is_some_and(|line| line.ends_with(" 5")), "{lines:?}");
}

#[test]
fn nboard_stops_thinking_for_a_ping() {
    let mut talk = Talk::start(&["nboard"]);
    talk.say("set depth 60");
    talk.hear();
    for (number, request) in [(1, "hint 2"), (2, "go"), (3, "analyze")] {
        talk.say(request);
        std::thread::sleep(Duration::from_millis(300));
        let start = Instant::now();
        talk.say(&format!("ping {number}"));
        talk.hear_until(&format!("pong {number}"));
        assert!(start.elapsed() < Duration::from_secs(5), "{request}: {:?}", start.elapsed());
        assert!(talk.is_quiet(), "nothing comes after the pong");
    }
    // A new wish ends a hint, too, and a search asked for before a ping that
    // has arrived already does not even begin.
    talk.say("hint 1");
    talk.say("set depth 3");
    talk.hear_until("set myname Discern3");
    talk.say("set depth 60\ngo\nping 4");
    talk.hear_until("pong 4");
    assert!(talk.is_quiet());
}

#[test]
fn nboard_ignores_what_it_does_not_understand() {
    let mut talk = Talk::start(&["nboard", "--depth", "2"]);
    let long = "y".repeat(3_000_000);
    for line in [
        "",
        "   ",
        "nonsense",
        "set",
        "set depth",
        "set depth x",
        "set depth -4",
        "set depth 0",
        "set contempt many",
        "set colour blue",
        "nboard x",
        "hintx",
        &long,
    ] {
        talk.say(line);
    }
    talk.stdin.write_all(b"\x00\xff\xfe\x80\x01\n").unwrap();
    talk.say("ping 1");
    assert_eq!(talk.hear(), "pong 1", "all of it without a word");
    for bad in ["move k9", "move a1", "move", "set game (;GM[Go];)", "set game", "set game x"] {
        talk.say(bad);
        talk.say("ping 2");
        let lines = talk.hear_until("pong 2");
        assert!(lines.len() == 2 && lines[0].starts_with("status "), "{bad}: {lines:?}");
    }
    // The position is still the start.
    talk.say("go");
    let answer = talk.hear_until("=== ").pop().unwrap();
    let square = &answer[4..6];
    assert!(["D3", "C4", "F5", "E6"].contains(&square), "{answer}");
    assert!(talk.rest().is_empty());
}

#[test]
fn nboard_reads_final_passes_and_solves() {
    let mut talk = Talk::start(&["nboard", "--depth", "10"]);
    // White has just passed: Black is to move, and the end is near.
    let rows = format!("*O------ {}", "******** ".repeat(7));
    talk.say(&format!("set game (;GM[Othello]TY[8]BO[8 {rows}O]W[PA];)"));
    talk.say("go");
    let lines = talk.hear_until("=== ");
    assert!(lines.iter().any(|line| line == "search C1 64.00 0 100%"), "{lines:?}");
    assert!(lines.last().unwrap().starts_with("=== C1/64.00/"), "{lines:?}");
    talk.say("move C1");
    talk.say("ping 3");
    talk.say("go");
    assert_eq!(talk.hear_until("status"), ["pong 3", "status the game is over"]);
    talk.say("analyze");
    let lines = talk.hear_until("analysis 2");
    assert_eq!(lines, ["analysis 0 -64.00", "analysis 1 64.00", "analysis 2 -64.00"]);
}

#[test]
fn nboard_learns_into_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("learned.games");
    let mut talk = Talk::start(&["nboard", "--learn", file.to_str().unwrap()]);
    talk.say(GAME);
    talk.say("learn");
    assert_eq!(talk.hear(), "learned");
    talk.say("move C3//0.1");
    talk.say("learn");
    assert_eq!(talk.hear(), "learned");
    assert!(talk.rest().is_empty());
    let games: Vec<String> = discern_records::archive::ArchiveReader::open(&file)
        .unwrap()
        .map(|record| record.unwrap().game.transcript())
        .collect();
    assert_eq!(games, ["f5d6", "f5d6c3"]);
    let mut talk = Talk::start(&["nboard"]);
    talk.say("learn");
    assert!(talk.hear().starts_with("status nothing to learn with"));
    assert_eq!(talk.hear(), "learned");
}
