use std::cell::RefCell;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_records::{Ending, Fault, FileFault, GameRecord, Place, Reason, WriteError};

use super::input::{Findings, Input, plural};
use super::target::{Target, plain};

/// Turn games of any format into any other.
///
/// Games that cannot be read or written are reported by number. Unless told to
/// leave them out, the command then fails and writes nothing.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games import wthor/ -o wthor.games
  discern games import new.ggf -o mine.games --append
  discern games export mine.games -o mine.ggf
  discern games export mine.games --format transcript | head")]
pub struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
    /// Leave faulty games out instead of failing
    #[arg(long)]
    skip_faulty: bool,
    /// Leave games out that stop before their end
    #[arg(long)]
    skip_unfinished: bool,
}

/// Put the games of several files into one, in the order given.
///
/// Nothing is left out: see dedup for games that occur twice.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern games merge a.games b.ggf -o all.games
  discern games merge shards/ -o all.games --force")]
pub struct MergeArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    target: Target,
}

pub fn run(args: Args) -> Result<()> {
    copy(&args.input, &args.target, args.skip_faulty, |record| {
        !(args.skip_unfinished && record.ending == Ending::Unfinished)
    })
}

pub fn merge(args: MergeArgs) -> Result<()> {
    copy(&args.input, &args.target, false, |_| true)
}

/// Copies the games that `keep` wants.
pub fn copy(
    input: &Input,
    target: &Target,
    skip_faulty: bool,
    mut keep: impl FnMut(&GameRecord) -> bool,
) -> Result<()> {
    let writing = RefCell::new(target.begin()?);
    let failed = |error| Err(plain(error)).with_context(|| target.name());
    let mut written = 0;
    let mut unwritable = Vec::new();
    let add_plan = |plan: &str| writing.borrow_mut().add_plan(plan).or_else(failed);
    let mut findings = input.read_with_plans(add_plan, |record, path, number| {
        if !keep(&record) {
            return Ok(());
        }
        match writing.borrow_mut().append(record) {
            Ok(()) => written += 1,
            Err(error) if error.is_about_the_game() => {
                unwritable.push(FileFault { path: path.to_owned(), fault: fault(number, error) });
            }
            Err(error) => return failed(error),
        }
        Ok(())
    })?;
    findings.faults.append(&mut unwritable);
    findings.report();
    if findings.unreadable > 0 {
        findings.refuse_faults("; nothing was written")?;
    }
    if !skip_faulty {
        findings.refuse_faults("; nothing was written (--skip-faulty leaves them out)")?;
    }
    target.finish(writing.into_inner())?;
    say_what_was_done(written, &findings);
    Ok(())
}

fn fault(number: u64, error: WriteError) -> Fault {
    let reason = match error {
        WriteError::Record(error) => error.into(),
        error => Reason::Io(std::io::Error::other(error)),
    };
    Fault::new(Place::game(number), reason)
}

fn say_what_was_done(written: u64, findings: &Findings) {
    let mut notes = Vec::new();
    if findings.unfinished() > 0 {
        notes.push(format!("{} unfinished", findings.unfinished()));
    }
    let faults = findings.faults.len();
    if faults > 0 {
        notes.push(format!("{faults} {} left out", plural(faults, "fault")));
    }
    let (read, games) = (findings.games, plural(written as usize, "game"));
    let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    eprintln!("{read} read{notes}, {written} {games} written");
}
