use std::io::{self, BufRead, BufReader, Write};
use std::time::Duration;

use discern_board::{Color, Dice, Game, Move, Position, Square};
use discern_records::sgf::SgfReader;
use discern_search::{Engine, Limits, StopFlag};

use crate::book::OpenBook;

use super::gtp_clock::{GtpClock, TimeMeaning};
use super::lines::{InputLine, read_line};

/// The longest command line.
const MAX_LINE: usize = 1 << 16;

/// All commands, in the order `list_commands` tells them.
const COMMANDS: [&str; 26] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "loadsgf",
    "final_score",
    "set_game",
    "list_games",
    "gogui-rules_game_id",
    "gogui-rules_board_size",
    "gogui-rules_board",
    "gogui-rules_side_to_move",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
];

/// Our engine behind the Go Text Protocol, version 2, for Othello.
///
/// One answer per command, in order; a command that arrives during a search
/// waits for its end.
pub struct GtpServer {
    engine: Box<dyn Engine>,
    /// Limits that hold whatever the controller says.
    limits: Limits,
    meaning: TimeMeaning,
    version: String,
    game: Game,
    /// Plies before each command that played, for undo: a command may have
    /// added a silent pass.
    marks: Vec<usize>,
    clocks: [Option<GtpClock>; 2],
    book: Option<OpenBook>,
    dice: Dice,
}

type Answer = Result<String, String>;

fn done() -> Answer {
    Ok(String::new())
}

fn refuse(text: &str) -> Answer {
    Err(text.to_owned())
}

impl GtpServer {
    /// A server around this engine. `limits` hold for every move; their time
    /// only until the controller sets a clock.
    pub fn new(
        engine: Box<dyn Engine>,
        limits: Limits,
        meaning: TimeMeaning,
        version: &str,
    ) -> GtpServer {
        GtpServer {
            engine,
            limits,
            meaning,
            version: version.to_owned(),
            game: Game::default(),
            marks: Vec::new(),
            clocks: [None; 2],
            book: None,
            dice: Dice::new(&[]),
        }
    }

    /// The same server with an opening book, whose moves depend on the seed.
    pub fn with_book(self, book: Option<OpenBook>, seed: u64) -> GtpServer {
        GtpServer { book, dice: Dice::new(&[seed]), ..self }
    }

