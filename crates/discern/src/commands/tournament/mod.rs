//! `discern tournament`: who is stronger, and how sure is that?

mod contestant;
mod entry;
mod limits;
mod progress;
mod table;
mod target;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, ValueEnum};
use discern_arena::Rules;
use discern_arena::stats::{Sprt, SprtModel};
use discern_arena::tournament::{Conclusion, Halt, Plan, Results, Schedule, Standings, Tournament};
use discern_board::Game;
use discern_records::GameFile;

use crate::engine_args::seconds;
use entry::Entry;
use progress::Progress;

/// Play matches between evaluation functions and programs.
///
/// Every opening is played twice with colours reversed. With --output each
/// finished game is stored at once, and the same command goes on where it was
/// interrupted. The first Ctrl-C finishes the games in hand, the second aborts.
#[derive(ClapArgs)]
#[command(after_long_help = "A player is a list of settings, or a [[player]] table in a TOML file:
  name=NAME       needed; unique
  model=MODEL     our engine with this evaluation function (default log)
  weights=FILE    weights of learned models (default the shipped ones)
  threads=N hash=MIB solve=EMPTIES     settings of our engine
  selective=true  look deeper by cutting off what is improbable (full width if left out)
  cmd='PROGRAM ARGUMENTS'              another program …
  protocol=gtp|nboard dir=FOLDER       … and what it speaks (default gtp)
  time=60 or time=60+0.5               seconds per game, plus seconds per move
  move-time=0.5 depth=8 nodes=100000   limits per move
A limit that only some players have is a handicap. --time, --depth and so on
hold for the players without limits of their own.

Examples:
  discern tournament --player name=rev,model=rev --player name=edges,model=rev-edges --depth 6 --pairs 50
  discern tournament --player name=a,time=10 --player name=b,time=12 --openings even.txt -o handicap.games
  discern tournament --player name=us,move-time=0.1 --player \"name=rhino,cmd=gtp-rhino\" --restart
  discern tournament --config players.toml --schedule gauntlet --nodes 20000 --json
  discern tournament --player name=new --player name=old,model=material --depth 4 --sprt 0,30
  discern games export handicap.games -o handicap.ggf     the games with evaluations and times")]
