use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_board::{Game, Move};
use discern_files::printable;
use discern_records::{Format, GameFile, GameRecord, parse_game};
use discern_report::{print_review, review_rows};
use discern_review::{Counts, EngineSearch, ReviewedMove};
use discern_search::{Engine, StopFlag};

use crate::engine_args::{EngineArgs, ThinkArgs};
use crate::output::show_all;
use crate::progress::bar;

/// Judge every move of a game: odds, discs and a grade.
///
/// Each move is compared with the best one, both seen equally deep by one
/// search. A move lost what the last three depths agree on, less the doubt that
/// is left, which is greatest below 6 plies. The odds count until the outcome
/// is decided, the discs from then on.
#[derive(ClapArgs)]
#[command(after_help = "Grades: inaccuracy from 2 % or 2 discs on, mistake from 6 % or 6 discs,
blunder from 15 % or 12 discs. Scores are exact where marked with =, otherwise
expected.

Examples:
  discern review f5d6c3d3c4                        a game on the command line
  discern review mine.ggf --time 3                 every game of a file
  discern review mine.games --game 17 --json       one of them, for programs
  discern review f5d6c3d3c4 --counts discs --depth 10")]
pub struct Args {
    /// File of games, the moves of a game (f5d6c3…), or - for standard input
    #[arg(value_name = "GAME", allow_hyphen_values = true)]
    game: String,
    /// Review only this game of a file, from 1 [default: all]
    #[arg(long = "game", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    number: Option<u64>,
    /// What a grade counts: outcome, discs, or both in turn
    #[arg(long, value_name = "WHAT", default_value = "both")]
    counts: Counts,
    /// Read the file as this format [default: recognised by content]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    think: ThinkArgs,
    /// Print one JSON object a move
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut engine = args.engine.engine()?;
    let Some(mut file) = GameFile::given(&args.game, args.from)? else {
        let game = parse_game(&args.game)
            .with_context(|| format!("'{}' is neither a file nor a game", args.game))?;
        if game.plies().is_empty() {
            bail!("there are no moves to review");
        }
        return args.review(engine.as_mut(), &GameRecord::new(game), None);
    };
    if let Some(number) = args.number {
        return args.review(engine.as_mut(), &file.game(number)?, Some(number));
    }
    let (mut last, mut faults) = (0, 0);
    for (number, game) in file.numbered() {
        last = number;
        match game {
            Ok(record) => args.review(engine.as_mut(), &record, Some(number))?,
            Err(fault) => {
                eprintln!("{}", printable(&fault.to_string()));
                faults += 1;
            }
        }
    }
    match faults {
        0 if last == 0 => bail!("{}: there is no game in it", args.game),
        0 => Ok(()),
        _ => bail!("{}: {faults} of {last} games cannot be read", args.game),
    }
}

impl Args {
    fn review(
        &self,
        engine: &mut dyn Engine,
        record: &GameRecord,
        number: Option<u64>,
    ) -> Result<()> {
        let moves = self.judge(engine, &record.game);
        show_all(self.json, review_rows(number, &moves), |out| {
            print_review(out, record, number, &moves)
        })
    }

    /// The moves in the order of the game.
    fn judge(&self, engine: &mut dyn Engine, game: &Game) -> Vec<ReviewedMove> {
        let stop = StopFlag::new();
        let mut search = EngineSearch { engine, limits: self.think.limits(), stop: &stop };
        let total = game.moves().filter(|&mv| mv != Move::Pass).count();
        let bar = bar(total as u64, "moves");
        bar.tick();
        let judged = discern_review::review(game, &mut search, self.counts);
        let mut moves: Vec<_> = judged.inspect(|_| bar.inc(1)).collect();
        bar.finish_and_clear();
        moves.reverse();
        moves
    }
}
