//! `discern reproduce`: the paper's experiment in one command.

mod engine;
mod figures;
mod findings;
mod folder;
mod learning;
mod machine;
mod matches;
mod moment;
mod openings;
mod outputs;
mod pace;
mod paper;
mod progress;
mod rows;
mod source;
mod speed;
mod steps;
mod table;

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_report::reproduction::{FORMAT, FileFact, Reproduction, Run};
use discern_selfplay::PROGRAM;

use crate::shipped;
use folder::{Folder, Settings, write_whole};
use matches::{Hall, Played};
pub use outputs::write as write_outputs;
use pace::{Pace, Preset};
use paper::TABLE;
use source::{Source, file_fact};
use steps::Steps;

/// Repeat the paper's experiment and write a report.
///
/// Takes the shipped games through the whole circle: classified positions,
/// tables and the models LOG, FISHER and QUAD, a held-out comparison, the speed
/// of the search, the seven rows of the paper's Table 1 from 100 openings, and
/// the time factors of equal strength. Ends with the paper's table next to ours
/// and a report. An interrupted run, even by `kill -9`, goes on when the same
/// command is given again; no finished game is repeated.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern reproduce                          about ten minutes on two cores
  discern reproduce --preset paper -o paper  as many nodes as in 1995, some hours
  discern reproduce --minutes 0.1 --openings 1000 -o long
  discern reproduce --games my.games -o mine --json")]
pub struct Args {
    /// How long the games take
    #[arg(long, value_enum, default_value_t = Preset::Quick)]
    preset: Preset,
    /// Minutes a side has for a game, instead of the paper's 30
    #[arg(long, value_name = "M", value_parser = minutes, conflicts_with = "preset")]
    minutes: Option<f64>,
    /// Openings, each played twice with colours reversed; beyond those shipped, more are sought
    #[arg(long, value_name = "N", default_value_t = paper::OPENINGS, value_parser = openings::count)]
    openings: usize,
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

/// The file of all results.
pub const NUMBERS: &str = "numbers.json";

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| (0.0005..=600.0).contains(minutes));
    minutes.ok_or_else(|| "a number of minutes from 0.0005 to 600".into())
}

pub fn run(args: Args) -> Result<()> {
    let concurrency = args.concurrency()?;
    let games = Source::new("games", args.games.as_deref(), shipped::GAMES)?;
    let openings = Source::new("openings", args.openings_file.as_deref(), shipped::OPENINGS)?;
    // What cannot be read is refused before anything is written.
    games.games()?;
    openings.openings()?;
    let pace = Pace::new(args.preset, args.minutes);
    let settings = Settings {
        program: PROGRAM.to_owned(),
        build: build()?,
        pace,
        openings: args.openings,
        seed: args.seed,
        games: games.fact().blake3,
        openings_file: openings.fact().blake3,
    };
    let mut folder = Folder::open(&args.output, &settings, args.force)?;
    let found = match finished(&folder)? {
        Some(found) => {
            eprintln!("the results were there already; --force would make them anew");
            found
        }
        None => args.reproduce(&games, &openings, pace, concurrency, &mut folder)?,
    };
    let report = write_outputs(&args.output, &found)?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        stdout.write_all(&std::fs::read(folder.result(NUMBERS))?)?;
    } else {
        writeln!(stdout, "{}\n{}", table::text(&found), report.display())?;
    }
    Ok(stdout.flush()?)
}

/// The results of a run that came to its end.
fn finished(folder: &Folder) -> Result<Option<Reproduction>> {
    let path = folder.result(NUMBERS);
    let done: Option<String> = folder.load(DONE)?;
    match std::fs::read(&path) {
        // Whole and untouched since; otherwise the work tells it again.
        Ok(bytes) if done.is_some_and(|hash| hash == file_fact("", &bytes).blake3) => {
            Ok(serde_json::from_slice(&bytes).ok())
        }
        _ => Ok(None),
    }
}

/// Holds the hash of the numbers once they are written.
const DONE: &str = "done.json";

impl Args {
    fn reproduce(
        &self,
        games: &Source,
        given: &Source,
        pace: Pace,
        concurrency: usize,
        folder: &mut Folder,
    ) -> Result<Reproduction> {
        let mut steps = Steps::new(6);
        let (learned, weights) = learning::learn(games, self.seed, folder, &mut steps)?;
        let measured = speed::measure(&weights, &learned.probes, pace, folder, &mut steps)?;
        steps.begin("Table 1");
        let openings =
            openings::openings(given, self.openings, &weights, self.seed, concurrency, folder)?;
        let hall = Hall {
            weights: Arc::new(weights),
            weights_hash: learned.weights.clone(),
            openings,
            seconds: measured.seconds,
            concurrency,
            folder,
        };
        let played = matches::play(hall)?;
        steps.done(&format!("{} games", 2 * self.openings * played.len()));

        steps.begin("time factors of equal strength");
        let table = TABLE.iter().zip(&played);
        let table = table.map(|(row, played)| rows::match_row(row, played, self.seed)).collect();
        let equal_strength = rows::equal_strength(&played, self.seed);
        let told = equal_strength.iter().filter(|equal| equal.factor.is_some()).count();
        steps.done(&format!("{told} of {} can be told", equal_strength.len()));

        steps.begin("report");
        folder.save_time()?;
        let mut found = Reproduction {
            format: FORMAT,
            run: Run {
                command: command(),
                program: PROGRAM.to_owned(),
                preset: pace.name().to_owned(),
                seconds_for_thirty_minutes: measured.seconds,
                openings: self.openings,
                started: folder.started().to_owned(),
                finished: moment::now(),
                seconds: folder.seconds(),
                machine: machine::machine(concurrency),
                concurrency,
                seed: self.seed,
                files: files(games, given, folder, &played)?,
            },
            database: learned.database,
            densities: learned.densities,
            winning_curve: learned.winning_curve,
            fits: learned.fits,
            quality: learned.quality,
            speed: measured.speed,
            table,
            balanced_openings: rows::balanced_openings(&played),
            equal_strength,
            findings: Vec::new(),
        };
        found.findings = findings::findings(&found);
        let json = serde_json::to_string_pretty(&found)? + "\n";
        write_whole(&folder.result(NUMBERS), json.as_bytes())?;
        folder.save(DONE, &file_fact("", json.as_bytes()).blake3)?;
        steps.done(&format!("{} in all", steps::duration(found.run.seconds)));
        Ok(found)
    }

    /// As many games as cores: more would only wait for each other.
    fn concurrency(&self) -> Result<usize> {
        let cores = machine::cores();
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
    Ok(file_fact("", &bytes.context("the program cannot read itself")?).blake3)
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

/// Everything that was read and made, by its hash.
fn files(
    games: &Source,
    openings: &Source,
    folder: &Folder,
    played: &[Played],
) -> Result<Vec<FileFact>> {
    let made = |role: &str, path: &Path| -> Result<FileFact> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        Ok(file_fact(role, &bytes))
    };
    let mut files = vec![games.fact(), openings.fact()];
    files.push(made("fitted weights", &folder.work(learning::WEIGHTS))?);
    for (row, played) in TABLE.iter().zip(played) {
        let ([first, second], [a, b]) = (row.players.map(|model| model.title()), row.minutes);
        files.push(made(&format!("games {first}–{second} {a}–{b}"), &played.archive)?);
    }
    Ok(files)
}
