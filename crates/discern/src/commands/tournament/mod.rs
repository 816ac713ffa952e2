//! `discern tournament`: who is stronger, and how sure is that?

mod plan_args;
mod progress;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use discern_arena::stats::{Sprt, SprtModel};
use discern_arena::tournament::{
    Conclusion, Results, ResumeError, Resumed, Standings, Tournament, TournamentPlan,
};
use discern_players::{
    Duplicates, GRAMMAR, Halt, Job, JobError, Plan, RunFolder, Shard, WeightStore,
};
use discern_records::archive::ArchiveWriter;
use discern_report::tournament_text;

use super::jobs::{self, MergeArgs, MissingArgs, RunArgs, cores, listen_for_signals};
use plan_args::PlanArgs;
pub use plan_args::shipped_openings;
use progress::Progress;

/// Play matches between evaluation functions and programs.
///
/// Every opening is played twice with colours reversed. With --output each
/// finished game is stored at once, and the same command resumes where it was
/// interrupted; so does the archive alone, `-o FILE`. The first Ctrl-C finishes
/// the games in hand, the second aborts.
///
/// A large tournament is planned, cut into shards, played anywhere, and merged:
/// `plan`, `run`, `missing`, `merge`.
#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true, after_long_help = format!("{GRAMMAR}
A limit that only some players have is a handicap. --time, --depth and so on
hold for the players without limits of their own.

Examples:
  discern tournament --player rev --player rev-edges --depth 6 --pairs 50
  discern tournament --player name=a,time=10 --player name=b,time=12 --openings even.txt -o handicap.games
  discern tournament -o handicap.games                    resumes, if it was interrupted
  discern tournament --player name=us,move-time=0.1 --player cmd=gtp-rhino --restart
  discern tournament --config players.toml --schedule gauntlet --nodes 20000 --json
  discern tournament --player log --player material --depth 4 --sprt 0,30
  discern games export handicap.games -o handicap.ggf     the games with evaluations and times

  discern tournament plan big --player log,nodes=100000 --player rev,nodes=100000 --shards 40
  discern tournament run big --shard 17/40                on any machine that has the folder
  discern tournament merge big -o big.games               the games, and the table of all"))]
pub struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    plan: PlanArgs,
    /// Games at the same time [default: one per core and search thread]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Archive for the games; if it exists, the tournament in it is resumed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the archive if it exists
    #[arg(long, requires = "output", requires = "who")]
    force: bool,
    /// Resume although another build of the program began
    #[arg(long, requires = "output")]
    other_build: bool,
    /// Stop when a sequential test has decided between these two differences
    #[arg(long, value_name = "ELO0,ELO1", value_parser = two_numbers)]
    sprt: Option<[f64; 2]>,
    /// What the differences of --sprt are
    #[arg(long, value_enum, default_value_t = SprtModelArg::Normalized)]
    sprt_model: SprtModelArg,
    /// Error rates of --sprt
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", value_parser = two_rates)]
    sprt_errors: [f64; 2],
    /// Start a program again that has died, instead of ending the tournament
    #[arg(long)]
    restart: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Subcommand)]
