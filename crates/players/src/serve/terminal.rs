use std::io::{self, Write};
use std::path::Path;

use discern_board::{Color, Dice, Game, Move, Outcome, Position, Square};
use discern_book::{BookError, BookMove};
use discern_records::{Ending, Format, GameRecord, NewGameFile, Player};
use discern_search::{Certainty, Engine, Limits, Line, StopFlag};

use super::prompt::Prompt;
use crate::{OpenBook, Randomness};

const HELP: &str = "\
  f5      put a disc there (dots show the legal squares)
  undo    take back your last move and the answer to it
  hint    ask the engine for the best moves
  moves   the game so far
  save F  store the game in the file F (.ggf, .sgf, .txt …), also after its end
  resign  give up
  help    this list
  quit    leave";

/// What a wish may begin with, besides a square.
const WORDS: [&str; 7] = ["undo", "hint", "moves", "save ", "resign", "help", "quit"];

/// A person and the engine at one board, as text.
pub struct GameTable {
    /// The game so far.
    pub game: Game,
    /// Who answers.
    pub engine: Box<dyn Engine>,
    /// What the engine is called.
    pub opponent: &'static str,
    /// Where its openings come from.
    pub book: Option<OpenBook>,
    /// How long it thinks.
    pub limits: Limits,
    /// How it strays from its best move.
    pub randomness: Option<Randomness>,
    /// Decides among book moves and where it strays.
    pub dice: Dice,
    /// Does a person play black, and white?
    pub persons: [bool; 2],
    /// May the board have colours?
    pub colors: bool,
}

/// Why a game ended before its end.
#[derive(Debug, thiserror::Error)]
pub enum GameTableError {
    /// Nobody reads or writes any more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The book is damaged.
    #[error(transparent)]
    Book(#[from] BookError),
}

type Result<T> = std::result::Result<T, GameTableError>;

impl GameTable {
    /// Words for the persons, and what they mean.
    pub const PERSONS: [(&str, &str, [bool; 2]); 4] = [
        ("black", "Play Black", [true, false]),
        ("white", "Play White", [false, true]),
        ("both", "Play both sides yourself, with hints", [true, true]),
        ("none", "Watch the engine play itself", [false, false]),
    ];

    /// Plays until the game is over, somebody resigns or leaves.
    ///
    /// # Errors
    /// If input or output fail, or the book.
    pub fn play(self, person: &mut dyn Prompt, out: impl Write) -> Result<()> {
        Table { table: self, resigned: None, out }.play(person)
    }

