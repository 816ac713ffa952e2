//! `discern fit --positions`: tables and models of every phase from classified
//! positions.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use discern_eval::{Features, LinearModel, hand_set};
use discern_learn::{
    ClassifiedPosition, Evidence, FITS, FitSettings, Fitted, Split, Window, fit, fit_named,
    held_out, load_positions,
};
use discern_report::{Align, TextTable};
use discern_stats::{Threads, Trials, compare_covariances};
use serde_json::{Value, json};

use super::PriorChoice;
use crate::commands::whole_file::check_free;

/// Make the tables of the features and fit models for every phase
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern fit --positions all.positions --output new.weights
  discern fit --positions all.positions --output new.weights --models log,direct --held-out 0.2
  discern fit --positions all.positions --output no-mobility.weights --features=-MOB,-PMOB")]
pub struct Args {
    /// Classified positions
    positions: PathBuf,
    /// Weight file to write
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Overwrite the weight file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    settings: SettingArgs,
    /// Keep this share of the games apart to measure how good the models are, note it in the
    /// weight file, and then fit them to all games: twice the time
    #[arg(long, value_name = "SHARE", value_parser = share)]
    held_out: Option<f64>,
    /// Print one JSON object per phase and model
    #[arg(long)]
    json: bool,
}

/// What can be set about tables and fits.
#[derive(ClapArgs)]
pub struct SettingArgs {
    /// Features to use (MOB,R1,…), to leave out of the paper's (-MOB,…) or to add (+NAME,…)
    #[arg(long, default_value_t = Features::default(), hide_default_value = true,
          allow_hyphen_values = true)]
    features: Features,
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = models())]
    models: Vec<String>,
    /// Disc counts on either side that lend their positions to a phase
    #[arg(long, value_name = "N", default_value_t = Window::default().reach)]
    window: u32,
    /// Pool even disc counts with even ones, odd with odd: steps of two discs
    #[arg(long)]
    same_parity: bool,
    /// Fill the tables with this share of the games and fit the weights to the
    /// others, instead of leaving each game's own evidence out
    #[arg(long, value_name = "SHARE", value_parser = share)]
    split_tables: Option<f64>,
    /// Leave each disc count with the intercept of its pool, instead of one of its own
    #[arg(long)]
    pooled_intercepts: bool,
    /// Trials n behind each position in LOG: y = n−1 won, 1 lost; 1 for plain labels
    #[arg(long, value_name = "N", default_value_t = 100)]
    trials: u32,
    /// A priori probabilities of FISHER and QUAD
    #[arg(long, value_enum, default_value_t = PriorChoice::Equal)]
    prior: PriorChoice,
    /// Threads; the result does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<Threads>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.05..=0.95).contains(&share) => Ok(share),
        _ => Err("must be a share between 0.05 and 0.95".into()),
    }
}

impl SettingArgs {
    /// The models asked for by name; none means the usual ones.
    pub fn models(&self) -> &[String] {
        &self.models
    }

    /// The settings meant.
    pub fn settings(&self) -> Result<FitSettings> {
        let defaults = FitSettings::default();
        let learned = self.models.iter().filter(|name| hand_set(name).is_none());
        let models = learned
            .map(|name| {
                fit_named(name).ok_or_else(|| anyhow!("there is no fit of '{name}'; {}", models()))
            })
            .collect::<Result<Vec<_>>>()?;
        Ok(FitSettings {
            features: self.features.clone(),
            models: if self.models.is_empty() { defaults.models } else { models },
            window: Window { reach: self.window, same_parity: self.same_parity },
            evidence: match self.split_tables {
                Some(tables) => Evidence::Split { tables },
                None => defaults.evidence,
            },
            levels: defaults.levels.filter(|_| !self.pooled_intercepts),
            trials: match self.trials {
                1 => Trials::One,
                n => Trials::Each(f64::from(n)),
            },
            prior: self.prior.into(),
            threads: self.threads.unwrap_or(defaults.threads),
            tables: defaults.tables,
            least_rows: defaults.least_rows,
            imbalance: defaults.imbalance,
        })
    }
}

