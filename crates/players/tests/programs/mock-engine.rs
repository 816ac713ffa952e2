//! A small engine that misbehaves on demand, for the tests.
//!
//! `mock-engine gtp|nboard BEHAVIOUR [AT]`: plays the legal move that a fixed
//! rule picks, and from its own move number AT on (default 3) behaves badly:
//!
//! * `well`: never
//! * `whole`: never, and reads whole seconds only
//! * `illegal`: answers a square that is not free
//! * `rubbish`: answers no square at all
//! * `silent`: does not answer
//! * `deaf`: does not even answer the first command
//! * `slow`: answers after 400 ms
//! * `crash`: dies with exit code 3
//! * `talkative`: writes a megabyte to standard error before each move
//! * `orphan`: leaves a child behind and dies
//! * `parent`: starts a child that outlives `quit`
//! * `endless`: answers a line without an end
//! * `resign`: gives up

use std::io::{BufRead, Write};
use std::process::{Command, exit};
use std::time::Duration;

use discern_board::{Color, Game, Move};

struct Mock {
    behaviour: String,
    at: usize,
    moves: usize,
    game: Game,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |index: usize| arguments.get(index).map_or("", String::as_str);
    let at = word(2).parse().unwrap_or(3);
    let mut mock = Mock { behaviour: word(1).to_owned(), at, moves: 0, game: Game::default() };
    let nboard = word(0) == "nboard";
    if mock.behaviour == "parent" {
        start_child();
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        if mock.behaviour == "deaf" {
            sleep_for_ever();
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"quit") {
            break;
        }
        if nboard { mock.hear_nboard(&line, &words) } else { mock.hear_gtp(&words) }
    }
}

fn say(text: &str) {
    let mut stdout = std::io::stdout().lock();
    // The referee may be gone: then there is nobody to tell.
    let _ = write!(stdout, "{text}").and_then(|()| stdout.flush());
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(1000));
    }
}

// Leaving a child behind is the point.
#[allow(clippy::zombie_processes)]
fn start_child() {
    let child = Command::new("sleep").arg("1000").spawn().expect("sleep is everywhere");
    // Its number goes where the test finds it.
    if let Ok(file) = std::env::var("MOCK_CHILD_FILE") {
        std::fs::write(file, child.id().to_string()).expect("a file to write to");
    }
}

impl Mock {
    fn hear_gtp(&mut self, words: &[&str]) {
        match *words {
            ["list_commands"] => say("= clear_board\nplay\ngenmove\ntime_settings\ntime_left\n\n"),
            ["time_settings" | "time_left", .., _, time, _]
                if self.behaviour == "whole" && time.contains('.') =>
            {
                say("? syntax error\n\n");
            }
            ["clear_board"] => {
                (self.game, self.moves) = (Game::default(), 0);
                say("=\n\n");
            }
            ["play", _, mv] => match mv.parse().map(|mv| self.game.play_after_pass(mv)) {
                Ok(Ok(())) => say("=\n\n"),
                _ => say("? illegal move\n\n"),
            },
            ["genmove", color] => {
                let color = if color == "b" { Color::Black } else { Color::White };
                if self.game.position().mover != color {
                    let _ = self.game.play(Move::Pass);
                }
                let answer = self.answer();
                if let Ok(mv) = answer.parse() {
                    let _ = self.game.play(mv);
                }
                say(&format!("= {answer}\n\n"));
            }
            _ => say("=\n\n"),
        }
    }

    fn hear_nboard(&mut self, line: &str, words: &[&str]) {
        match *words {
            ["set", "game", ..] => {
                let text = line.trim_start_matches("set game ");
                let mut games = discern_records::ggf::GgfReader::new(text.as_bytes());
                if let Some(Ok(record)) = games.next() {
                    // A new game when it is shorter than the last one.
                    if record.game.plies().len() < self.game.plies().len() {
                        self.moves = 0;
                    }
                    self.game = record.game;
                }
            }
            ["ping", number] => say(&format!("pong {number}\n")),
            ["go"] => {
                let name = self.answer();
                say(&format!("status thinking\nsearch {name} 1.5 0 7\n=== {name}/1.50/0.01\n"));
            }
            _ => {}
        }
    }

    /// The move of a fixed rule, or worse.
    fn answer(&mut self) -> String {
        self.moves += 1;
        if self.moves >= self.at
            && let Some(worse) = self.misbehave()
        {
            return worse.to_owned();
        }
        let squares: Vec<_> = self.game.position().board.moves().squares().collect();
        match squares.len() {
            0 => "pass".to_owned(),
            n => squares[self.game.plies().len() * 7 % n].to_string(),
        }
    }

    /// What is answered instead of a move, if it comes to an answer.
    fn misbehave(&self) -> Option<&'static str> {
        match self.behaviour.as_str() {
            "illegal" => return Some("d4"),
            "rubbish" => return Some("k9?"),
            "resign" => return Some("resign"),
            "silent" => sleep_for_ever(),
            "slow" => std::thread::sleep(Duration::from_millis(400)),
            "crash" => {
                eprintln!("the mock has had enough");
                exit(3);
            }
            "talkative" => (0..10_000).for_each(|_| eprintln!("{}", "chatter ".repeat(13))),
            "orphan" => {
                start_child();
                exit(0);
            }
            "endless" => loop {
                say(&"x".repeat(10_000));
            },
            _ => {}
        }
        None
    }
}