    /// Answers commands until `quit` or the end of the input.
    pub fn serve(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        while let Some(line) = read_line(&mut input, MAX_LINE)? {
            let line = match line {
                InputLine::Text(text) => cleaned(&text),
                InputLine::TooLong => {
                    write!(output, "? line too long\n\n")?;
                    output.flush()?;
                    continue;
                }
            };
            let mut words = line.split_whitespace().peekable();
            let is_id = |word: &&str| word.chars().all(|symbol| symbol.is_ascii_digit());
            let id = words.next_if(is_id).unwrap_or("");
            let Some(command) = words.next() else {
                if !id.is_empty() {
                    write!(output, "?{id} unknown command\n\n")?;
                    output.flush()?;
                }
                continue;
            };
            let arguments: Vec<&str> = words.collect();
            match self.answer(command, &arguments) {
                Ok(text) if text.is_empty() => write!(output, "={id}\n\n")?,
                // A text of several lines begins on a line of its own.
                Ok(text) if text.starts_with('\n') => write!(output, "={id}{text}\n\n")?,
                Ok(text) => write!(output, "={id} {text}\n\n")?,
                Err(text) => write!(output, "?{id} {text}\n\n")?,
            }
            output.flush()?;
            if command == "quit" {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok("Discern".into()),
            ("version", _) => Ok(self.version.clone()),
            ("known_command", [name, ..]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit" | "komi", _) => done(),
            ("boardsize", [size, ..]) => match size.parse::<i64>() {
                Ok(8) => {
                    self.restart(Game::default());
                    done()
                }
                Ok(_) => refuse("unacceptable size"),
                Err(_) => refuse("boardsize not an integer"),
            },
            ("clear_board", _) => {
                self.restart(Game::default());
                done()
            }
            ("play", [color, mv]) => self.play(parse_color(color)?, mv),
            ("genmove", [color]) => self.generate(parse_color(color)?, true),
            ("reg_genmove", [color]) => self.generate(parse_color(color)?, false),
            ("undo", _) => self.undo(),
            ("time_settings", [main, period, stones]) => {
                let (main, period) = (parse_seconds(main)?, parse_seconds(period)?);
                let stones = parse_count(stones)?;
                self.clocks = [GtpClock::new(self.meaning, main, period, stones); 2];
                done()
            }
            ("time_left", [color, left, stones]) => {
                let (left, stones) = (parse_seconds(left)?, parse_count(stones)?);
                let clock = &mut self.clocks[parse_color(color)? as usize];
                // A clock nobody has set is one without periods.
                *clock = clock.or(GtpClock::new(self.meaning, left, Duration::ZERO, 0));
                if let Some(clock) = clock {
                    clock.set_left(left, stones);
                }
                done()
            }
            ("showboard", _) => Ok(format!("\n{}", self.drawn())),
            ("loadsgf", [file]) => self.load(file, None),
            ("loadsgf", [file, number]) => self.load(file, Some(parse_count(number)? as usize)),
            ("final_score", _) => match self.game.score_black().map(|score| score.discs()) {
                None => refuse("the game is not over"),
                Some(0) => Ok("0".into()),
                Some(discs @ 1..) => Ok(format!("B+{discs}")),
                Some(discs) => Ok(format!("W+{}", -discs)),
            },
            ("set_game", ["Othello"]) => done(),
            ("set_game", [_, ..]) => refuse("unsupported game"),
            ("list_games" | "gogui-rules_game_id", _) => Ok("Othello".into()),
            ("gogui-rules_board_size", _) => Ok("8".into()),
            ("gogui-rules_board", _) => Ok(self.rows()),
            ("gogui-rules_side_to_move", _) => Ok(self.game.position().mover.to_string()),
            ("gogui-rules_legal_moves", _) => Ok(self.legal_moves()),
            ("gogui-rules_final_result", _) => Ok(self.result()),
            (known, _) if COMMANDS.contains(&known) => refuse("syntax error"),
            _ => refuse("unknown command"),
        }
    }

    fn restart(&mut self, game: Game) {
        self.marks.clear();
        self.game = game;
        self.engine.forget();
    }

    /// Gives this colour the turn: a side without a move passes silently.
    fn give_turn(&mut self, color: Color) -> Result<(), String> {
        let position = self.game.position();
        if position.mover == color {
            return Ok(());
        }
        if !position.board.must_pass() {
            return Err("wrong color".to_owned());
        }
        self.game.play(Move::Pass).map_err(|_| "wrong color".to_owned())
    }

    /// Takes plies back until so many are left.
    fn back_to(&mut self, plies: usize) {
        while self.game.plies().len() > plies {
            self.game.undo();
        }
    }

    fn play(&mut self, color: Color, mv: &str) -> Answer {
        let mv = parse_move(mv).ok_or("syntax error")?;
        let before = self.game.plies().len();
        if self.game.is_over() {
            return refuse("illegal move");
        }
        // A pass of the side that has just passed silently in our eyes.
        self.give_turn(color)?;
        if self.game.play(mv).is_err() {
            self.back_to(before);
            return refuse("illegal move");
        }
        self.marks.push(before);
        done()
    }

    fn generate(&mut self, color: Color, keep: bool) -> Answer {
        if self.game.is_over() {
            return Ok("pass".into());
        }
        let before = self.game.plies().len();
        self.give_turn(color)?;
        let board = self.game.position().board;
        let mv = if board.must_pass() { Move::Pass } else { self.think(color, keep)? };
        if keep {
            self.game.play(mv).map_err(|illegal| illegal.to_string())?;
            self.marks.push(before);
        } else {
            self.back_to(before);
        }
        Ok(mv.to_string())
    }

    fn think(&mut self, color: Color, keep: bool) -> Result<Move, String> {
        let board = self.game.position().board;
        if let Some(book) = &self.book {
            let found = book.choose(&board, &mut self.dice);
            if let Some(mv) = found.map_err(|error| format!("the book: {error}"))? {
                return Ok(mv.square.into());
            }
        }
        let clock = &mut self.clocks[color as usize];
        let time = match clock {
            Some(clock) => Some(clock.move_time(board.empties())),
            None => self.limits.time,
        };
        let limits = Limits { time, ..self.limits };
        let report = self.engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        if let (Some(clock), true) = (clock, keep) {
            clock.spend(report.time);
        }
        Ok(report.best().map_or(Move::Pass, |line| line.mv))
    }

    fn undo(&mut self) -> Answer {
        let Some(plies) = self.marks.pop() else { return refuse("cannot undo") };
        self.back_to(plies);
        done()
    }

    /// Loads a game; with a number, the position before that move.
    fn load(&mut self, file: &str, number: Option<usize>) -> Answer {
        let fault = |_| "cannot load file".to_owned();
        let mut games = SgfReader::new(BufReader::new(discern_files::open(file).map_err(fault)?));
        let Some(Ok(record)) = games.next() else { return refuse("cannot load file") };
        self.restart(record.game);
        self.marks = (0..self.game.plies().len()).collect();
        if let Some(number) = number {
            self.back_to(number.saturating_sub(1));
            self.marks.truncate(self.game.plies().len());
        }
        done()
    }

    fn drawn(&self) -> String {
        let Position { board, mover } = self.game.position();
        let count = |color| self.game.position().discs_of(color).count();
        let counts = format!("X {}  O {}", count(Color::Black), count(Color::White));
        format!("{}{counts}  {mover} to move", board.draw(mover))
    }

    fn rows(&self) -> String {
        let Position { board, mover } = self.game.position();
        let symbol = |square| board.disc(square, mover).map_or('.', Color::symbol);
        let row =
            |row: usize| (0..8).map(move |column| Square::at(column, row)).collect::<Vec<_>>();
        let line = |squares: Vec<Option<Square>>| {
            let symbols: Vec<String> =
                squares.into_iter().flatten().map(|square| symbol(square).to_string()).collect();
            symbols.join(" ")
        };
        (0..8).map(|index| format!("\n{}", line(row(index)))).collect()
    }

    fn legal_moves(&self) -> String {
        let board = self.game.position().board;
        if board.must_pass() {
            return "pass".into();
        }
        board.moves().squares().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn result(&self) -> String {
        match self.game.score_black().map(|score| score.discs()) {
            None => "The game is not over.".into(),
            Some(0) => "The game is a draw.".into(),
            Some(discs @ 1..) => format!("Black wins by {discs}."),
            Some(discs) => format!("White wins by {}.", -discs),
        }
    }
}

/// Control characters dropped, tabs as blanks, comments cut off.
fn cleaned(line: &str) -> String {
    let line = line.split('#').next().unwrap_or("");
    line.chars()
        .map(|symbol| if symbol == '\t' { ' ' } else { symbol })
        .filter(|symbol| !symbol.is_control())
        .collect()
}

fn parse_color(word: &str) -> Result<Color, String> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err("syntax error".into()),
    }
}

/// A square or `pass`; other words for a pass are not GTP.
fn parse_move(word: &str) -> Option<Move> {
    if word.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    word.parse::<Square>().ok().map(Move::Place)
}

fn parse_seconds(word: &str) -> Result<Duration, String> {
    let seconds = word.parse::<f64>().ok().filter(|seconds| (0.0..=1e7).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "syntax error".into())
}

fn parse_count(word: &str) -> Result<u32, String> {
    word.parse().map_err(|_| "syntax error".into())
}
