use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::serve::{NBoardServer, Teacher};
use discern_players::{EngineJudge, learn_game};
use discern_search::Limits;

use crate::engine_args::{BookArgs, EngineArgs};

/// Speak the NBoard protocol, so that NBoard can use the engine.
///
/// NBoard wants evaluations in discs and ours are odds of winning. They are
/// translated as the model measured it in each phase; proven scores are exact.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern nboard
  discern nboard --threads 2 --learn mine.games
  discern nboard --book my.book            plays from it; learn enters games into it")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    book: BookArgs,
    /// Plies to look ahead until NBoard sets them
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Nodes per move at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Archive to which the games to learn from are added
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    let limits = Limits { nodes: args.nodes, ..Limits::default() };
    let teacher = args.book.file().map(|path| teacher(path.to_owned(), &args));
    let teacher = teacher.transpose()?;
    let book = args.book.open()?;
    let mut server = NBoardServer::new(args.engine.engine()?, limits, args.depth, args.learn)
        .with_book(book, args.book.seed(), teacher);
    Ok(server.serve(std::io::stdin(), std::io::stdout().lock())?)
}

/// Endings that are solved when a game is entered into the book.
const SOLVED: u32 = 20;

/// Enters games into a book, as `discern book learn` does, with the depth the
/// server plays at.
fn teacher(path: PathBuf, args: &Args) -> Result<Teacher> {
    let mut engine = Some(args.engine.engine()?);
    let limits = Limits {
        depth: Some(args.depth),
        nodes: args.nodes,
        outcome_empties: SOLVED,
        score_empties: SOLVED - 2,
        selective: true,
        ..Limits::default()
    };
    let (again, book) = (args.engine.clone(), args.book.clone());
    Ok(Box::new(move |record| {
        let engine = engine.take().map_or_else(|| again.engine(), Ok);
        let learned = engine.and_then(|engine| {
            let judge = EngineJudge::new(engine, limits);
            learn_game(&path, record, judge, SOLVED, "learn games behind NBoard")?;
            book.open()
        });
        learned.map_err(|error| format!("{}: {error:#}", path.display()))
    }))
}
