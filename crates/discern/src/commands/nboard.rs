use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::serve::{NBoardServer, Teacher};
use discern_players::{EngineJudge, teacher};
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
    let Args { engine, book, depth, nodes, learn } = args;
    let limits = Limits { nodes, ..Limits::default() };
    let teach = |path: &Path| -> Result<Teacher> {
        let limits = EngineJudge::limits(depth, nodes, EngineJudge::SOLVED, true);
        let judge = EngineJudge::new(engine.engine()?, limits);
        Ok(teacher(path.to_owned(), judge, book.spec().choice()))
    };
    let teacher = book.file().map(teach).transpose()?;
    let mut server = NBoardServer::new(engine.engine()?, limits, depth, learn).with_book(
        book.open()?,
        book.seed(),
        teacher,
    );
    Ok(server.serve(std::io::stdin(), std::io::stdout().lock())?)
}
