use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use discern_board::{Board, Color, Dice, Game, Move};
use discern_book::{BookMove, Grade, Step, Worth, step};
use discern_records::archive::ArchiveWriter;
use discern_records::{GameRecord, MoveNote, ggf};
use discern_search::{Certainty, Clock, Engine, Limits, Line, Report, StopFlag};

use crate::book::OpenBook;

use super::interrupt::{Interrupts, Patience, Wish};
use super::lines::{InputLine, read_line};

/// The longest command: a game with remarks on every move.
const MAX_LINE: usize = 1 << 20;
/// Commands that may wait; who sends more has to wait himself.
const MAX_WAITING: usize = 256;

/// Our engine behind the NBoard protocol, version 2.
///
/// Input is read by a thread of its own, so a ping ends a search at once.
/// Evaluations are told in discs; see [`Value::discs`](discern_eval::Value::discs).
pub struct NBoardServer {
    engine: Box<dyn Engine>,
    limits: Limits,
    depth: u32,
    contempt: i32,
    record: GameRecord,
    learned: Option<PathBuf>,
    book: Option<OpenBook>,
    dice: Dice,
    teacher: Option<Teacher>,
}

/// Enters a game into the book and hands out the new one, or says in a
/// sentence why not.
pub type Teacher = Box<dyn FnMut(&GameRecord) -> Result<Option<OpenBook>, String>>;

/// What came in, and as which line.
struct Command {
    line: u64,
    text: String,
}

impl NBoardServer {
    /// A server around this engine that looks `depth` plies ahead until told
    /// otherwise. `limits` may bound nodes. Games to learn from are added to
    /// the archive `learned`.
    pub fn new(
        engine: Box<dyn Engine>,
        limits: Limits,
        depth: u32,
        learned: Option<PathBuf>,
    ) -> NBoardServer {
        let record = GameRecord::new(Game::default());
        NBoardServer {
            engine,
            limits,
            depth,
            contempt: 0,
            record,
            learned,
            book: None,
            dice: Dice::new(&[]),
            teacher: None,
        }
    }

    /// The same server with an opening book, whose moves depend on the seed,
    /// and somebody who enters games into it on `learn`.
    pub fn with_book(
        self,
        book: Option<OpenBook>,
        seed: u64,
        teacher: Option<Teacher>,
    ) -> NBoardServer {
        NBoardServer { book, dice: Dice::new(&[seed]), teacher, ..self }
    }

    /// Answers commands until `quit` or the end of the input.
    pub fn serve(
        &mut self,
        input: impl Read + Send + 'static,
        mut output: impl Write,
    ) -> io::Result<()> {
        let interrupts = Interrupts::default();
        let (sender, commands) = sync_channel(MAX_WAITING);
        let reader = interrupts.clone();
        // Not joined: after `quit` it may be waiting for input for ever.
        thread::spawn(move || listen(BufReader::new(input), &sender, &reader));
        for Command { line, text } in commands {
            let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((&text, ""));
            let rest = rest.trim();
            match word {
                "quit" => break,
                "ping" => self.say(&mut output, &format!("pong {}", first_word(rest)))?,
                "set" => self.set(rest, &mut output)?,
                "move" => self.play(rest, &mut output)?,
                "hint" => {
                    let stop = interrupts.begin(line, Patience::Yielding);
                    self.hint(rest.parse().unwrap_or(1), &stop, &mut output)?;
                }
                "go" => self.go(&interrupts.begin(line, Patience::Firm), &mut output)?,
                "analyze" => {
                    self.analyze(&interrupts.begin(line, Patience::Yielding), &mut output)?;
                }
                "learn" => self.learn(&mut output)?,
                // Also `nboard n`: the versions do not differ for us.
                _ => {}
            }
        }
        Ok(())
    }

    fn say(&self, output: &mut impl Write, line: &str) -> io::Result<()> {
        writeln!(output, "{line}")?;
        output.flush()
    }

    fn set(&mut self, rest: &str, output: &mut impl Write) -> io::Result<()> {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let value = value.trim();
        match what {
            "depth" => {
                if let Ok(depth @ 1..) = value.parse::<u32>() {
                    self.depth = depth.min(60);
                    self.say(output, &format!("set myname Discern{}", self.depth))?;
                }
            }
            "contempt" => self.contempt = value.parse().unwrap_or(self.contempt),
            "game" => match ggf::GgfReader::new(value.as_bytes()).next() {
                Some(Ok(record)) => {
                    // Another game: what is remembered of the last one only
                    // takes room.
                    if record.game.plies().is_empty() {
                        self.engine.forget();
                    }
                    self.record = record;
                }
                Some(Err(fault)) => self.say(output, &format!("status {}", fault.reason))?,
                None => self.say(output, "status no game after set game")?,
            },
            _ => {}
        }
        Ok(())
    }

