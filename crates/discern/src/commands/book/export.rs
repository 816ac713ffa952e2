use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args as ClapArgs, ValueEnum};
use discern_board::Position;
use discern_book::{lines, write_edax};
use discern_records::{Format, GameRecord, NewGameFile};

use super::show::open_book;

/// Write the lines of a book.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern book export --book my.book -o lines.txt
  discern book export --book my.book --loss 5 --format ggf -o lines.ggf")]
pub struct Args {
    /// The book [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// What is written
    #[arg(long, value_enum, default_value_t = Kind::Transcript)]
    format: Kind,
    /// Only lines on which both sides together give away at most this much, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0)]
    loss: f64,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// One line of moves each
    Transcript,
    /// GGF
    Ggf,
    /// A book of Edax
    Edax,
}

pub fn run(args: Args) -> Result<()> {
    let name = || args.output.display().to_string();
    let book = open_book(args.book.as_deref())?;
    let graph = book.graph().context("the book")?;
    if args.format == Kind::Edax {
        discern_files::write(&args.output, &write_edax(&graph, 12), args.force)
            .with_context(name)?;
        println!("{}: {} positions", name(), graph.len());
        return Ok(());
    }
    let format = if args.format == Kind::Ggf { Format::Ggf } else { Format::Transcript };
    let mut file = NewGameFile::create(&args.output, format, args.force).with_context(name)?;
    let found = lines(&graph, &Position::START, (args.loss.clamp(0.0, 1e4) * 1000.0) as u32);
    for line in &found {
        file.append(&GameRecord::new(line.game.clone())).with_context(name)?;
    }
    file.finish().with_context(name)?;
    println!("{}: {} lines", name(), found.len());
    Ok(())
}
