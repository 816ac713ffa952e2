use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_players::{GRAMMAR, Openings, PlayerSpec, Randomness, RunFolder, Shard, WeightStore};
use discern_selfplay::{EarlyOutcome, GeneratePlan};

use super::jobs::{FolderCommand, PlanArgs};

/// Play games of two players from all openings, cut into shards.
///
/// A plan stands in a folder of its own, with the weights it needs. Shard i of
/// n has the same bytes wherever it is made, so that a run may be interrupted
/// at any moment, resumed, and shared by any number of machines.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern generate plan first --player rev,depth=6 --player rev-edges,depth=6 --rounds 6
  discern generate run first                       on all cores; interrupted, it resumes
  discern generate run first --shard 17/320        one shard, on a machine of a cluster
  discern generate missing first                   which shards are not there yet
  discern generate missing first | xargs -P 8 -n 1 discern generate run first --shard
  discern generate merge first -o first.games      all shards, with a manifest beside")]
pub struct Args {
    #[command(subcommand)]
    command: FolderCommand<GenerateArgs>,
}

/// Make a folder with a plan
#[derive(ClapArgs)]
#[command(after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, without endgame outcome=16,score=12,
and strays as --chance, --margin and --stray-until say.

Examples:
  discern generate plan first --player rev --player rev-edges
  discern generate plan second --player rev,depth=6 --player log,weights=first.weights,depth=6
  discern generate plan trial --player log,nodes=2000 --player log,nodes=2000 --openings 500"))]
struct GenerateArgs {
    /// Folder to make; the same plan again changes nothing
    folder: PathBuf,
    /// One of the two players, which may be equal; give it twice (see --help)
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<PlayerSpec>,
    /// Length of the openings in moves
    #[arg(long, value_name = "N", default_value_t = 7)]
    plies: u32,
    /// Play only this many openings, drawn by the seed
    #[arg(long, value_name = "N")]
    openings: Option<u32>,
    /// Games from each opening
    #[arg(long, value_name = "N", default_value_t = 6)]
    rounds: u32,
    /// How often a player strays from its best move, in thousandths
    #[arg(long, value_name = "PERMILLE", default_value_t = Randomness::USUAL.chance_permille)]
    chance: u32,
    /// How much a stray move may lose, in thousandths of a logit; from 60000 on
    /// it is any move
    #[arg(long, value_name = "MILLILOGITS",
          default_value_t = Randomness::USUAL.margin_millilogits)]
    margin: u32,
    /// Players stray only while more squares than this are empty
    #[arg(long, value_name = "EMPTIES", default_value_t = Randomness::USUAL.until_empties)]
    stray_until: u32,
    /// The first position with this many empty squares is solved
    #[arg(long, value_name = "EMPTIES", default_value_t = EarlyOutcome::default().empties)]
    solve: u32,
    /// Solve it for the exact score, not only win, draw or loss
    #[arg(long)]
    exact: bool,
    /// Keep what the search thought of each position, to learn from
    #[arg(long)]
    evaluations: bool,
    /// Other seeds give other games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of shards; about 200 games each if left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(Shard::MOST)))]
    shards: Option<u32>,
}

pub fn run(args: Args) -> Result<()> {
    args.command.run()
}

impl PlanArgs for GenerateArgs {
    type Plan = GeneratePlan;

    fn create(self) -> Result<(RunFolder<GeneratePlan>, String)> {
        let Ok(mut players) = <[PlayerSpec; 2]>::try_from(self.players) else {
            bail!("two players are needed: give --player twice");
        };
        for player in &mut players {
            player.randomness.get_or_insert(Randomness {
                chance_permille: self.chance,
                margin_millilogits: self.margin,
                until_empties: self.stray_until,
                ..Randomness::USUAL
            });
        }
        let store = WeightStore::new();
        let mut plan = GeneratePlan {
            openings: Openings::Distinct { plies: self.plies, count: self.openings },
            rounds: self.rounds,
            early_outcome: EarlyOutcome { empties: self.solve, exact: self.exact },
            evaluations: self.evaluations,
            seed: self.seed,
            ..GeneratePlan::between(players, &store)?
        }
        .in_shards_of(200);
        plan.shards = self.shards.unwrap_or(plan.shards);
        let openings = plan.openings.len();
        let folder = RunFolder::create(&self.folder, plan, &store, false)?;
        Ok((folder, format!("{openings} openings")))
    }
}