/// What `--models` may be.
fn models() -> String {
    let all: Vec<_> = FITS.iter().map(|fit| fit.name).collect();
    let usual: Vec<_> = FITS.iter().filter(|fit| fit.usual).map(|fit| fit.name).collect();
    format!("Models, of {} [default: {}]", all.join(", "), usual.join(","))
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    let positions = load_positions(&args.positions)
        .with_context(|| format!("while reading {}", args.positions.display()))?;
    let settings = args.settings.settings()?;
    let start = Instant::now();
    let command: Vec<String> = std::env::args().collect();
    let fit = |positions: &[ClassifiedPosition]| {
        fit(positions, &settings, &command.join(" "))
            .with_context(|| format!("while fitting {}", args.positions.display()))
    };
    let mut fitted = fit(&positions)?;
    if let Some(share) = args.held_out {
        let split = Split::by_group(&positions, share, 1);
        let others = fit(&split.training)?.weights;
        let measured = others.models().iter().map(|m| held_out(&m.evaluator(), &split.test));
        fitted.note_held_out(measured.collect());
    }
    let seconds = start.elapsed().as_secs_f64();
    fitted
        .weights
        .save(&args.output)
        .with_context(|| format!("while writing {}", args.output.display()))?;
    let mut out = std::io::stdout().lock();
    if args.json {
        for object in phase_objects(&fitted) {
            writeln!(out, "{object}")?;
        }
    } else {
        print_summary(&mut out, &fitted)?;
    }
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}

/// One object per phase and model, in the form of `discern fit --json`.
fn phase_objects(fitted: &Fitted) -> Vec<Value> {
    let mut objects = Vec::new();
    for (place, phase) in fitted.phases.iter().enumerate() {
        for (model, ends) in fitted.weights.models().iter().zip(&fitted.ends) {
            let Some(end) = ends.get(place) else { continue };
            let mut object = json!({
                "phase": phase.discs,
                "model": model.name(),
                "rows": phase.moments.rows,
            });
            let mut add = |more: Value| {
                if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
                    object.extend(more);
                }
            };
            add(model.describe(phase.discs));
            if let Some(stop) = end.stop {
                add(json!({ "stop": stop.word(), "iterations": end.steps }));
            }
            if let Some(log_likelihood) = end.log_likelihood {
                add(json!({ "log_likelihood": log_likelihood }));
            }
            objects.push(object);
        }
    }
    objects
}

/// A line per phase: positions, how far the classes differ, and of the first
/// linear model how its fit went and its weights in standard errors.
fn print_summary(out: &mut impl Write, fitted: &Fitted) -> Result<()> {
    let linear = fitted.weights.models().iter().zip(&fitted.ends);
    let linear =
        linear.filter_map(|(named, ends)| Some((named, named.get::<LinearModel>()?, ends)));
    let linear = linear.take(1).collect::<Vec<_>>().pop();
    let features = fitted.weights.basis().features();
    let columns = [
        ("discs", Align::Right),
        ("positions", Align::Right),
        ("won %", Align::Right),
        ("drawn %", Align::Right),
        ("stop", Align::Left),
        ("ΔΣ %", Align::Right),
    ];
    let names = linear.iter().flat_map(|_| features.iter().map(|feature| feature.name()));
    let columns = columns.into_iter().chain(names.map(|name| (name, Align::Right)));
    let mut table = TextTable::new(columns);
    for (place, phase) in fitted.phases.iter().enumerate() {
        let moments = &phase.moments;
        let share = |weight: f64| format!("{:.1}", 100.0 * weight / moments.rows);
        let difference = compare_covariances(moments).map_or(f64::NAN, |c| c.relative_difference);
        let stop = linear.and_then(|(_, _, ends)| ends[place].stop);
        let cells = [
            phase.discs.to_string(),
            format!("{:.0}", moments.rows),
            share(moments.won.weight),
            share(moments.undecided),
            stop.map_or("–", |stop| stop.word()).to_owned(),
            format!("{:.0}", 100.0 * difference),
        ];
        let errors = linear.map(|(_, model, _)| model.phases.at(phase.discs));
        let errors = errors.and_then(|p| Some(p.weights.iter().zip(&p.errors.as_ref()?.weights)));
        let weights = errors.into_iter().flatten().map(|(weight, error)| match *error > 0.0 {
            true => format!("{:.1}", weight / error),
            false => "–".to_owned(),
        });
        table.row(cells.into_iter().chain(weights));
    }
    write!(out, "{table}")?;
    if let Some((named, ..)) = linear {
        writeln!(out, "stop and features: {}, weight / standard error", named.title())?;
    }
    let mut told: Vec<&String> = Vec::new();
    for remark in fitted.weights.models().iter().flat_map(|model| &model.manifest.remarks) {
        if !told.contains(&remark) {
            writeln!(out, "{remark}")?;
            told.push(remark);
        }
    }
    Ok(())
}
