use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::{Crew, Judge, Lessons, Who, Workshop};
use discern_players::EngineJudge;
use discern_players::serve::{NBoardServer, Teacher};
use discern_search::Limits;

use super::book::lesson;
use crate::engine_args::{BookArgs, EngineArgs};

/// Speak the NBoard protocol, to be an engine of the NBoard program.
///
/// NBoard wants evaluations in discs; ours are odds of winning, told as about
/// four discs per logit until they are proven.
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
        let learn = |engine| -> Result<()> {
            let judge: Box<dyn Judge> = Box::new(EngineJudge::new(engine, limits));
            let mut crew = Crew { judges: vec![judge], stop: &|| false };
            let mut workshop = Workshop::open(&path)?;
            workshop.note("learn games behind NBoard");
            let lessons = Lessons { least_empties: SOLVED, only_count: false };
            lessons.learn(&mut workshop, &mut crew, [lesson(record, Who::Human)], |_| {})?;
            workshop.finish()?;
            Ok(())
        };
        let engine = match engine.take() {
            Some(engine) => Ok(engine),
            None => again.engine(),
        };
        let learned = engine.and_then(learn).and_then(|()| book.open());
        learned.map_err(|error| format!("{}: {error:#}", path.display()))
    }))
}