enum Command {
    /// Make a folder with a plan
    #[command(after_long_help = GRAMMAR)]
    Plan {
        /// Folder to make; the same plan again changes nothing
        folder: PathBuf,
        #[command(flatten)]
        plan: Box<PlanArgs>,
        /// Number of shards; about 50 games each if left out
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
        shards: Option<u32>,
    },
    /// Make the shards that are missing
    ///
    /// Where no clock runs, a shard has the same bytes wherever it is made;
    /// thinking times are not recorded then.
    Run {
        #[command(flatten)]
        run: RunArgs,
        /// Start a program again that has died, instead of giving the shard up
        #[arg(long)]
        restart: bool,
    },
    #[command(visible_alias = "shards")]
    Missing(MissingArgs),
    /// Put all shards together into one archive, and print the table
    ///
    /// Refuses if a shard is missing, damaged, there twice or of another plan.
    Merge {
        #[command(flatten)]
        merge: MergeArgs,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SprtModelArg {
    Normalized,
    Logistic,
}

pub fn run(mut args: Args) -> Result<()> {
    match args.command.take() {
        None => play(args),
        Some(Command::Plan { folder, plan, shards }) => make_plan(&folder, &plan, shards),
        Some(Command::Run { run, restart }) => run.run::<TournamentPlan>(restart),
        Some(Command::Missing(missing)) => missing.run::<TournamentPlan>(),
        Some(Command::Merge { merge, json }) => {
            let folder: RunFolder<TournamentPlan> = RunFolder::open(&merge.folder)?;
            merge.run(&folder, Duplicates::Keep)?;
            let results = Results::load(&merge.output, folder.plan())?;
            print_table(folder.plan(), &results, &Conclusion::Complete, json)
        }
    }
}

fn make_plan(folder: &Path, plan: &PlanArgs, shards: Option<u32>) -> Result<()> {
    let store = WeightStore::new();
    let mut work = plan.work(&store)?;
    let games = work.number_of_games();
    work.shards =
        shards.unwrap_or(games.div_ceil(50).min(games / 2).min(Shard::MOST.into()) as u32);
    let what = format!("{} players", work.players.len());
    let folder = RunFolder::create(folder, work, &store, false)?;
    jobs::say_plan(&folder, &what)
}

/// Plays a tournament in this process.
fn play(args: Args) -> Result<()> {
    let store = WeightStore::new();
    let (plan, mut archive, mut results) = args.begin(&store)?;
    if args.sprt.is_some() && plan.work.players.len() != 2 {
        bail!("--sprt is a test between two players");
    }
    let games = plan.work.number_of_games();
    if !results.is_empty() {
        eprintln!("resuming after {} of {games} games", results.len());
    }
    let halt = Arc::new(Halt::new());
    listen_for_signals(halt.clone(), "games")?;
    let mut progress = Progress::new(&plan.work, &results);
    let mut tournament = Tournament {
        plan: &plan,
        store: &store,
        concurrency: args.concurrency(&plan.work)?,
        restart: args.restart,
        sprt: args.sprt(),
        archive: archive.as_mut(),
        halt: &halt,
    };
    let conclusion = tournament.run(&mut results, |finished| progress.tell(finished));
    progress.end();
    let conclusion = conclusion?;
    print_table(&plan, &results, &conclusion, args.json)?;
    match conclusion {
        Conclusion::Complete | Conclusion::Decided(_) => Ok(()),
        Conclusion::Halted => {
            let hint = if args.output.is_some() { "; the same command resumes" } else { "" };
            bail!("stopped after {} of {games} games{hint}", results.len())
        }
        Conclusion::PlayerDied { player, failure } => {
            let name = &plan.work.players[player].name;
            bail!("{name}: {failure}; --restart would start it again")
        }
    }
}

fn print_table(
    plan: &Plan<TournamentPlan>,
    results: &Results,
    conclusion: &Conclusion,
    json: bool,
) -> Result<()> {
    let counted = match conclusion {
        Conclusion::Decided(result) => Some(result.pairs),
        _ => None,
    };
    let standings = Standings::new(&plan.work, results, counted);
    let mut stdout = std::io::stdout().lock();
    if json {
        let row = standings.row(plan, results, conclusion);
        writeln!(stdout, "{}", serde_json::to_string(&row)?)?;
    } else {
        write!(stdout, "{}", tournament_text(&plan.work, results, &standings, conclusion))?;
    }
    Ok(stdout.flush()?)
}

/// A plan, the archive of its games if there is one, and those found in it.
type Begun = (Plan<TournamentPlan>, Option<ArchiveWriter>, Results);

impl Args {
    /// Begins the tournament or opens the one in the archive.
    fn begin(&self, store: &WeightStore) -> Result<Begun> {
        let wanted = match &self.output {
            Some(path) if !self.plan.names_players() && path.exists() => found_in(path)?,
            _ => self.plan.work(store)?,
        };
        let plan = Plan::new(wanted);
        let Some(path) = &self.output else { return Ok((plan, None, Results::default())) };
        if self.force && path.exists() {
            discern_files::remove(path).with_context(|| path.display().to_string())?;
        }
        let Resumed { archive, plan, results } = Resumed::open(path, &plan, self.other_build)
            .map_err(|error| with_advice(path, error))?;
        if let Some(cut) = archive.cut() {
            eprintln!(
                "{}: the last {} bytes are unfinished; {} whole games of them count",
                path.display(),
                cut.bytes,
                cut.games
            );
        }
        Ok((plan, Some(archive), results))
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

    fn concurrency(&self, plan: &TournamentPlan) -> Result<usize> {
        let all = cores(1);
        match self.concurrency.map(usize::from) {
            None => Ok(cores(plan.threads())),
            Some(wanted) if wanted > all => {
                bail!("{wanted} games at the same time on {all} cores: clocks would not be fair")
            }
            Some(wanted) => Ok(wanted),
        }
    }
}

/// The tournament that an archive belongs to.
fn found_in(path: &Path) -> Result<TournamentPlan> {
    let found = Resumed::plan_of(path).with_context(|| path.display().to_string())?;
    let plan = found.with_context(|| format!("{}: no tournament to resume", path.display()))?;
    Ok(plan.work)
}

/// What the user can do about an archive that cannot be resumed.
fn with_advice(path: &Path, error: ResumeError) -> anyhow::Error {
    let other = matches!(
        error,
        ResumeError::Plan(JobError::Differs(_))
            | ResumeError::NoPlan(_)
            | ResumeError::Foreign { .. }
    );
    match other {
        true => anyhow!("{}: {error}; name another file, or --force replaces it", path.display()),
        false => anyhow::Error::from(error).context(path.display().to_string()),
    }
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
