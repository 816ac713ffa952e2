use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use discern_board::{Color, Dice, Game, Move, Outcome, Square};
use discern_book::BookMove;
use discern_players::{Level, OpenBook, Randomness};
use discern_records::{Format, GameRecord, NewGameFile, Player};
use discern_search::{Certainty, Engine, Limits, Line, StopFlag};

use crate::engine_args::{BookArgs, EngineArgs, ThinkArgs};
use crate::positions::parse_game;

/// Play a game against the engine in the terminal.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern play                          you are black, one second a move
  discern play --level club             an opponent of your strength, never the same game twice
  discern play --color white --depth 4  an easier opponent that begins
  discern play --from f5d6c3d3c4        go on from here")]
pub struct Args {
    /// Your colour
    #[arg(long, value_enum, default_value_t = Side::Black)]
    color: Side,
    /// How strong the engine plays, in the place of --depth, --time and --model: beginner, novice,
    /// casual, club, strong, expert, master or champion
    #[arg(long, value_name = "NAME", value_parser = level, conflicts_with_all = ["depth", "time", "model"])]
    level: Option<&'static Level>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
    #[command(flatten)]
    think: ThinkArgs,
    /// Moves played so far, or a position
    #[arg(long, value_name = "POSITION_OR_MOVES", default_value = "", allow_hyphen_values = true)]
    from: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    Black,
    White,
    /// Play both sides yourself, with hints
    Both,
    /// Watch the engine play itself
    None,
}

impl Side {
    fn plays(self, color: Color) -> bool {
        match self {
            Side::Black => color == Color::Black,
            Side::White => color == Color::White,
            Side::Both => true,
            Side::None => false,
        }
    }
}

fn level(name: &str) -> Result<&'static Level, String> {
    Level::named(name).ok_or_else(|| format!("there is no level '{name}' ({})", Level::names()))
}

const HELP: &str = "\
  f5      put a disc there (dots show the legal squares)
  undo    take back your last move and the answer to it
  hint    ask the engine for the best moves
  moves   the game so far
  save F  store the game in the file F (.ggf, .sgf, .txt …)
  resign  give up
  help    this list
  quit    leave";

pub fn run(args: Args) -> Result<()> {
    let (limits, randomness) = match args.level {
        Some(level) => {
            let player = level.player();
            (player.search_limits()?, player.randomness)
        }
        None => (args.think.limits(), None),
    };
    let out = std::io::stdout();
    let mut table = Table {
        game: parse_game(&args.from)?,
        engine: args.engine.engine()?,
        opponent: args.level.map_or("engine", |level| level.name),
        // A level plays its own openings, unless a book is named.
        book: match (args.level, args.book.file()) {
            (Some(_), None) => None,
            _ => args.book.open()?,
        },
        limits,
        randomness,
        // Another game every time unless a seed is given: the point of a
        // level, and of a book.
        dice: Dice::new(&[args.book.seed()]),
        side: args.color,
        colors: out.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        resigned: None,
        out,
    };
    table.play(std::io::stdin().lock())
}

/// The board between the two players.
struct Table {
    game: Game,
    engine: Box<dyn Engine>,
    opponent: &'static str,
    book: Option<OpenBook>,
    limits: Limits,
    randomness: Option<Randomness>,
    dice: Dice,
    side: Side,
    /// May the terminal show colours?
    colors: bool,
    resigned: Option<Color>,
    out: std::io::Stdout,
}

/// What the person at the terminal wants.
enum Wish {
    Place(Move),
    Undo,
    Hint,
    Moves,
    Save(String),
    Resign,
    Help,
    Quit,
}

impl Wish {
    fn parse(text: &str) -> Result<Wish, String> {
        let text = text.trim();
        if let Some(file) = text.strip_prefix("save ") {
            return Ok(Wish::Save(file.trim().to_owned()));
        }
        match text.to_lowercase().as_str() {
            "resign" => Ok(Wish::Resign),
            "undo" | "u" => Ok(Wish::Undo),
            "hint" | "h" => Ok(Wish::Hint),
            "moves" | "m" => Ok(Wish::Moves),
            "help" | "?" => Ok(Wish::Help),
            "quit" | "q" | "exit" => Ok(Wish::Quit),
            word => word.parse().map(Wish::Place).map_err(|_| {
                format!("I do not understand '{word}'; try a square like f5, or help")
            }),
        }
    }
}