    /// `F5`, `F5/1.5`, `F5//2.1`, `PA`.
    fn play(&mut self, text: &str, output: &mut impl Write) -> io::Result<()> {
        let mut fields = text.split('/');
        let mv = fields.next().and_then(|word| word.trim().parse::<Move>().ok());
        let seconds = fields.nth(1).and_then(|word| word.trim().parse::<f64>().ok());
        let time_ms =
            seconds.filter(|s| (0.0..1e6).contains(s)).map(|seconds| (seconds * 1e3) as u64);
        let before = self.record.game.plies().len();
        let played = mv.map(|mv| self.record.game.play_after_pass(mv));
        if !matches!(played, Some(Ok(()))) {
            return self.say(output, &format!("status '{}' is not a legal move", shown(text)));
        }
        self.record.notes.resize(before, MoveNote::default());
        self.record.notes.resize(self.record.game.plies().len(), MoveNote::default());
        if let Some(note) = self.record.notes.last_mut() {
            note.time_ms = time_ms;
        }
        Ok(())
    }

    fn hint(&mut self, lines: usize, stop: &StopFlag, output: &mut impl Write) -> io::Result<()> {
        let board = self.record.game.position().board;
        if board.is_over() {
            return self.say(output, "status the game is over");
        }
        self.tell_book(&board, lines, output)?;
        self.say(output, "status thinking")?;
        let limits = Limits { lines: lines.clamp(1, 64), ..self.depth_limits() };
        let (report, written) = self.search(&board, &limits, stop, output);
        written?;
        self.tell_nodes(&report, output)?;
        self.say(output, "status")
    }

    fn go(&mut self, stop: &StopFlag, output: &mut impl Write) -> io::Result<()> {
        let position = self.record.game.position();
        if position.board.is_over() {
            return self.say(output, "status the game is over");
        }
        if let Some(book) = &self.book {
            match book.choose(&position.board, &mut self.dice) {
                Ok(Some(mv)) => {
                    let value = self.told_book(&mv);
                    let name = name(mv.square.into());
                    return self.say(output, &format!("=== {name}/{value}/0.00"));
                }
                Ok(None) => {}
                Err(error) => return self.say(output, &format!("status the book: {error}")),
            }
        }
        let mut limits = self.depth_limits();
        limits.time =
            self.clock(position.mover).map(|clock| clock.move_time(position.board.empties()));
        let (report, written) = self.search(&position.board, &limits, stop, output);
        written?;
        self.tell_nodes(&report, output)?;
        if let Some(line) = report.best() {
            let (value, seconds) = (self.told(line), report.time.as_secs_f64());
            self.say(output, &format!("=== {}/{value}/{seconds:.2}", name(line.mv)))?;
        }
        Ok(())
    }

    /// `book {pv} {eval} {games} {depth}` for the best moves of the book.
    fn tell_book(&self, board: &Board, lines: usize, output: &mut impl Write) -> io::Result<()> {
        let Some(book) = &self.book else { return Ok(()) };
        let found = match book.find(board) {
            Ok(found) => found,
            Err(error) => return self.say(output, &format!("status the book: {error}")),
        };
        for mv in found.iter().flat_map(|found| &found.moves).take(lines.max(1)) {
            let games = match step(board, mv.square) {
                Step::Position { board, .. } => book.find(&board).ok().flatten(),
                Step::Over(_) => None,
            };
            let games = games.map_or(0, |found| found.games.total());
            let depth = match mv.grade {
                Grade::Depth(depth) => depth.to_string(),
                Grade::Outcome => "100%W".to_owned(),
                Grade::Score => "100%".to_owned(),
            };
            let (name, value) = (name(mv.square.into()), self.told_book(mv));
            self.say(output, &format!("book {name} {value} {games} {depth}"))?;
        }
        Ok(())
    }

    /// The value of a book move in discs. NBoard takes two values, one for a
    /// mover who seeks draws and one for a mover who avoids them.
    fn told_book(&self, mv: &BookMove) -> String {
        let discs = |worth: Worth| match worth.score() {
            Some(score) => f64::from(score.discs()),
            None => worth.value().discs(),
        };
        let (seek, avoid) = (discs(mv.worths.seek), discs(mv.worths.avoid));
        match seek > avoid {
            true => format!("{seek:.2},{avoid:.2}"),
            false => format!("{:.2}", discs(mv.worths.even)),
        }
    }

    /// The value of every position of the game, from its mover's view.
    fn analyze(&mut self, stop: &StopFlag, output: &mut impl Write) -> io::Result<()> {
        let boards: Vec<Board> = self.record.game.boards().collect();
        for (index, board) in boards.iter().enumerate() {
            let value = if board.is_over() {
                format!("{:.2}", f64::from(board.final_score().discs()))
            } else {
                let limits = self.depth_limits();
                let report = self.engine.search(board, &limits, stop, &mut |_| {});
                if stop.is_stopped() {
                    return Ok(());
                }
                report.best().map_or("0.00".into(), |line| self.told(line))
            };
            self.say(output, &format!("analysis {index} {value}"))?;
        }
        Ok(())
    }

