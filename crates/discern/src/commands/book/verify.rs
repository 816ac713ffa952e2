use std::path::PathBuf;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_book::BookFile;

use crate::output::print;
use crate::place::At;

/// Check every byte and every value of a book.
#[derive(ClapArgs)]
pub struct Args {
    /// The book
    book: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let book = BookFile::open(&args.book).at(&args.book)?;
    book.verify().at(&args.book)?;
    let (name, positions, id) = (args.book.display(), book.len(), book.id());
    print(&format!("{name}: {positions} positions, all in order (id {id})\n"))?;
    book.manifest().steps.iter().try_for_each(|step| print(&format!("  {step}\n")))
}
