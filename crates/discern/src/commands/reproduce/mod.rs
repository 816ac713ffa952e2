//! `discern reproduce`: the paper's experiment in one command.

mod progress;

use std::fmt;
use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args as ClapArgs, ValueEnum};
use discern_arena::stats::Tally;
use discern_experiment::{
    Event, Experiment, ExperimentError, Folder, NUMBERS, Pace, Reproduction, SPEED_NODES, Source,
    Step, Study, StudyPlan, StudyResults, cores, hash, paper,
};
use discern_learn::{FITS, Fit, fit_named};
use discern_players::{Halt, PROGRAM};
use discern_report::{
    Align, TextTable, Wording, allowance, csv_files, decimal, html, p_value_to, study_html,
};

use super::jobs::listen_for_signals;
use progress::Progress;

/// Repeat the paper's experiment and write a report.
///
/// Takes the shipped games through the whole circle: classified positions,
/// tables and the models LOG, FISHER and QUAD, a held-out comparison, the speed
/// of the search, the seven rows of the paper's Table 1 from 100 openings, and
/// the time factors of equal strength. Ends with the paper's table next to ours
/// and a report. An interrupted run, even by `kill -9`, resumes when the same
/// command is given again; no finished game is repeated.
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
    #[arg(long, value_name = "M", value_parser = minutes, conflicts_with = "preset")]
    minutes: Option<f64>,
    /// Openings, each played twice with colours reversed; beyond those shipped, more are sought
    /// [default: 100, and 1000 for --study table]
    #[arg(long, value_name = "N", value_parser = openings)]
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

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.0005..=600.0).contains(minutes));
    minutes.ok_or_else(|| "a number of minutes from 0.0005 to 600".into())
}

fn openings(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=5000).contains(count));
    count.ok_or_else(|| "a number from 1 to 5000".into())
}

pub fn run(args: Args) -> Result<()> {
    let experiment = args.experiment()?;
    match args.study {
        Some(StudyChoice::Labels) => return run_study(&args, experiment, Study::Labels),
        Some(StudyChoice::Rivals) => return run_study(&args, experiment, Study::Rivals),
        Some(StudyChoice::Table) => {
            // The shorter table first: it is there soon, and shows what to expect.
            let pace = match experiment.pace {
                Pace::Seconds(seconds) => Pace::Seconds(seconds / 10.0),
                Pace::Nodes(nodes) => Pace::Nodes(nodes / 10.0),
                Pace::NodesPerMove(nodes) => Pace::NodesPerMove((nodes / 10).max(1)),
            };
            let tenth = Experiment { pace, ..experiment.clone() };
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
    let halt = Arc::new(Halt::new());
    let mut progress = Progress::new();
    let mut deaf = Ok(());
    let found = plan.run(&mut folder, &halt, &mut |event| {
        if matches!(event, Event::Begun(Step::Matches)) {
            deaf = listen_for_signals(halt.clone(), "games");
        }
        progress.show(&event);
    });
    drop(progress);
    deaf?;
    let found = found.map_err(with_a_way_out)?;
    let path = args.output.join("index.html");
    discern_files::write(&path, study_html(&found).as_bytes(), true)
        .with_context(|| path.display().to_string())?;
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
            eprintln!("the results were there already; --force would make them anew");
            found
        }
        None => run_with_progress(experiment, &mut folder)?,
    };
    let report = write_outputs(output, &found)?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        stdout.write_all(&std::fs::read(folder.result(NUMBERS))?)?;
    } else {
        writeln!(stdout, "{}\n{}", Results(&found), report.display())?;
    }
    Ok(stdout.flush()?)
}

