use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use discern_experiment::{
    Companions, Event, Experiment, ExperimentError, Folder, NUMBERS, Pace, Question, SPEED_NODES,
    Settings, Source, Step, Study, StudyPlan, TENTH,
};
use discern_learn::{FITS, Fit, parse_fit};
use discern_players::{Build, Halt, PROGRAM, command_line, fair_games};
use discern_report::{ExperimentWatch, StudyTable, Table1, write_report, write_study};

use crate::output::print;
use crate::progress::Screen;
use crate::signals::halt_on_signals;
use crate::values::{one_of, within};

/// Repeat the paper's experiment and write a report.
///
/// The shipped games go through the whole circle: classified positions, tables
/// and the models LOG, FISHER and QUAD, a held-out comparison, the speed of the
/// search, the seven rows of the paper's Table 1 from 100 openings, and the time
/// factors of equal strength. The command prints the paper's table next to ours
/// and writes a report. The same command resumes an interrupted run, even after
/// `kill -9`; no finished game is repeated.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern reproduce                          about ten minutes on two cores
  discern reproduce --preset paper -o paper  as many nodes as in 1995, some hours
  discern reproduce --minutes 0.1 --openings 1000 -o long
  discern reproduce --games my.games -o mine --json
  discern reproduce --study table -o table   2,000 games a row, twice: some hours
  discern reproduce --study rivals -o rivals
  discern reproduce --study labels -o labels")]
pub struct Args {
    /// Answer another of the paper's questions instead
    #[arg(long, value_parser = one_of(Question::WORDS))]
    study: Option<Question>,
    /// Nodes of each move in the matches of a study at equal nodes
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "study")]
    nodes: u64,
    /// Rivals of the study, the first of which the others are measured by [default: all models
    /// of `discern fit --positions`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "study",
          value_parser = parse_fit)]
    models: Vec<&'static Fit>,
    /// How long the games take
    #[arg(long, value_parser = one_of(Pace::WORDS), default_value = "quick")]
    preset: Pace,
    /// Minutes a side has for a game, instead of the paper's 30
    #[arg(long, value_name = "M", value_parser = within(0.0005..=600.0), conflicts_with = "preset")]
    minutes: Option<f64>,
    /// Openings, each played twice with colours reversed; beyond those shipped, more are sought
    /// [default: 100, and 1000 for --study table]
    #[arg(long, value_name = "N", value_parser = within(1_usize..=5000))]
    openings: Option<usize>,
    /// Games to learn from, in any format [default: the shipped database]
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// File of openings in any format of games [default: those shipped]
    #[arg(long, value_name = "FILE")]
    openings_file: Option<PathBuf>,
    /// Games at the same time [default: one per core]
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZeroUsize>,
    /// Play nothing here: write a plan for each match into the folder's `work`, for other
    /// machines; once its shards are there, the same command resumes
    #[arg(long)]
    plans: bool,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Folder for the report, the numbers and the work
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    output: PathBuf,
    /// Start over, whatever the folder holds
    #[arg(long)]
    force: bool,
    /// Print the numbers as one JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let experiment = args.experiment()?;
    match args.study {
        Some(Question::Study(study)) => return run_study(&args, experiment, study),
        Some(Question::Table) => {
            // The shorter table first: it is there soon, and shows what to expect.
            let tenth = Experiment { pace: experiment.pace.tenth(), ..experiment.clone() };
            reproduce(&args, &tenth, &args.output.join(TENTH))?;
        }
        None => {}
    }
    reproduce(&args, &experiment, &args.output)
}

/// Makes a study and writes its page.
fn run_study(args: &Args, experiment: Experiment, study: Study) -> Result<()> {
    let rivals = match args.models.as_slice() {
        [] => FITS.iter().collect(),
        named => named.to_vec(),
    };
    let plan = StudyPlan { experiment, study, nodes_per_move: args.nodes, rivals };
    let mut folder = args.open(&plan.experiment, &args.output, &plan.settings())?;
    let found = with_progress(|halt, heard| plan.run(&mut folder, halt, heard))?;
    let path = write_study(&args.output, &found)?;
    match args.json {
        true => print(&found.to_json()),
        false => print(&format!("{}\n{}\n", StudyTable(&found), path.display())),
    }
}

/// The paper's experiment in a folder.
fn reproduce(args: &Args, experiment: &Experiment, output: &Path) -> Result<()> {
    let mut folder = args.open(experiment, output, &experiment.settings())?;
    let found = match folder.finished().map_err(with_a_way_out)? {
        Some(found) => {
            eprintln!("the results exist already; --force makes them again");
            found
        }
        None => with_progress(|halt, heard| experiment.run(&mut folder, halt, heard))?,
    };
    let report = write_report(output, &found, &Companions::beside(output)?)?;
    match args.json {
        true => print(&std::fs::read_to_string(folder.result(NUMBERS))?),
        false => print(&format!("{}\n{}\n", Table1(&found), report.display())),
    }
}

/// Runs something that plays games, with a bar; Ctrl-C finishes those in hand.
fn with_progress<T>(
    run: impl FnOnce(&Halt, &mut dyn FnMut(Event)) -> Result<T, ExperimentError>,
) -> Result<T> {
    let halt = Arc::new(Halt::new());
    let (mut watch, mut screen) = (ExperimentWatch::default(), Screen::new("      "));
    let mut deaf = Ok(());
    let found = run(&halt, &mut |event| {
        // The steps before the games end at once, as nothing is lost by it.
        if matches!(event, Event::Begun(Step::Matches)) {
            deaf = halt_on_signals(halt.clone(), "games");
        }
        screen.show(watch.hear(&event));
    });
    drop(screen);
    deaf?;
    found.map_err(with_a_way_out)
}

/// Says what to do where the folder is in the way.
fn with_a_way_out(error: ExperimentError) -> anyhow::Error {
    match error.is_about_the_folder() {
        true => anyhow!("{error}; name another --output, or --force starts over"),
        false => error.into(),
    }
}

impl Args {
    /// The folder of an experiment; what cannot be read is refused before
    /// anything is written.
    fn open(&self, experiment: &Experiment, output: &Path, settings: &Settings) -> Result<Folder> {
        experiment.games.games()?;
        experiment.given.openings()?;
        Folder::open(output, settings, self.force).map_err(with_a_way_out)
    }

    fn experiment(&self) -> Result<Experiment> {
        let source = |role, named: &Option<PathBuf>, shipped| match named {
            Some(path) => Source::read(role, path),
            None => Ok(Source::shipped(role, shipped)),
        };
        let (openings, quick) = Question::usual(self.study);
        Ok(Experiment {
            concurrency: fair_games(self.concurrency, 1, "would wait for each other")?,
            plans_only: self.plans,
            games: source("games", &self.games, discern_data::GAMES)?,
            given: source("openings", &self.openings_file, discern_data::OPENINGS)?,
            pace: match self.minutes {
                Some(minutes) => Pace::Seconds(60.0 * minutes),
                None if self.preset == Pace::QUICK => quick,
                None => self.preset,
            },
            openings: self.openings.unwrap_or(openings),
            seed: self.seed,
            speed_nodes: SPEED_NODES,
            program: PROGRAM.to_owned(),
            build: Build::current().program.to_string(),
            command: command_line(),
        })
    }
}