pub struct Args {
    /// A player: name=…,setting=…; give it at least twice
    #[arg(long = "player", value_name = "SETTINGS", value_parser = Entry::parse)]
    players: Vec<Entry>,
    /// TOML file with players
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t = ScheduleArg::RoundRobin)]
    schedule: ScheduleArg,
    /// File of openings in any format of games [default: the 60 positions after four plies]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Pairs of games in each pairing [default: one per opening]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pairs: Option<u64>,
    #[command(flatten)]
    limits: limits::LimitArgs,
    /// Games at the same time [default: one per core and search thread]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Archive for the games; if it exists, the tournament in it goes on
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the archive if it exists
    #[arg(long, requires = "output")]
    force: bool,
    /// Stop when a sequential test has decided between these two differences
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers)]
    sprt: Option<[f64; 2]>,
    /// What the differences of --sprt are
    #[arg(long, value_enum, default_value_t = SprtModelArg::Normalized)]
    sprt_model: SprtModelArg,
    /// Error rates of --sprt
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", value_parser = two_rates)]
    sprt_errors: [f64; 2],
    /// Let the solver decide from this many empty squares on
    #[arg(long, value_name = "EMPTIES", value_parser = clap::value_parser!(u32).range(1..=30))]
    adjudicate: Option<u32>,
    /// Start a program again that has died, instead of ending the tournament
    #[arg(long)]
    restart: bool,
    /// How late a move may be, in milliseconds, before the game is lost
    #[arg(long, value_name = "MS", default_value_t = 10)]
    margin: u64,
    /// Seconds a program may be silent beyond its time before it is given up
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "30")]
    patience: Duration,
    /// Seed of the bootstrap
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ScheduleArg {
    /// Everybody meets everybody
    RoundRobin,
    /// The first player meets all others
    Gauntlet,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SprtModelArg {
    Normalized,
    Logistic,
}

pub fn run(args: Args) -> Result<()> {
    let plan = args.plan()?;
    if args.sprt.is_some() && plan.contestants.len() != 2 {
        bail!("--sprt is a test between two players");
    }
    let pairs = plan.openings.len() as u64;
    if plan.pairs > pairs {
        eprintln!(
            "{} pairs from {pairs} openings: repeated openings say less than fresh ones",
            plan.pairs
        );
    }
    let (mut archive, mut results) = match &args.output {
        Some(path) => {
            let (archive, results) = target::open(path, &plan, args.force)?;
            (Some(archive), results)
        }
        None => (None, Results::default()),
    };
    if !results.is_empty() {
        eprintln!("going on after {} of {} games", results.len(), plan.games());
    }
    let halt = Arc::new(Halt::new());
    listen_for_signals(halt.clone())?;
    let mut progress = Progress::new(&plan, &results);
    let mut tournament = Tournament {
        plan: &plan,
        concurrency: args.concurrency()?,
        restart: args.restart,
        sprt: args.sprt(),
        archive: archive.as_mut(),
        halt: &halt,
    };
    let conclusion = tournament.run(&mut results, |finished| progress.tell(finished));
    progress.end();
    let conclusion = conclusion?;
    let counted = match &conclusion {
        Conclusion::Decided(result) => Some(result.pairs),
        _ => None,
    };
    let standings = Standings::new(&plan, &results, counted, args.seed);
    let mut stdout = std::io::stdout().lock();
    if args.json {
        let json = table::json(&plan, &results, &standings, &conclusion);
        writeln!(stdout, "{}", serde_json::to_string(&json)?)?;
    } else {
        write!(stdout, "{}", table::text(&plan, &results, &standings, &conclusion))?;
    }
    stdout.flush()?;
    match conclusion {
        Conclusion::Complete | Conclusion::Decided(_) => Ok(()),
        Conclusion::Halted => {
            let hint = match args.output {
                Some(_) => "; the same command goes on",
                None => "",
            };
            bail!("stopped after {} of {} games{hint}", results.len(), plan.games())
        }
        Conclusion::PlayerDied { player, failure } => {
            let name = &plan.contestants[player].name;
            bail!("{name}: {failure}; --restart would start it again and go on")
        }
    }
}

impl Args {
    fn plan(&self) -> Result<Plan> {
        let mut entries = match &self.config {
            Some(path) => entry::read_config(path)?,
            None => Vec::new(),
        };
        entries.extend(self.players.iter().cloned());
        if entries.len() < 2 {
            bail!("a tournament needs two players: give --player twice (see --help)");
        }
        let default = self.limits.limits();
        let contestants: Vec<_> = entries
            .iter()
            .map(|entry| contestant::contestant(entry, default))
            .collect::<Result<_>>()?;
        for (index, contestant) in contestants.iter().enumerate() {
            if contestants[..index].iter().any(|other| other.name == contestant.name) {
                bail!("two players are called '{}'", contestant.name);
            }
        }
        let openings = match &self.openings {
            Some(path) => read_openings(path)?,
            None => four_ply_openings(),
        };
        Ok(Plan {
            contestants,
            schedule: match self.schedule {
                ScheduleArg::RoundRobin => Schedule::RoundRobin,
                ScheduleArg::Gauntlet => Schedule::Gauntlet,
            },
            pairs: self.pairs.unwrap_or(openings.len() as u64),
            openings,
            rules: Rules {
                margin: Duration::from_millis(self.margin),
                patience: self.patience,
                adjudicate_empties: self.adjudicate,
            },
        })
    }

    fn sprt(&self) -> Option<Sprt> {
        let [elo0, elo1] = self.sprt?;
        let [alpha, beta] = self.sprt_errors;
        let model = match self.sprt_model {
            SprtModelArg::Normalized => SprtModel::Normalized,
            SprtModelArg::Logistic => SprtModel::Logistic,
        };
        Some(Sprt { elo0, elo1, alpha, beta, model })
    }

    /// As many games as cores: more would steal each other's time. A search
    /// with several threads takes several cores.
    fn concurrency(&self) -> Result<usize> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let most_threads = self.players.iter().filter_map(Entry::threads).max().unwrap_or(1);
        let sensible = (cores / most_threads.max(1)).max(1);
        match self.concurrency.map(usize::from) {
            None => Ok(sensible),
            Some(wanted) if wanted > cores => {
                bail!("{wanted} games at the same time on {cores} cores: clocks would not be fair")
            }
            Some(wanted) => Ok(wanted),
        }
    }
}

/// The openings of a file: the start and moves of every game in it.
fn read_openings(path: &Path) -> Result<Vec<Game>> {
    let mut openings = Vec::new();
    for record in GameFile::open(path, None)? {
        let game = record?.game;
        if game.is_over() {
            bail!("{}: opening {} is a finished game", path.display(), openings.len() + 1);
        }
        openings.push(game);
    }
    if openings.is_empty() {
        bail!("{} holds no opening", path.display());
    }
    Ok(openings)
}

/// The different positions after four plies: unselected, but at hand.
fn four_ply_openings() -> Vec<Game> {
    discern_arena::openings::distinct(4)
}

/// First signal: finish the games in hand; second: abort.
pub fn listen_for_signals(halt: Arc<Halt>) -> Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])
        .context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || {
        for _ in signals.forever() {
            if halt.is_finishing() {
                eprintln!("aborting; the games in hand are dropped");
                halt.abort();
            } else {
                eprintln!("finishing the games in hand; once more to abort");
                halt.finish();
            }
        }
    });
    Ok(())
}

fn two_numbers(text: &str) -> Result<[f64; 2], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[low, high]) if low < high && low.abs() <= 1000.0 && high.abs() <= 1000.0 => {
            Ok([low, high])
        }
        _ => Err("two Elo differences, the smaller one first: 0,30".into()),
    }
}

fn two_rates(text: &str) -> Result<[f64; 2], String> {
    let rates: Option<Vec<f64>> = text.split(',').map(|part| part.trim().parse().ok()).collect();
    match rates.as_deref() {
        Some(&[alpha, beta]) if [alpha, beta].iter().all(|rate| (1e-6..0.5).contains(rate)) => {
            Ok([alpha, beta])
        }
        _ => Err("two error rates below one half: 0.05,0.05".into()),
    }
}
