use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use clap::Args as ClapArgs;
use discern_eval::{Features, hand_set};
use discern_learn::{
    ClassifiedPosition, Evidence, FITS, FitSettings, Split, Window, fit, fit_names, load_positions,
    parse_fit,
};
use discern_players::{command_line, weights_of};
use discern_report::print_weights;
use discern_stats::{Prior, Threads};

use crate::output::show_all;
use crate::place::{At, check_free};
use crate::values::{one_of, within};

/// Make the tables of the features and fit models for every phase
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern fit --positions all.positions --output new.weights
  discern fit --positions all.positions --output new.weights --models log,direct --held-out 0.2
  discern fit --positions all.positions --into default.weights --output new.weights
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
    /// Weight file of which models with other names and features of their own are kept
    #[arg(long, value_name = "FILE")]
    into: Option<PathBuf>,
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
    #[arg(long, value_parser = one_of(Prior::WORDS), default_value = "equal")]
    prior: Prior,
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
        let models = learned.map(|name| parse_fit(name).map_err(Error::msg));
        let models = models.collect::<Result<Vec<_>>>()?;
        Ok(FitSettings {
            features: self.features.clone(),
            models: if self.models.is_empty() { defaults.models } else { models },
            window: Window { reach: self.window, same_parity: self.same_parity },
            evidence: match self.split_tables {
                Some(tables) => Evidence::Split { tables },
                None => defaults.evidence,
            },
            levels: defaults.levels.filter(|_| !self.pooled_intercepts),
            trials: self.trials.into(),
            prior: self.prior,
            threads: self.threads.unwrap_or(defaults.threads),
            ..defaults
        })
    }
}

/// What `--models` may be.
fn models() -> String {
    let usual: Vec<_> = FITS.iter().filter(|fit| fit.usual).map(|fit| fit.name).collect();
    format!("Models, of {} [default: {}]", fit_names(), usual.join(","))
}

pub fn run(args: Args) -> Result<()> {
    check_free(&args.output, args.force)?;
    let positions = load_positions(&args.positions).reading(&args.positions)?;
    let settings = args.settings.settings()?;
    let into = args.into.as_deref().map(|path| weights_of(Some(path))).transpose()?;
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
    let written = match &into {
        Some(others) => fitted.weights.keeping(others)?,
        None => fitted.weights.clone(),
    };
    written.save(&args.output).writing(&args.output)?;
    show_all(args.json, fitted.phase_objects(), |out| print_weights(out, &fitted))?;
    eprintln!("{} positions fitted in {seconds:.1} s", positions.len());
    Ok(())
}
