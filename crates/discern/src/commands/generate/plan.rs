use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_selfplay::{
    EarlyOutcome, GeneratePlan, Job, Openings, PlayerPlan, Randomness, RunFolder,
};

/// Make a folder with a plan
#[derive(ClapArgs)]
#[command(after_help = "A player is a model and its settings, separated by commas:
  log | fisher | quad | direct | rev | rev-edges | material
                      the evaluation function
  weights=FILE        of learned models, copied into the folder; the shipped ones if left out
  depth=N, nodes=N    the limit of each search (default depth=6)
  selective=true      looks deeper by cutting off what is improbable
  outcome=N, score=N  empty squares from which it proves outcome (16), score (12)

Examples:
  discern generate plan first --player rev --player rev-edges
  discern generate plan second --player rev,depth=6 --player log,weights=first.weights,depth=6
  discern generate plan trial --player rev,nodes=2000 --player rev-edges,nodes=2000 --openings 500")]
pub struct Args {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// One of the two players; give it twice
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<PlayerPlan>,
    /// Length of the openings in moves
    #[arg(long, value_name = "N", default_value_t = Openings::default().plies)]
    plies: u32,
    /// Play only so many openings, drawn by the seed
    #[arg(long, value_name = "N")]
    openings: Option<u32>,
    /// Games from each opening
    #[arg(long, value_name = "N", default_value_t = 6)]
    rounds: u32,
    /// How often a player strays from its best move, in thousandths
    #[arg(long, value_name = "PERMILLE", default_value_t = Randomness::default().chance_permille)]
    chance: u32,
    /// How much a stray move may lose, in thousandths of a logit
    #[arg(long, value_name = "MILLILOGITS",
          default_value_t = Randomness::default().margin_millilogits)]
    margin: u32,
    /// Players stray only while more squares than this are empty
    #[arg(long, value_name = "EMPTIES", default_value_t = Randomness::default().until_empties)]
    stray_until: u32,
    /// The first position with so many empty squares is solved
    #[arg(long, value_name = "EMPTIES", default_value_t = EarlyOutcome::default().empties)]
    solve: u32,
    /// Solve it for the exact score, not only win, draw or loss
    #[arg(long)]
    exact: bool,
    /// Other seeds give other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of shards; about 200 games each if left out
    #[arg(long, value_name = "N")]
    shards: Option<u32>,
}

pub fn run(args: Args) -> Result<()> {
    let Ok(mut players) = <[PlayerPlan; 2]>::try_from(args.players) else {
        bail!("two players are needed: give --player twice");
    };
    std::fs::create_dir_all(&args.folder)?;
    for player in &mut players {
        player.bring_weights(&args.folder)?;
    }
    let mut plan = GeneratePlan {
        openings: Openings { plies: args.plies, count: args.openings },
        rounds: args.rounds,
        randomness: Randomness {
            chance_permille: args.chance,
            margin_millilogits: args.margin,
            until_empties: args.stray_until,
            ..Randomness::default()
        },
        early_outcome: EarlyOutcome { empties: args.solve, exact: args.exact },
        seed: args.seed,
        ..GeneratePlan::between(players)
    }
    .in_shards_of(200);
    if let Some(shards) = args.shards {
        plan.shards = shards;
    }
    let folder = RunFolder::create(&args.folder, &plan)?;
    let games: u64 = (0..plan.shards()).map(|shard| plan.units(shard)).sum();
    let openings = plan.openings.len();
    writeln!(
        std::io::stdout(),
        "plan {}: {openings} openings, {games} games, {} shards",
        folder.fingerprint(),
        plan.shards()
    )?;
    Ok(())
}
