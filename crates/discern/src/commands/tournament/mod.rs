mod plan_args;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args as ClapArgs, Subcommand};
use discern_arena::stats::{Sprt, SprtModel};
use discern_arena::tournament::{
    Conclusion, Results, Resumed, Standings, Tournament, TournamentPlan,
};
use discern_players::{GRAMMAR, Halt, Job, Plan, RunFolder, Shard, WeightStore, fair_games};
use discern_records::archive::ArchiveWriter;
use discern_report::{TournamentWatch, mishap_text, tournament_text, unfinished_text};

use super::jobs::{MergeArgs, MissingArgs, RunArgs, say_plan};
use crate::output::show;
use crate::place::At;
use crate::progress::Screen;
use crate::signals::halt_on_signals;
use crate::values::one_of;
use plan_args::PlanArgs;

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
    #[arg(long, value_name = "ELO0,ELO1", value_parser = Sprt::differences)]
    sprt: Option<[f64; 2]>,
    /// What the differences of --sprt are
    #[arg(long, value_parser = one_of(SprtModel::WORDS), default_value = "normalized")]
    sprt_model: SprtModel,
    /// Error rates of --sprt
    #[arg(long, value_name = "ALPHA,BETA", default_value = "0.05,0.05", value_parser = Sprt::rates)]
    sprt_errors: [f64; 2],
    /// Start a program again that has died, instead of ending the tournament
    #[arg(long)]
    restart: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Why there are no more games at a time than cores.
const UNFAIR: &str = "would not have fair clocks";

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

pub fn run(mut args: Args) -> Result<()> {
    match args.command.take() {
        None => play(args),
        Some(Command::Plan { folder, plan, shards }) => make_plan(&folder, &plan, shards),
        Some(Command::Run { mut run, restart }) => {
            run.crew.restart = restart;
            run.run::<TournamentPlan>()
        }
        Some(Command::Missing(missing)) => missing.run::<TournamentPlan>(),
        Some(Command::Merge { merge, json }) => {
            let folder = merge.run::<TournamentPlan>()?;
            let results = Results::load(&merge.output, folder.plan())?;
            print_table(folder.plan(), &results, &Conclusion::Complete, json)
        }
    }
}

fn make_plan(folder: &Path, plan: &PlanArgs, shards: Option<u32>) -> Result<()> {
    let store = WeightStore::new();
    let mut work = plan.work(&store)?.in_shards_of(50);
    work.shards = shards.unwrap_or(work.shards);
    let what = format!("{} players", work.players.len());
    let folder = RunFolder::create(folder, work, &store, false)?;
    say_plan(&folder, &what)
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
    halt_on_signals(halt.clone(), "games")?;
    let (mut watch, mut screen) = (TournamentWatch::new(&plan.work, &results), Screen::new(""));
    screen.show(watch.begin());
    let mut tournament = Tournament {
        plan: &plan,
        store: &store,
        concurrency: fair_games(args.concurrency, plan.work.threads(), UNFAIR)?,
        restart: args.restart,
        sprt: args.sprt(),
        archive: archive.as_mut(),
        halt: &halt,
    };
    let conclusion = tournament.run(&mut results, |finished| {
        screen.show(watch.hear(finished));
        if let Some(sentence) = mishap_text(&plan.work, finished) {
            screen.say(&sentence);
        }
    });
    drop(screen);
    let conclusion = conclusion?;
    print_table(&plan, &results, &conclusion, args.json)?;
    match unfinished_text(&plan.work, &results, &conclusion, args.output.is_some()) {
        Some(why) => bail!(why),
        None => Ok(()),
    }
}

fn print_table(
    plan: &Plan<TournamentPlan>,
    results: &Results,
    conclusion: &Conclusion,
    json: bool,
) -> Result<()> {
    let standings = Standings::new(&plan.work, results, conclusion.pairs());
    show(json, &standings.row(plan, results, conclusion), |out| {
        write!(out, "{}", tournament_text(&plan.work, results, &standings, conclusion))
    })
}

/// A plan, the archive of its games if there is one, and those found in it.
type Begun = (Plan<TournamentPlan>, Option<ArchiveWriter>, Results);

impl Args {
    /// Begins the tournament or opens the one in the archive.
    fn begin(&self, store: &WeightStore) -> Result<Begun> {
        let found = match &self.output {
            Some(path) if !self.plan.names_players() && path.exists() => {
                let found = Resumed::plan_of(path).at(path)?;
                Some(found.context("no tournament to resume").at(path)?.work)
            }
            _ => None,
        };
        let plan = Plan::new(found.map_or_else(|| self.plan.work(store), Ok)?);
        let Some(path) = &self.output else { return Ok((plan, None, Results::default())) };
        if self.force && path.exists() {
            discern_files::remove(path).at(path)?;
        }
        let resumed = Resumed::open(path, &plan, self.other_build);
        let Resumed { archive, plan, results } = match resumed {
            Err(error) if error.is_another() => {
                bail!("{}: {error}; name another file, or --force replaces it", path.display())
            }
            other => other.at(path)?,
        };
        if let Some(cut) = archive.cut() {
            eprintln!("{}: {cut}", path.display());
        }
        Ok((plan, Some(archive), results))
    }

    fn sprt(&self) -> Option<Sprt> {
        let [elo0, elo1] = self.sprt?;
        let [alpha, beta] = self.sprt_errors;
        Some(Sprt { elo0, elo1, alpha, beta, model: self.sprt_model })
    }
}
