use anyhow::Result;
use clap::Args as ClapArgs;
use discern_players::{GRAMMAR, PlayerSpec};
use discern_selfplay::{CorrectPlan, InputGames};

use super::over_games::{GameWork, OverGames};

/// Search an archive for obvious errors and play better moves out.
///
/// A move is an error if it throws the outcome away beyond doubt: proven by the
/// solver near the end, or before by a search that is sure of the outcome
/// before and after the move, confirmed by a deeper one. The output has all
/// games of the archive, unchanged, and behind them a new game for every error,
/// which says what it corrects. Errors that the archive has corrections of are
/// left alone, so that the output may be corrected again.
///
/// Finished shards are kept in the work folder until the output is written, and
/// then removed: interrupted, the same command resumes.
///
/// On many machines a correction is planned, cut into shards, made anywhere, and
/// merged: `plan`, `run`, `missing`, `merge`.
#[derive(ClapArgs)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true,
    after_long_help = format!("{GRAMMAR}

Here a player without a limit has depth=6, and without endgame outcome=16,score=12.

Examples:
  discern correct first.games --player log,weights=first.weights,depth=8 -o corrected.games
  discern correct first.games --player rev,depth=4 --prove 14 -o quick.games --threads 2

  discern correct plan better first.games --player log,depth=8
  discern correct run better --shard 17/320        on any machine that has the folder
  discern correct merge better -o corrected.games"))]
pub struct Args {
    #[command(flatten)]
    all: OverGames<Correcting>,
}

/// What counts as an error.
#[derive(ClapArgs)]
struct Correcting {
    /// Prove outcomes from this many empty squares on
    #[arg(long, value_name = "EMPTIES", default_value_t = 20)]
    prove: u32,
    /// An estimate beyond this is sure, in thousandths of a logit
    #[arg(long, value_name = "MILLILOGITS", default_value_t = 2000)]
    certain: u32,
    /// How many plies deeper a suspicion is checked
    #[arg(long, value_name = "PLIES", default_value_t = 2)]
    deeper: u32,
}

pub fn run(args: Args) -> Result<()> {
    args.all.run()
}

impl GameWork for Correcting {
    type Plan = CorrectPlan;

    const MAKES: &'static str = "corrections";

    fn plan(&self, input: InputGames, player: PlayerSpec) -> CorrectPlan {
        CorrectPlan {
            deeper: self.deeper,
            certain_millilogits: self.certain,
            proven_empties: self.prove,
            ..CorrectPlan::of(input, player)
        }
    }
}