    fn is_person(&self, color: Color) -> bool {
        self.persons[color as usize]
    }
}

struct Table<W> {
    table: GameTable,
    resigned: Option<Color>,
    out: W,
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
    fn parse(text: &str) -> std::result::Result<Wish, String> {
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

impl<W: Write> Table<W> {
    fn play(&mut self, person: &mut dyn Prompt) -> Result<()> {
        self.draw()?;
        while !self.table.game.is_over() && self.resigned.is_none() {
            let position = self.table.game.position();
            if position.board.must_pass() {
                writeln!(self.out, "{} has no move and passes.", position.mover)?;
                self.play_move(Move::Pass);
            } else if self.table.is_person(position.mover) {
                if !self.ask(person)? {
                    writeln!(self.out, "So far: {}", self.table.game)?;
                    return Ok(());
                }
            } else {
                self.answer()?;
            }
        }
        self.print_result()?;
        self.after_the_game(person)
    }

    /// A game that is over can still be stored.
    fn after_the_game(&mut self, person: &mut dyn Prompt) -> Result<()> {
        let question = "save FILE stores the game, Enter leaves: ";
        while self.table.persons.contains(&true) {
            let words = ["save ", "moves", "quit"].map(str::to_owned).to_vec();
            match person.ask(question, words, &mut self.out)?.as_deref().map(str::trim) {
                None | Some("") => break,
                Some(text) => match Wish::parse(text) {
                    Ok(Wish::Save(file)) => self.save(&file)?,
                    Ok(Wish::Moves) => writeln!(self.out, "{}", self.table.game)?,
                    Ok(Wish::Quit) => break,
                    _ => writeln!(self.out, "The game is over.")?,
                },
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<()> {
        let position = self.table.game.position();
        let count = |color| position.discs_of(color).count();
        let drawn = position.board.draw(position.mover);
        let last = self.table.game.moves().filter_map(Move::square).last();
        match self.table.colors {
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
    fn ask(&mut self, person: &mut dyn Prompt) -> Result<bool> {
        let Position { board, mover } = self.table.game.position();
        let moves = board.moves().squares().map(|square| square.to_string());
        let words: Vec<String> = moves.chain(WORDS.map(str::to_owned)).collect();
        let question = format!("{mover}, your move (or help): ");
        let Some(text) = person.ask(&question, words, &mut self.out)? else {
            return Ok(false);
        };
        match Wish::parse(&text) {
            Err(message) => writeln!(self.out, "{message}")?,
            Ok(Wish::Help) => writeln!(self.out, "{HELP}")?,
            Ok(Wish::Quit) => return Ok(false),
            Ok(Wish::Moves) => writeln!(self.out, "{}", self.table.game)?,
            Ok(Wish::Save(file)) => self.save(&file)?,
            Ok(Wish::Resign) => self.resigned = Some(mover),
            Ok(Wish::Hint) => self.hint()?,
            Ok(Wish::Undo) => self.undo()?,
            Ok(Wish::Place(mv)) => match self.table.game.play(mv) {
                Ok(()) => self.draw()?,
                Err(error) => writeln!(self.out, "{error}; the dots show where you can play")?,
            },
        }
        Ok(true)
    }

    /// A move that is known to be legal.
    fn play_move(&mut self, mv: Move) {
        self.table.game.play(mv).expect("the book and the search know the rules");
    }

    /// Goes back to the person's previous decision.
    fn undo(&mut self) -> Result<()> {
        let decision = self
            .table
            .game
            .plies()
            .iter()
            .rposition(|ply| self.table.is_person(ply.before.mover) && ply.mv != Move::Pass);
        let Some(decision) = decision else {
            writeln!(self.out, "There is nothing to take back.")?;
            return Ok(());
        };
        while self.table.game.plies().len() > decision {
            self.table.game.undo();
        }
        self.draw()
    }

    /// Stores the game. What goes wrong is reported, and the game continues.
    fn save(&mut self, file: &str) -> Result<()> {
        let name =
            |color: Color| if self.table.is_person(color) { "You" } else { self.table.opponent };
        let mut record = GameRecord::new(self.table.game.clone());
        if self.resigned.is_some() {
            record.ending = Ending::Resigned;
        }
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
        let limits = Limits { lines: 3, ..self.table.limits };
        let board = self.table.game.position().board;
        if let Some(book) = &self.table.book {
            for mv in book.find(&board)?.iter().flat_map(|found| &found.moves).take(3) {
                writeln!(self.out, "  {:<3} {}", mv.square, describe_book(mv))?;
            }
        }
        let report = self.table.engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        for line in &report.lines {
            writeln!(self.out, "  {:<3} {}", line.mv, describe(line))?;
        }
        Ok(())
    }

    /// The engine moves.
    fn answer(&mut self) -> Result<()> {
        let position = self.table.game.position();
        let from_book = match &self.table.book {
            Some(book) => book.choose(&position.board, &mut self.table.dice)?,
            None => None,
        };
        if let Some(mv) = from_book {
            self.play_move(mv.square.into());
            self.draw()?;
            let described = describe_book(&mv);
            writeln!(self.out, "{} played {}: {described}", position.mover, mv.square)?;
            return Ok(());
        }
        let empties = position.board.empties();
        let dice = &mut self.table.dice;
        let strays = self.table.randomness.filter(|randomness| randomness.strays(empties, dice));
        let lines = strays.map_or(1, |randomness| randomness.moves as usize);
        let limits = Limits { lines, ..self.table.limits };
        let report =
            self.table.engine.search(&position.board, &limits, &StopFlag::new(), &mut |_| {});
        let chosen = strays.map_or(0, |randomness| randomness.choose(&report, dice));
        if let Some(line) = report.lines.get(chosen) {
            self.play_move(line.mv);
            self.draw()?;
            writeln!(self.out, "{} played {}: {}", position.mover, line.mv, describe(line))?;
        }
        Ok(())
    }

    fn print_result(&mut self) -> Result<()> {
        if let Some(loser) = self.resigned {
            writeln!(self.out, "{loser} resigns: {} wins.", !loser)?;
        } else if let Some(score) = self.table.game.score_black() {
            match score.outcome() {
                Outcome::Win => writeln!(self.out, "Black wins by {}.", score.discs())?,
                Outcome::Loss => writeln!(self.out, "White wins by {}.", -score.discs())?,
                Outcome::Draw => writeln!(self.out, "A draw.")?,
            }
        }
        writeln!(self.out, "The game: {}", self.table.game)?;
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