impl Table {
    fn play(&mut self, mut input: impl BufRead) -> Result<()> {
        self.draw()?;
        while !self.game.is_over() && self.resigned.is_none() {
            let position = self.game.position();
            if position.board.must_pass() {
                writeln!(self.out, "{} has no move and passes.", position.mover)?;
                self.game.play(Move::Pass)?;
            } else if self.side.plays(position.mover) {
                if !self.ask(&mut input)? {
                    writeln!(self.out, "So far: {}", self.game)?;
                    return Ok(());
                }
            } else {
                self.answer()?;
            }
        }
        self.tell_result()
    }

    fn draw(&mut self) -> Result<()> {
        let position = self.game.position();
        let count = |color| position.discs_of(color).count();
        let drawn = position.board.draw(position.mover);
        let last = self.game.moves().filter_map(Move::square).last();
        match self.colors {
            true => writeln!(self.out, "\n{}", colored(&drawn, last))?,
            false => writeln!(self.out, "\n{drawn}")?,
        }
        if let Some(last) = last {
            writeln!(self.out, "last move {last}")?;
        }
        writeln!(self.out, "X black {}   O white {}", count(Color::Black), count(Color::White))?;
        Ok(())
    }

    /// Carries out one wish of the person; `false` to leave.
    fn ask(&mut self, input: &mut impl BufRead) -> Result<bool> {
        let mover = self.game.position().mover;
        write!(self.out, "{mover}, your move (or help): ")?;
        self.out.flush()?;
        let mut text = String::new();
        if input.read_line(&mut text)? == 0 {
            writeln!(self.out)?;
            return Ok(false);
        }
        if !std::io::stdin().is_terminal() {
            // Nobody typed a newline that the terminal would have shown.
            writeln!(self.out)?;
        }
        match Wish::parse(&text) {
            Err(message) => writeln!(self.out, "{message}")?,
            Ok(Wish::Help) => writeln!(self.out, "{HELP}")?,
            Ok(Wish::Quit) => return Ok(false),
            Ok(Wish::Moves) => writeln!(self.out, "{}", self.game)?,
            Ok(Wish::Save(file)) => self.save(&file)?,
            Ok(Wish::Resign) => self.resigned = Some(mover),
            Ok(Wish::Hint) => self.hint()?,
            Ok(Wish::Undo) => self.undo()?,
            Ok(Wish::Place(mv)) => match self.game.play(mv) {
                Ok(()) => self.draw()?,
                Err(error) => writeln!(self.out, "{error}; the dots show where you can play")?,
            },
        }
        Ok(true)
    }

    /// Goes back to the person's previous decision.
    fn undo(&mut self) -> Result<()> {
        let decision = self
            .game
            .plies()
            .iter()
            .rposition(|ply| self.side.plays(ply.before.mover) && ply.mv != Move::Pass);
        let Some(decision) = decision else {
            writeln!(self.out, "There is nothing to take back.")?;
            return Ok(());
        };
        while self.game.plies().len() > decision {
            self.game.undo();
        }
        self.draw()
    }

