//! `discern fit --positions`: tables and models of every phase from classified
//! positions.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args as ClapArgs;
use discern_eval::{Feature, FeatureSet, LinearModel, QuadraticModel, Weights};
use discern_learn::{
    DirectSettings, Evidence, FitSettings, Fitted, PhaseFit, Window, fit, fit_direct,
    load_positions,
};
use discern_stats::{Threads, Trials, compare_covariances};
use serde_json::{Map, Value, json};

use super::PriorChoice;
use crate::commands::whole_file::check_free;

/// Make the tables of the 13 features and fit LOG, FISHER and QUAD for every phase
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern fit --positions all.positions --output new.weights
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
    /// Also fit the direct model, a weight for every configuration
    #[arg(long)]
    direct: bool,
    /// Print one JSON object per phase and model
    #[arg(long)]
    json: bool,
}

/// What can be set about tables and fits.
#[derive(ClapArgs)]
pub struct SettingArgs {
    /// Features to use (MOB,R1,…) or to leave out (-MOB,…)
    #[arg(long, default_value_t = FeatureSet::ALL, hide_default_value = true,
          allow_hyphen_values = true)]
    features: FeatureSet,
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
    /// Trials n behind each position in LOG: y = n−1 won, 1 lost; 1 for plain labels
    #[arg(long, value_name = "N", default_value_t = 100)]
    trials: u32,
    /// A priori probabilities of FISHER and QUAD
    #[arg(long, value_enum, default_value_t = PriorChoice::Equal)]
    prior: PriorChoice,
    /// Threads; the result does not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.05..=0.95).contains(&share) => Ok(share),
        _ => Err("must be a share between 0.05 and 0.95".into()),
    }
}

impl SettingArgs {
    /// The settings meant.
    pub fn settings(&self) -> FitSettings {
        let defaults = FitSettings::default();
        FitSettings {
            features: self.features,
            window: Window { reach: self.window, same_parity: self.same_parity },
            evidence: match self.split_tables {
                Some(tables) => Evidence::Split { tables },
                None => defaults.evidence,
            },
            trials: match self.trials {
                1 => Trials::One,
                n => Trials::Each(f64::from(n)),
            },
            prior: self.prior.into(),
            threads: self.threads.map_or(defaults.threads, Threads::new),
            ..defaults
        }
    }
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    let positions = load_positions(&args.positions)
        .with_context(|| format!("while reading {}", args.positions.display()))?;
    let settings = args.settings.settings();
    let start = Instant::now();
    let command: Vec<String> = std::env::args().collect();
    let mut fitted = fit(&positions, &settings, &command.join(" "))
        .with_context(|| format!("while fitting {}", args.positions.display()))?;
    if args.direct {
        let direct = DirectSettings { threads: settings.threads, ..DirectSettings::default() };
        fitted.weights.direct = Some(fit_direct(&positions, &direct)?);
    }
    let seconds = start.elapsed().as_secs_f64();
    fitted
        .weights
        .save(&args.output)
        .with_context(|| format!("while writing {}", args.output.display()))?;
    if args.json {
        for object in phase_objects(&fitted) {
            println!("{object}");
        }
    } else {
        print_summary(&fitted);
    }
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}

/// One object per phase and model, in the form of `discern fit --json`.
fn phase_objects(fitted: &Fitted) -> Vec<Value> {
    let Weights { log, fisher, quad, .. } = &fitted.weights;
    let mut objects = Vec::new();
    for phase in &fitted.phases {
        let rows = phase.moments.rows;
        let mut linear = |model: &str, fit: &LinearModel, more: Value| {
            let mut object = json!({
                "phase": phase.discs,
                "model": model,
                "rows": rows,
                "coefficients": named(phase, fit.intercept, &fit.weights),
            });
            if let Some(errors) = &fit.errors {
                object["standard_errors"] = named(phase, errors.intercept, &errors.weights);
            }
            if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more) {
                object.extend(more);
            }
            objects.push(object);
        };
        let stop = json!({
            "stop": phase.log.stop.word(),
            "iterations": phase.log.steps,
            "log_likelihood": phase.log.log_likelihood,
        });
        linear("log", log.at(phase.discs), stop);
        let likelihood = json!({ "log_likelihood": phase.fisher.log_likelihood });
        linear("fisher", fisher.at(phase.discs), likelihood);
        let QuadraticModel { constant, linear, quadratic } = quad.at(phase.discs);
        objects.push(json!({
            "phase": phase.discs,
            "model": "quad",
            "rows": rows,
            "features": Feature::ALL.map(Feature::name),
            "quadratic": quadratic,
            "linear": linear,
            "constant": constant,
            "log_likelihood": phase.quad.log_likelihood,
        }));
    }
    objects
}

fn named(phase: &PhaseFit, intercept: f64, weights: &[f64]) -> Value {
    let mut map = Map::new();
    map.insert("(intercept)".into(), json!(intercept));
    for feature in phase.features.features() {
        map.insert(feature.name().into(), json!(weights[feature.index()]));
    }
    Value::Object(map)
}

/// A line per phase: positions, how LOG went, how far the classes differ, and
/// LOG's weights in standard errors.
fn print_summary(fitted: &Fitted) {
    print!("discs positions  won % drawn %  stop        ΔΣ %");
    Feature::ALL.iter().for_each(|feature| print!(" {feature:>6}"));
    println!("   (LOG: weight / standard error)");
    for phase in &fitted.phases {
        let moments = &phase.moments;
        let drawn = moments.undecided / moments.rows;
        let won = moments.won.weight / moments.rows;
        let difference = compare_covariances(moments).map_or(f64::NAN, |c| c.relative_difference);
        print!(
            "{:5} {:9.0} {:6.1} {:7.1}  {:11} {:4.0}",
            phase.discs,
            moments.rows,
            100.0 * won,
            100.0 * drawn,
            phase.log.stop.word(),
            100.0 * difference
        );
        let model = fitted.weights.log.at(phase.discs);
        for feature in Feature::ALL {
            let error = model.errors.as_ref().map_or(0.0, |e| e.weights[feature.index()]);
            if error > 0.0 {
                print!(" {:6.1}", model.weights[feature.index()] / error);
            } else {
                print!("      –");
            }
        }
        println!();
    }
    for remark in &fitted.weights.manifest.remarks {
        println!("{remark}");
    }
}
