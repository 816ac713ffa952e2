use std::io::{BufRead, IsTerminal, Write};

use anyhow::Result;
use clap::{Args as ClapArgs, ValueEnum};
use discern_board::{Color, Game, Move, Outcome};
use discern_search::{Certainty, Engine, Limits, Line, StopFlag};

use crate::engine_args::{EngineArgs, ThinkArgs};
use crate::positions::parse_game;

/// Play a game against the engine in the terminal.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern play                          you are black, one second a move
  discern play --color white --depth 4  an easier opponent that begins
  discern play --from f5d6c3d3c4        go on from here")]
pub struct Args {
    /// Your colour
    #[arg(long, value_enum, default_value_t = Side::Black)]
    color: Side,
    #[command(flatten)]
    engine: EngineArgs,
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

const HELP: &str = "\
  f5      put a disc there (dots show the legal squares)
  undo    take back your last move and the answer to it
  hint    ask the engine for the best moves
  moves   the game so far
  help    this list
  quit    leave";

pub fn run(args: Args) -> Result<()> {
    let mut table = Table {
        game: parse_game(&args.from)?,
        engine: args.engine.engine()?,
        limits: args.think.limits(),
        side: args.color,
        out: std::io::stdout(),
    };
    table.play(std::io::stdin().lock())
}

/// The board between the two players.
struct Table {
    game: Game,
    engine: Box<dyn Engine>,
    limits: Limits,
    side: Side,
    out: std::io::Stdout,
}

/// What the person at the terminal wants.
enum Wish {
    Place(Move),
    Undo,
    Hint,
    Moves,
    Help,
    Quit,
}

impl Wish {
    fn parse(text: &str) -> Result<Wish, String> {
        match text.trim().to_lowercase().as_str() {
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
        while !self.game.is_over() {
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
        writeln!(self.out, "\n{}", position.board.draw(position.mover))?;
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

    fn hint(&mut self) -> Result<()> {
        let limits = Limits { lines: 3, ..self.limits };
        let board = self.game.position().board;
        let report = self.engine.search(&board, &limits, &StopFlag::new(), &mut |_| {});
        for line in &report.lines {
            writeln!(self.out, "  {:<3} {}", line.mv, describe(line))?;
        }
        Ok(())
    }

    /// The engine moves.
    fn answer(&mut self) -> Result<()> {
        let position = self.game.position();
        let report =
            self.engine.search(&position.board, &self.limits, &StopFlag::new(), &mut |_| {});
        if let Some(line) = report.best() {
            self.game.play(line.mv)?;
            self.draw()?;
            writeln!(self.out, "{} played {}: {}", position.mover, line.mv, describe(line))?;
        }
        Ok(())
    }

    fn tell_result(&mut self) -> Result<()> {
        if let Some(score) = self.game.score_black() {
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
