use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Args as ClapArgs;
use discern_board::{Color, Game, Move};
use discern_files::printable;
use discern_records::{FileFault, Format, GameFile, GameRecord};
use discern_report::{Align, TextTable};
use discern_review::{Counts, EngineSearch, Part, ReviewedMove, Summary};
use discern_search::{Engine, StopFlag};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::engine_args::{EngineArgs, ThinkArgs};
use crate::positions::parse_game;

/// Judge every move of a game: odds, discs and a grade.
///
/// Each move is compared with the best one, both seen equally deep by one
/// search. A move lost what the last three depths agree on. The odds count
/// until the outcome is decided, the discs from then on.
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
    /// What a grade is about: outcome, discs, or both in turn
    #[arg(long, value_name = "WHAT", default_value = "both")]
    counts: Counts,
    /// Read the file as this format instead of telling it by content
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

/// A move for programs.
#[derive(Serialize)]
struct Row {
    /// The game's number in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    ply: usize,
    #[serde(rename = "move")]
    mv: String,
    best: String,
    probability_best: f64,
    probability_played: f64,
    score_best: i32,
    score_played: i32,
    grade: discern_review::Grade,
    exact: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut engine = args.engine.engine()?;
    let Some(file) = args.file()? else {
        let game = parse_game(&args.game)
            .with_context(|| format!("'{}' is neither a file nor a game", args.game))?;
        if game.plies().is_empty() {
            bail!("there are no moves to review");
        }
        return args.review(engine.as_mut(), &GameRecord::new(game), None);
    };
    let (mut number, mut faults) = (0, 0);
    for game in file {
        number += 1;
        if let Err(fault) = &game {
            number = fault.fault.place.game.unwrap_or(number);
        }
        match game {
            _ if args.number.is_some_and(|wanted| wanted > number) => {}
            Ok(record) => args.review(engine.as_mut(), &record, Some(number))?,
            Err(fault) if args.number.is_some() => return Err(fault.into()),
            Err(fault) => {
                eprintln!("{}", printable(&fault.to_string()));
                faults += 1;
            }
        }
        if args.number == Some(number) {
            return Ok(());
        }
    }
    match (args.number, faults) {
        (Some(wanted), _) => {
            bail!("{}: there is no game {wanted}, the last one is {number}", args.game)
        }
        (None, 0) if number == 0 => bail!("{}: there is no game in it", args.game),
        (None, 0) => Ok(()),
        (None, faults) => bail!("{}: {faults} of {number} games cannot be read", args.game),
    }
}

impl Args {
    /// The file that is meant; `None` if the moves themselves are given.
    fn file(&self) -> Result<Option<GameFile>, FileFault> {
        match Path::new(&self.game) {
            path if self.game == "-" => {
                GameFile::from_reader(std::io::stdin(), path, self.from).map(Some)
            }
            path if path.exists() || self.game.contains(['.', '/']) => {
                GameFile::open(path, self.from).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn review(
        &self,
        engine: &mut dyn Engine,
        record: &GameRecord,
        number: Option<u64>,
    ) -> Result<()> {
        let moves = self.judge(engine, &record.game);
        let mut text = String::new();
        if self.json {
            for reviewed in &moves {
                writeln!(text, "{}", serde_json::to_string(&Row::new(reviewed, number))?)?;
            }
        } else {
            print(&mut text, record, number, &moves)?;
        }
        std::io::stdout().write_all(text.as_bytes()).context("standard output")
    }

    /// The moves in the order of the game.
    fn judge(&self, engine: &mut dyn Engine, game: &Game) -> Vec<ReviewedMove> {
        let stop = StopFlag::new();
        let mut search = EngineSearch { engine, limits: self.think.limits(), stop: &stop };
        let total = game.moves().filter(|&mv| mv != Move::Pass).count();
        let style = ProgressStyle::with_template("{bar:40} {pos}/{len} moves, {eta} left")
            .expect("a valid template");
        let bar = ProgressBar::new(total as u64).with_style(style);
        bar.tick();
        let judged = discern_review::review(game, &mut search, self.counts);
        let mut moves: Vec<_> = judged.inspect(|_| bar.inc(1)).collect();
        bar.finish_and_clear();
        moves.reverse();
        moves
    }
}

impl Row {
    fn new(reviewed: &ReviewedMove, game: Option<u64>) -> Row {
        Row {
            game,
            ply: reviewed.ply,
            mv: reviewed.played.to_string(),
            best: reviewed.best.to_string(),
            probability_best: reviewed.probability_best,
            probability_played: reviewed.probability_played,
            score_best: reviewed.score_best,
            score_played: reviewed.score_played,
            grade: reviewed.grade,
            exact: reviewed.exact,
        }
    }
}

/// The table and the summary of a game.
fn print(
    out: &mut String,
    record: &GameRecord,
    number: Option<u64>,
    moves: &[ReviewedMove],
) -> Result<()> {
    if let Some(number) = number {
        let [black, white] = Color::BOTH.map(|color| match &*record.players[color].name {
            "" => "unknown".into(),
            name => printable(name),
        });
        writeln!(out, "game {number}: {black} – {white}")?;
    }
    let mut table = TextTable::new([
        ("#", Align::Right),
        ("", Align::Left),
        ("move", Align::Left),
        ("best", Align::Left),
        ("odds: best", Align::Right),
        ("played", Align::Right),
        ("score: best", Align::Right),
        ("played", Align::Right),
        ("", Align::Left),
        ("grade", Align::Left),
    ]);
    for reviewed in moves {
        let better = (reviewed.best != reviewed.played).then(|| reviewed.best.to_string());
        table.row([
            (reviewed.ply + 1).to_string(),
            reviewed.mover.symbol().to_string(),
            reviewed.played.to_string(),
            better.unwrap_or_default(),
            format!("{:.1} %", 100.0 * reviewed.probability_best),
            format!("{:.1} %", 100.0 * reviewed.probability_played),
            format!("{:+}", reviewed.score_best),
            format!("{:+}", reviewed.score_played),
            if reviewed.exact { "=".to_owned() } else { String::new() },
            match reviewed.grade {
                discern_review::Grade::Best => String::new(),
                grade => grade.to_string(),
            },
        ]);
    }
    write!(out, "{table}")?;
    if let Some(opening) = discern_book::opening_of(&record.game) {
        writeln!(out, "opening: {}", opening.name)?;
    }
    let summary: Summary = moves.iter().collect();
    for (color, side) in [("black", &summary.black), ("white", &summary.white)] {
        let Part { moves, mean_loss, discs_lost, inaccuracies, mistakes, blunders } = side.total;
        writeln!(
            out,
            "{color}: {moves} moves; inaccuracies {inaccuracies}, mistakes {mistakes}, blunders {blunders}; \
             lost {:.1} % a move, {discs_lost} discs in all",
            100.0 * mean_loss
        )?;
    }
    Ok(())
}