    /// Stores the game; what goes wrong is said, and the game goes on.
    fn save(&mut self, file: &str) -> Result<()> {
        let name = |color: Color| if self.side.plays(color) { "You" } else { self.opponent };
        let mut record = GameRecord::new(self.game.clone());
        record.players.black = Player::named(name(Color::Black));
        record.players.white = Player::named(name(Color::White));
        let path = Path::new(file);
        let format = Format::from_path(path).unwrap_or(Format::Transcript);
        let stored = NewGameFile::create(path, format, false).and_then(|mut new| {
            new.append(&record)?;
            new.finish()
        });
        match stored {
            Ok(()) => writeln!(self.out, "Stored in {file}.")?,
            Err(error) => writeln!(self.out, "Not stored: {error}")?,
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<()> {
        let limits = Limits { lines: 3, ..self.limits };
        let board = self.game.position().board;
        if let Some(book) = &self.book {
            for mv in book.find(&board)?.iter().flat_map(|found| &found.moves).take(3) {
                writeln!(self.out, "  {:<3} {}", mv.square, describe_book(mv))?;
            }
        }
        let report = self.engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        for line in &report.lines {
            writeln!(self.out, "  {:<3} {}", line.mv, describe(line))?;
        }
        Ok(())
    }

    /// The engine moves.
    fn answer(&mut self) -> Result<()> {
        let position = self.game.position();
        let from_book = match &self.book {
            Some(book) => book.choose(&position.board, &mut self.dice)?,
            None => None,
        };
        if let Some(mv) = from_book {
            self.game.play(mv.square.into())?;
            self.draw()?;
            let described = describe_book(&mv);
            writeln!(self.out, "{} played {}: {described}", position.mover, mv.square)?;
            return Ok(());
        }
        let empties = position.board.empties();
        let dice = &mut self.dice;
        let strays = self.randomness.filter(|randomness| randomness.strays(empties, dice));
        let lines = strays.map_or(1, |randomness| randomness.moves as usize);
        let limits = Limits { lines, ..self.limits };
        let report = self.engine.search(&position.board, &limits, &StopFlag::new(), &mut |_| {});
        let chosen = strays.map_or(0, |randomness| randomness.choose(&report, dice));
        if let Some(line) = report.lines.get(chosen) {
            self.game.play(line.mv)?;
            self.draw()?;
            writeln!(self.out, "{} played {}: {}", position.mover, line.mv, describe(line))?;
        }
        Ok(())
    }

    fn tell_result(&mut self) -> Result<()> {
        if let Some(loser) = self.resigned {
            writeln!(self.out, "{loser} resigns: {} wins.", !loser)?;
        } else if let Some(score) = self.game.score_black() {
            match score.outcome() {
                Outcome::Win => writeln!(self.out, "Black wins by {}.", score.discs())?,
                Outcome::Loss => writeln!(self.out, "White wins by {}.", -score.discs())?,
                Outcome::Draw => writeln!(self.out, "A draw.")?,
            }
        }
        writeln!(self.out, "The game: {}", self.game)?;
        Ok(())
    }
}

/// The value of a book move in words, from its player's side.
fn describe_book(mv: &BookMove) -> String {
    let worth = mv.worths.even;
    match worth.outcome() {
        Some(outcome) => format!("from the book, {outcome} ({})", mv.grade),
        None => {
            let percent = 100.0 * worth.probability();
            format!("from the book, wins {percent:.0} % of the time ({})", mv.grade)
        }
    }
}

/// The value of a move in words, from its player's side.
fn describe(line: &Line) -> String {
    match (line.certainty, line.score(), line.outcome()) {
        (_, Some(score), _) => format!("proven, {score} discs"),
        (_, _, Some(outcome)) => format!("proven {outcome}"),
        (Certainty::Depth(depth), ..) => {
            format!("wins {:.0} % of the time (depth {depth})", 100.0 * line.value.probability())
        }
        _ => String::new(),
    }
}

/// The board with a green ground, black and white discs, and the last move
/// marked.
fn colored(drawn: &str, last: Option<Square>) -> String {
    let mut text = String::new();
    for (row, line) in drawn.lines().enumerate() {
        for (column, symbol) in line.chars().enumerate() {
            let is_last = row > 0
                && column >= 2
                && last.is_some_and(|square| square.index() == 8 * (row - 1) + (column - 2) / 2);
            let disc = match (row, symbol) {
                (0, _) => None,
                (_, 'X') => Some("\x1b[30;42m●"),
                (_, 'O') => Some("\x1b[97;42m●"),
                (_, '.') => Some("\x1b[93;42m·"),
                (_, '-') => Some("\x1b[32;42m "),
                _ if column > 0 => Some("\x1b[42m "),
                _ => None,
            };
            match disc {
                Some(disc) if is_last && column % 2 == 0 => {
                    text.push_str(&disc.replace("42m", "43m"));
                }
                Some(disc) => text.push_str(disc),
                None => text.push(symbol),
            }
        }
        text.push_str("\x1b[0m\n");
    }
    text
}
