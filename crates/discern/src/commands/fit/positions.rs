//! `discern fit --positions`: tables and models of every phase from classified
//! positions.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use clap::Args as ClapArgs;
use discern_eval::{Features, hand_set};
use discern_learn::{
    ClassifiedPosition, Evidence, FITS, FitSettings, Split, Window, fit, fit_named, load_positions,
};
use discern_players::command_line;
use discern_report::print_weights;
use discern_stats::{Threads, Trials};

use super::PriorChoice;
use crate::commands::whole_file::check_free;
use crate::numbers::within;

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
    #[arg(long, value_name = "SHARE", value_parser = within(0.05..=0.95))]
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
    #[arg(long, value_name = "SHARE", value_parser = within(0.05..=0.95))]
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
    let fit = |positions: &[ClassifiedPosition]| {
        fit(positions, &settings, &command_line())
            .with_context(|| format!("while fitting {}", args.positions.display()))
    };
    let mut fitted = fit(&positions)?;
    if let Some(share) = args.held_out {
        let split = Split::by_group(&positions, share, 1);
        fitted.note_held_out(&fit(&split.training)?.weights, &split.test);
    }
    let seconds = start.elapsed().as_secs_f64();
    fitted
        .weights
        .save(&args.output)
        .with_context(|| format!("while writing {}", args.output.display()))?;
    let mut out = std::io::stdout().lock();
    if args.json {
        for object in fitted.phase_objects() {
            writeln!(out, "{object}")?;
        }
    } else {
        print_weights(&mut out, &fitted)?;
    }
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}
