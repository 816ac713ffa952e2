//! `discern reproduce`: the paper's experiment in one command.

mod progress;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueEnum};
use discern_experiment::{
    Event, Experiment, ExperimentError, Folder, NUMBERS, Pace, Reproduction, SPEED_NODES, Source,
    Step, Study, StudyPlan, cores, paper,
};
use discern_learn::{FITS, Fit, fit_named};
use discern_players::{Build, Halt, PROGRAM, command_line};
use discern_report::{StudyTable, Table1, csv_files, html, study_html};

use super::jobs::listen_for_signals;
use super::whole_file;
use crate::numbers::within;
use progress::Progress;

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
    #[arg(long, value_enum)]
    study: Option<StudyChoice>,
    /// Nodes of each move in the matches of a study at equal nodes
    #[arg(long, value_name = "N", default_value_t = 2000, requires = "study")]
    nodes: u64,
    /// Rivals of the study, the first of which the others are measured by [default: all models
    /// of `discern fit --positions`]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "study",
          value_parser = rival)]
    models: Vec<&'static Fit>,
    /// How long the games take
    #[arg(long, value_enum, default_value_t = Preset::Quick)]
    preset: Preset,
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

/// What `--study table` takes: intervals of about two points.
const TABLE_OPENINGS: usize = 1000;
const TABLE_SECONDS: f64 = 0.5;

/// A question beside Table 1.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum StudyChoice {
    /// What is each step of Section 3 worth? LOG on the labels that each leaves
    Labels,
    /// All models of `discern fit` on the same data, at equal nodes and at equal time
    Rivals,
    /// Table 1 with certainty: 1,000 openings at half a second a game, and at a tenth of it
    Table,
}

/// How long the games take.
#[derive(Clone, Copy, ValueEnum)]
enum Preset {
    /// A quarter of a second for the paper's 30 minutes: about ten minutes in all
    Quick,
    /// As many nodes a game as the paper's workstations searched: some hours
    Paper,
}

fn rival(text: &str) -> Result<&'static Fit, String> {
    let all: Vec<_> = FITS.iter().map(|fit| fit.name).collect();
    fit_named(text).ok_or_else(|| format!("the models are {}", all.join(", ")))
}

pub fn run(args: Args) -> Result<()> {
    let experiment = args.experiment()?;
    match args.study {
        Some(StudyChoice::Labels) => return run_study(&args, experiment, Study::Labels),
        Some(StudyChoice::Rivals) => return run_study(&args, experiment, Study::Rivals),
        Some(StudyChoice::Table) => {
            // The shorter table first: it is there soon, and shows what to expect.
            let tenth = Experiment { pace: experiment.pace.tenth(), ..experiment.clone() };
            reproduce(&args, &tenth, &args.output.join("tenth"))?;
        }
        None => {}
    }
    reproduce(&args, &experiment, &args.output)
}

/// Makes a study and writes its page.
fn run_study(args: &Args, experiment: Experiment, study: Study) -> Result<()> {
    experiment.games.games()?;
    experiment.given.openings()?;
    let rivals = match args.models.is_empty() {
        true => FITS.iter().collect(),
        false => args.models.clone(),
    };
    let plan = StudyPlan { experiment, study, nodes_per_move: args.nodes, rivals };
    let mut folder =
        Folder::open(&args.output, &plan.settings(), args.force).map_err(with_a_way_out)?;
    let found = with_progress(|halt, heard| plan.run(&mut folder, halt, heard))?;
    let path = args.output.join("index.html");
    whole_file::write(&path, study_html(&found).as_bytes(), true)?;
    let mut stdout = std::io::stdout().lock();
    match args.json {
        true => stdout.write_all(found.to_json().as_bytes())?,
        false => writeln!(stdout, "{}\n{}", StudyTable(&found), path.display())?,
    }
    Ok(stdout.flush()?)
}

/// The paper's experiment in a folder.
fn reproduce(args: &Args, experiment: &Experiment, output: &Path) -> Result<()> {
    // What cannot be read is refused before anything is written.
    experiment.games.games()?;
    experiment.given.openings()?;
    let mut folder =
        Folder::open(output, &experiment.settings(), args.force).map_err(with_a_way_out)?;
    let found = match folder.finished().map_err(with_a_way_out)? {
        Some(found) => {
            eprintln!("the results exist already; --force makes them again");
            found
        }
        None => with_progress(|halt, heard| experiment.run(&mut folder, halt, heard))?,
    };
    let report = write_outputs(output, &found)?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        stdout.write_all(&std::fs::read(folder.result(NUMBERS))?)?;
    } else {
        writeln!(stdout, "{}\n{}", Table1(&found), report.display())?;
    }
    Ok(stdout.flush()?)
}

/// Runs something that plays games, with a bar; Ctrl-C finishes those in hand.
fn with_progress<T>(
    run: impl FnOnce(&Halt, &mut dyn FnMut(Event)) -> Result<T, ExperimentError>,
) -> Result<T> {
    let halt = Arc::new(Halt::new());
    let mut progress = Progress::new();
    let mut deaf = Ok(());
    let found = run(&halt, &mut |event| {
        // The steps before the games end at once, as nothing is lost by it.
        if matches!(event, Event::Begun(Step::Matches)) {
            deaf = listen_for_signals(halt.clone(), "games");
        }
        progress.show(&event);
    });
    drop(progress);
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
    fn experiment(&self) -> Result<Experiment> {
        let source = |role, named: &Option<PathBuf>, shipped| match named {
            Some(path) => Source::read(role, path),
            None => Ok(Source::shipped(role, shipped)),
        };
        Ok(Experiment {
            concurrency: self.concurrency()?,
            plans_only: self.plans,
            games: source("games", &self.games, discern_data::GAMES)?,
            given: source("openings", &self.openings_file, discern_data::OPENINGS)?,
            pace: match (self.minutes, self.preset) {
                (Some(minutes), _) => Pace::Seconds(60.0 * minutes),
                (None, Preset::Quick) if self.study == Some(StudyChoice::Table) => {
                    Pace::Seconds(TABLE_SECONDS)
                }
                (None, Preset::Quick) => Pace::QUICK,
                (None, Preset::Paper) => Pace::PAPER,
            },
            openings: self.openings.unwrap_or(match self.study {
                Some(StudyChoice::Table) => TABLE_OPENINGS,
                _ => paper::OPENINGS,
            }),
            seed: self.seed,
            speed_nodes: SPEED_NODES,
            program: PROGRAM.to_owned(),
            build: Build::current().program.to_string(),
            command: command_line(),
        })
    }

    /// As many games as cores: more would only wait for each other.
    fn concurrency(&self) -> Result<usize> {
        let cores = cores();
        match self.concurrency.map(usize::from) {
            None => Ok(cores),
            Some(wanted) if wanted > cores => {
                bail!("{wanted} games at the same time on {cores} cores would wait for each other")
            }
            Some(wanted) => Ok(wanted),
        }
    }
}

/// Writes everything that follows from the numbers into a folder, the report
/// last; its path is handed back. Each file appears whole or not at all.
pub fn write_outputs(folder: &Path, found: &Reproduction) -> Result<PathBuf> {
    let files = csv_files(found).into_iter().map(|file| (file.name, file.text));
    let mut report = PathBuf::new();
    for (name, text) in files.chain([("index.html", html(found))]) {
        report = folder.join(name);
        whole_file::write(&report, text.as_bytes(), true)?;
    }
    Ok(report)
}