fn run_with_progress(experiment: &Experiment, folder: &mut Folder) -> Result<Reproduction> {
    let halt = Arc::new(Halt::new());
    let mut progress = Progress::new();
    let mut deaf = Ok(());
    let found = experiment.run(folder, &halt, &mut |event| {
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
            build: build()?,
            command: command(),
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

/// The hash of the program that runs.
fn build() -> Result<String> {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    Ok(hash(&bytes.context("the program cannot read itself")?))
}

/// The command as it was given, to be given to a shell again.
fn command() -> String {
    let mut command = String::from("discern");
    for word in std::env::args().skip(1) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
        command.push(' ');
        match !word.is_empty() && word.chars().all(plain) {
            true => command.push_str(&word),
            false => command.push_str(&format!("'{}'", word.replace('\'', r"'\''"))),
        }
    }
    command
}

/// Writes everything that follows from the numbers into a folder, the report
/// last; its path is handed back. Each file appears whole or not at all.
pub fn write_outputs(folder: &Path, found: &Reproduction) -> Result<PathBuf> {
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let written = discern_files::write(&path, text.as_bytes(), true);
        written.with_context(|| path.display().to_string())?;
        Ok::<PathBuf, anyhow::Error>(path)
    };
    for file in csv_files(found) {
        write(file.name, &file.text)?;
    }
    write("index.html", &html(found))
}

/// Table 1, the paper's and ours, and what agrees.
struct Results<'a>(&'a Reproduction);

impl fmt::Display for Results<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (run, result) = (&self.0.run, |tally: &Tally| {
            format!("{}–{}–{}", tally.wins, tally.draws, tally.losses)
        });
        writeln!(
            f,
            "Table 1: {} pairs a row, {} for the paper's 30 minutes\n",
            run.openings,
            allowance(run.thirty_minutes)
        )?;
        let mut table = TextTable::new([
            ("pairing", Align::Left),
            ("minutes", Align::Left),
            ("paper", Align::Right),
            ("%", Align::Right),
            ("ours", Align::Right),
            ("%", Align::Right),
            ("95 % interval", Align::Right),
            ("p conservative", Align::Right),
            ("p paired", Align::Right),
        ]);
        for row in &self.0.table {
            let ([first, second], [a, b]) = (&row.players, row.minutes);
            let [low, high] = row.percentage_interval().map(|end| decimal(end, 1));
            table.row([
                format!("{first}–{second}"),
                format!("{a}–{b}"),
                result(&row.paper),
                decimal(row.paper.percentage(), 1),
                result(&row.ours.tally),
                decimal(row.ours.percentage(), 1),
                format!("{low} … {high}"),
                p_value_to(4, row.ours.conservative),
                p_value_to(4, row.ours.label_swap),
            ]);
        }
        writeln!(f, "{table}")?;
        let mut findings =
            TextTable::new(["", "claim", "paper", "ours"].map(|name| (name, Align::Left)));
        for finding in &self.0.findings {
            let Wording { claim, paper, ours } = Wording::of(finding);
            findings.row([finding.verdict.word().to_owned(), claim, paper, ours]);
        }
        findings.fmt(f)
    }
}

/// The candidates of a study in a table.
struct StudyTable<'a>(&'a StudyResults);

impl fmt::Display for StudyTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = self.0;
        writeln!(f, "judged on {} {}\n", found.test_positions, found.test)?;
        let mut table = TextTable::new([
            ("candidate", Align::Left),
            ("wrong pairs %", Align::Right),
            ("log loss", Align::Right),
            ("bins off", Align::Right),
            ("jump", Align::Right),
            ("ns", Align::Right),
            ("terms", Align::Left),
            ("%", Align::Right),
            ("95 % interval", Align::Right),
        ]);
        for one in &found.candidates {
            let quality = &one.quality;
            let ns = one.nanoseconds.map_or(String::new(), |ns| decimal(ns, 0));
            let mut cells = vec![
                one.title.clone(),
                decimal(100.0 * quality.discordance, 2),
                decimal(quality.log_loss.value, 4),
                format!("{} of {}", quality.off[0], quality.off[1]),
                decimal(100.0 * quality.jump, 1),
                ns,
            ];
            if one.matches.is_empty() {
                cells.extend(["the yardstick".to_owned(), String::new(), String::new()]);
                table.row(cells);
                continue;
            }
            for played in &one.matches {
                let interval = played.ours.score_interval;
                let mut row = std::mem::replace(&mut cells, vec![String::new(); 6]);
                row.extend([
                    allowance(played.allowed),
                    decimal(played.ours.percentage(), 1),
                    format!(
                        "{} … {}",
                        decimal(100.0 * interval.low, 1),
                        decimal(100.0 * interval.high, 1)
                    ),
                ]);
                table.row(row);
            }
        }
        table.fmt(f)
    }
}
