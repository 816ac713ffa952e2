use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::{GRAMMAR, PlayerSpec};
use discern_selfplay::{InputGames, LabelPlan};

use super::over_games::{GameWork, OverGames};

/// Search every position of games, and keep what is thought of it.
///
/// The output has the same games in the same order; evaluations that were there are replaced, and
/// the games say which plan labelled them. A newer model gives old games better labels.
///
/// Finished shards are kept in the work folder until the output is written, and then removed:
/// interrupted, the same command resumes. On many machines: `plan`, `run`, `missing`, `merge`.
#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, and without endgame outcome=16,score=12.

Examples:
  discern label old.games --player direct,depth=8 -o labelled.games

  discern label plan labels old.games --player direct,depth=8
  discern label run labels --shard 17/320          on any machine that has the folder
  discern label merge labels -o labelled.games"))]
pub struct Args {
    #[command(flatten)]
    all: OverGames<Labelling>,
}

/// There is nothing to set but who searches.
#[derive(ClapArgs)]
struct Labelling {}

pub fn run(args: Args) -> Result<()> {
    args.all.run()
}

impl GameWork for Labelling {
    type Plan = LabelPlan;

    const MAKES: &'static str = "labels";

    fn plan(&self, input: InputGames, player: PlayerSpec) -> LabelPlan {
        LabelPlan { input, player }
    }
}
