use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_board::Position;
use discern_book::{lines, write_edax};
use discern_records::{Format, GameRecord, NewGameFile};

use super::show::open_book;
use crate::output::print;
use crate::place::At;
use crate::values::one_of;

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
    #[arg(long, value_parser = one_of(KINDS), default_value = "transcript")]
    format: Kind,
    /// Only lines on which both sides together give away at most this much, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0)]
    loss: f64,
    /// Replace the output if it exists
    #[arg(long)]
    force: bool,
}

/// What is written: lines in a format of games, or else a book of Edax.
type Kind = Option<Format>;

const KINDS: [(&str, &str, Kind); 3] = [
    ("transcript", "One line of moves each", Some(Format::Transcript)),
    ("ggf", "GGF", Some(Format::Ggf)),
    ("edax", "A book of Edax", None),
];

pub fn run(args: Args) -> Result<()> {
    let output = &args.output;
    let book = open_book(args.book.as_deref())?;
    let graph = book.graph().context("the book")?;
    let Some(format) = args.format else {
        discern_files::write(output, &write_edax(&graph, 12), args.force).at(output)?;
        return print(&format!("{}: {} positions\n", output.display(), graph.len()));
    };
    let found = lines(&graph, &Position::START, (args.loss.clamp(0.0, 1e4) * 1000.0) as u32);
    let write = || -> io::Result<()> {
        let mut file = NewGameFile::create(output, format, args.force)?;
        for line in &found {
            file.append(&GameRecord::new(line.game.clone()))?;
        }
        Ok(file.finish()?)
    };
    write().at(output)?;
    print(&format!("{}: {} lines\n", output.display(), found.len()))
}
