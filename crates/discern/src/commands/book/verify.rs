use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_book::BookFile;

/// Check every byte and every value of a book.
#[derive(ClapArgs)]
pub struct Args {
    /// The book
    book: PathBuf,
}

pub fn run(args: Args) -> Result<()> {
    let name = || args.book.display().to_string();
    let book = BookFile::open(&args.book).with_context(name)?;
    book.verify().with_context(name)?;
    println!("{}: {} positions, all in order (id {})", name(), book.len(), book.id());
    book.manifest().steps.iter().for_each(|step| println!("  {step}"));
    Ok(())
}
