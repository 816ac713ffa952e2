use std::io::{self, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args as ClapArgs;
use discern_files::printable;
use discern_library::{Bound, Library};
use discern_players::{WeightStore, weights_of};
use discern_web::{Bounds, Settings, Studio, browser};

use crate::progress;

/// Open the studio: a page to play, analyse and understand.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern serve                            open http://127.0.0.1:8295/ in a browser
  discern serve --weights first.weights    with your own weights
  discern serve --runs matches --no-open   with the tables of your tournaments
  discern serve --games WTHOR              with a library of games to search
Ctrl-C ends it. Anyone who reaches the address can use the processors of this
machine: keep it at 127.0.0.1 unless you trust the network.")]
pub struct Args {
    /// Address to listen at
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    address: IpAddr,
    /// Port to listen at; 0 takes any free one
    #[arg(long, value_name = "N", default_value_t = 8295)]
    port: u16,
    /// Open a browser even if there seems to be no desktop
    #[arg(long, conflicts_with = "no_open")]
    open: bool,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// Weight file of the learned models [default: the one shipped with the program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Opening book to explore, or none [default: the one shipped with the program, if any]
    #[arg(long, value_name = "FILE")]
    book: Option<String>,
    /// Threads of all analyses together [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Transposition tables of all analyses together in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hash: u32,
    /// Folder of reproductions and tournament archives to show; may be repeated
    #[arg(long, value_name = "FOLDER")]
    runs: Vec<PathBuf>,
    /// File of games, or folder of such files (WTHOR, GGF, SGF, archives …), to search in; may be repeated
    #[arg(long, value_name = "PATH")]
    games: Vec<PathBuf>,
}

pub fn run(args: Args) -> Result<()> {
    for folder in &args.runs {
        if !folder.is_dir() {
            bail!("{} is not a folder", folder.display());
        }
    }
    let weights = Some(Arc::new(weights_of(args.weights.as_deref())?));
    let book = WeightStore::new().book_if_any(args.book.as_deref())?;
    let mut bounds = Bounds { table_mebibytes: args.hash as usize, ..Bounds::default() };
    if let Some(threads) = args.threads {
        bounds.threads = usize::from(threads);
    }
    discern_files::check_memory((bounds.table_mebibytes as u64) << 20)
        .with_context(|| format!("no memory for tables of {} MiB", args.hash))?;
    let log = Arc::new(|line: &str| eprintln!("{line}"));
    let library = library(&args.games)?;
    let address = args.address;
    let settings = Settings { address, weights, book, library, runs: args.runs, bounds, log };
    let studio = Studio::new(settings);
    let open = args.open || !args.no_open && browser::has_desktop();
    let address = SocketAddr::new(args.address, args.port);
    discern_web::run(studio, address, |address| {
        let url = format!("http://{}/", browser::reachable(address));
        // The studio works for a browser even if nobody hears its address.
        let _ = writeln!(io::stdout(), "{url}");
        if open && let Err(sentence) = browser::open(&url) {
            eprintln!("{sentence}");
        }
    })
    .map_err(|error| anyhow!("{}", discern_web::cannot_serve(address, &error)))
}

/// Reads the games to search in, with a bar.
fn library(paths: &[PathBuf]) -> Result<Option<Arc<Library>>> {
    if paths.is_empty() {
        return Ok(None);
    }
    let bar = progress::bytes(0);
    let (library, notes) = Library::open(paths, Bound::default(), &mut |read, all| {
        bar.set_length(all);
        bar.set_position(read);
    })?;
    bar.finish_and_clear();
    notes.iter().for_each(|note| eprintln!("{}", printable(note)));
    Ok(Some(Arc::new(library)))
}
