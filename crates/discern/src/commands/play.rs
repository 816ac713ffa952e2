use std::io::IsTerminal;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::Dice;
use discern_players::Level;
use discern_players::serve::{GameTable, GameTableError, person};
use discern_records::parse_game;

use crate::engine_args::{BookArgs, EngineArgs, ThinkArgs};
use crate::values::one_of;

/// Play a game against the engine in the terminal.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern play                          you are black, one second a move
  discern play --level club             an opponent of your strength, never the same game twice
  discern play --color white --depth 4  an easier opponent that begins
  discern play --from f5d6c3d3c4        continue from here")]
pub struct Args {
    /// Your colour
    #[arg(long, value_parser = one_of(GameTable::PERSONS), default_value = "black")]
    color: [bool; 2],
    /// How strong the engine plays, in the place of --depth, --time and --model: beginner, novice,
    /// casual, club, strong, expert, master, grandmaster, champion or world
    #[arg(long, value_name = "NAME", value_parser = Level::parse, conflicts_with_all = ["depth", "time", "model"])]
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

pub fn run(args: Args) -> Result<()> {
    let mut engine = args.engine;
    let (limits, randomness) = match args.level {
        Some(level) => {
            let player = level.player();
            // The model that it was measured with.
            engine.model = Some(player.as_engine()?.model.clone());
            (player.search_limits()?, player.randomness)
        }
        None => (args.think.limits(), None),
    };
    let out = std::io::stdout();
    let table = GameTable {
        game: parse_game(&args.from)?,
        engine: engine.engine()?,
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
        persons: args.color,
        colors: out.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    };
    // An error of the system stays one: a broken pipe is no failure.
    table.play(person()?.as_mut(), out).map_err(|error| match error {
        GameTableError::Io(error) => error.into(),
        error => error.into(),
    })
}