    fn learn(&mut self, output: &mut impl Write) -> io::Result<()> {
        if let Some(teacher) = &mut self.teacher {
            match teacher(&self.record) {
                Ok(book) => self.book = book.or(self.book.take()),
                Err(error) => self.say(output, &format!("status {error}"))?,
            }
        }
        let status = match &self.learned {
            None if self.teacher.is_some() => None,
            None => {
                Some("nothing to learn with: start with --book FILE or --learn FILE".to_owned())
            }
            Some(path) => {
                let mut record = GameRecord::new(self.record.game.clone());
                record.players = self.record.players.clone();
                let store = || {
                    let mut archive = ArchiveWriter::open_or_create(path)?;
                    archive.append(&record)?;
                    archive.commit()
                };
                store().err().map(|error| format!("{}: {error}", path.display()))
            }
        };
        if let Some(status) = status {
            self.say(output, &format!("status {status}"))?;
        }
        self.say(output, "learned")
    }

    /// Searches and tells every step on the way.
    fn search(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &StopFlag,
        output: &mut impl Write,
    ) -> (Report, io::Result<()>) {
        let told = Told { contempt: self.contempt, mover: self.record.game.position().mover };
        let mut written = Ok(());
        let report = self.engine.search(board, limits, stop, &mut |report| {
            if written.is_ok() && !stop.is_stopped() {
                written = tell_lines(report, &told, output);
                if written.is_err() {
                    // Nobody listens any more.
                    stop.stop();
                }
            }
        });
        (report, written)
    }

    fn tell_nodes(&self, report: &Report, output: &mut impl Write) -> io::Result<()> {
        let seconds = report.time.as_secs_f64();
        self.say(output, &format!("nodestats {} {seconds:.2}", report.nodes))
    }

    fn told(&self, line: &Line) -> String {
        let mover = self.record.game.position().mover;
        Told { contempt: self.contempt, mover }.value(line)
    }

    /// Depth `n` solves endgames of that many empty squares.
    fn depth_limits(&self) -> Limits {
        Limits { nodes: self.limits.nodes, ..Limits::depth(self.depth) }
    }

    /// What the game says is left on a side's clock. Many programs write a
    /// clock of no time at all when there is none.
    fn clock(&self, color: Color) -> Option<Clock> {
        let clock = self.record.players[color].limits.clock?;
        if clock.main_ms == 0 && clock.increment_ms == 0 {
            return None;
        }
        let plies = self.record.game.plies().iter().zip(&self.record.notes);
        let mine = plies.filter(|(ply, _)| ply.before.mover == color);
        let (mut used, mut moves) = (0, 0);
        for (_, note) in mine {
            used += note.time_ms.unwrap_or(0);
            moves += 1;
        }
        let all = clock.main_ms + clock.increment_ms * moves;
        Some(Clock {
            left: Duration::from_millis(all.saturating_sub(used)),
            increment: Duration::from_millis(clock.increment_ms),
        })
    }
}

/// How values are told: a draw is worth the contempt, in hundredths of a disc
/// for Black. It does not change the play, since where draws are known the
/// other moves are known to win or to lose.
struct Told {
    contempt: i32,
    mover: Color,
}

impl Told {
    fn value(&self, line: &Line) -> String {
        let mut discs = line.value.discs();
        if line.outcome() == Some(discern_board::Outcome::Draw) {
            let for_black = f64::from(self.contempt) / 100.0;
            discs = if self.mover == Color::Black { for_black } else { -for_black };
        }
        format!("{discs:.2}")
    }
}

/// `search {pv} {eval} 0 {depth}` for every line.
fn tell_lines(report: &Report, told: &Told, output: &mut impl Write) -> io::Result<()> {
    for line in &report.lines {
        let depth = match line.certainty {
            Certainty::Depth(depth) => depth.to_string(),
            Certainty::Outcome => "100%W".to_owned(),
            Certainty::Score => "100%".to_owned(),
        };
        let pv: String = line.pv.iter().map(|&mv| name(mv)).collect();
        writeln!(output, "search {pv} {} 0 {depth}", told.value(line))?;
    }
    output.flush()
}

/// Two characters.
fn name(mv: Move) -> String {
    mv.square().map_or("PA".to_owned(), |square| square.to_string().to_uppercase())
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// The beginning of something unreadable.
fn shown(text: &str) -> String {
    text.chars().filter(|symbol| !symbol.is_control()).take(40).collect()
}

/// Reads commands and lets them interrupt.
fn listen(mut input: impl BufRead, sender: &SyncSender<Command>, interrupts: &Interrupts) {
    for line in 1.. {
        let text = match read_line(&mut input, MAX_LINE) {
            Ok(Some(InputLine::Text(text))) => text.trim().to_owned(),
            Ok(Some(InputLine::TooLong)) => continue,
            Ok(None) | Err(_) => {
                interrupts.heard(line, Wish::Stop);
                return;
            }
        };
        interrupts.heard(line, wish(&text));
        if sender.send(Command { line, text }).is_err() {
            return;
        }
    }
}

fn wish(text: &str) -> Wish {
    match first_word(text) {
        "ping" | "quit" => Wish::Stop,
        "hint" | "go" | "analyze" | "learn" | "move" | "set" => Wish::New,
        _ => Wish::None,
    }
}
