use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_players::{Crew, Halt, Openings, cores};
use discern_report::print_generation;
use discern_train::{Course, Doing, Event, Generation, Settings};
use indicatif::ProgressBar;

use crate::output::show;
use crate::progress::styled;
use crate::signals::halt_on_signals;

/// Learn the engine's model from nothing, generation by generation.
///
/// The newest model plays itself, its searches judge every position they meet,
/// and the next model is fitted to these judgements. After each generation it
/// is measured on games that taught it nothing and meets the one before. The
/// first generation is played by hand-set heuristics. Killed at any moment, the
/// same command resumes. A larger --generations continues from there.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern train mine                                       small: some minutes
  discern train mine --generations 6                       three more
  discern train strong --games 50000 --depth 8 --generations 5
  discern tournament --player direct,weights=mine/generation-3.weights --player direct")]
pub struct Args {
    /// Folder of the training; made if it is not there
    folder: PathBuf,
    /// Generations in all
    #[arg(long, value_name = "N", default_value_t = 3)]
    generations: u32,
    /// Games of a generation
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// Games without random moves, whose outcomes calibrate the odds
    #[arg(long, value_name = "N")]
    calm: Option<u32>,
    /// Plies that the players look ahead
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Features of the model, such as R1,R2,TRI
    #[arg(long, value_name = "NAMES")]
    features: Option<String>,
    /// How far what came later corrects what a search thought, in thousandths
    #[arg(long, value_name = "PERMILLE")]
    hindsight: Option<u32>,
    /// Generations whose games teach a model
    #[arg(long, value_name = "N")]
    memory: Option<u32>,
    /// Pairs of games against the generation before; 0 for none
    #[arg(long, value_name = "N")]
    pairs: Option<u32>,
    /// Nodes a move in these
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Other seeds give other games
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games at a time; all cores if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print one JSON object per generation
    #[arg(long)]
    json: bool,
}

impl Args {
    /// What the folder began with, where it began, with what is asked for.
    fn settings(&self) -> Result<Settings> {
        let before = Course::settings_of(&self.folder)?.unwrap_or_default();
        Ok(Settings {
            games: self.games.unwrap_or(before.games),
            calm_games: self.calm.unwrap_or(before.calm_games),
            depth: self.depth.unwrap_or(before.depth),
            features: self.features.clone().unwrap_or(before.features),
            hindsight_permille: self.hindsight.unwrap_or(before.hindsight_permille),
            memory: self.memory.unwrap_or(before.memory),
            pairs: self.pairs.unwrap_or(before.pairs),
            nodes: self.nodes.unwrap_or(before.nodes),
            seed: self.seed.unwrap_or(before.seed),
            ..before
        })
    }
}

pub fn run(args: Args) -> Result<()> {
    if args.generations == 0 {
        bail!("--generations: at least one");
    }
    let keep = discern_data::weights();
    let course = Course::open(&args.folder, args.settings()?, keep, Openings::shipped())?;
    let halt = Arc::new(Halt::new());
    halt_on_signals(halt.clone(), "games")?;
    let threads = args.threads.map_or_else(cores, usize::from);
    let mut finished = course.finished()?;
    for generation in &finished {
        print(&args, generation)?;
    }
    while (finished.len() as u32) < args.generations {
        let bar = styled(ProgressBar::new(0), "{msg} {bar:40} {pos}/{len}, {eta} left");
        let crew = Crew { threads, restart: false, halt: &halt };
        let generation = course.advance(crew, &|event| follow(&bar, event));
        bar.finish_and_clear();
        let generation = generation?;
        print(&args, &generation)?;
        finished.push(generation);
    }
    Ok(())
}

fn follow(bar: &ProgressBar, event: Event) {
    let Event { generation, doing, done, of } = event;
    let what = format!("generation {generation}: {}", doing.word());
    if doing == Doing::Fitting {
        return bar.println(format!("{what} {of} positions"));
    }
    if bar.message() != what {
        // A new kind of work: the time left begins anew.
        bar.reset();
        bar.set_message(what);
        bar.set_length(of);
        bar.set_position(done);
        bar.reset_eta();
    }
    bar.set_position(done);
}

fn print(args: &Args, generation: &Generation) -> Result<()> {
    show(args.json, generation, |out| print_generation(out, generation))
}
