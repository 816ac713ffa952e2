use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args as ClapArgs;
use discern_book::study::{Study, StudyRow};
use discern_book::{Lesson, Who, Workshop};
use discern_players::lesson;
use discern_records::GameFile;
use discern_report::book_study_text;
use discern_search::Limits;

use super::judge_args::{JudgeArgs, Stop};
use super::teach;

/// Test the paper's claim: do comparable values choose better book moves?
///
/// Games are entered into a book, each position with its best other move. Then
/// every value is multiplied by a factor of its phase: values that were only
/// compared within a phase look like this. Where the two books choose
/// differently, both choices are solved or searched deeper.
#[derive(ClapArgs)]
#[command(after_help = "Example:
  discern book study data/othello.games --count 100 --depth 6 --deeper 10")]
pub struct Args {
    /// Games to make a book of
    #[arg(value_name = "GAMES")]
    games: PathBuf,
    /// How many of them
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// Take every Nth game
    #[arg(long, value_name = "N", default_value_t = 1)]
    every: usize,
    /// Plies by which the arbiter looks deeper
    #[arg(long, value_name = "N", default_value_t = 10)]
    deeper: u32,
    /// Disagreements to judge at most, for each kind of factors
    #[arg(long, value_name = "N", default_value_t = 200)]
    most: usize,
    /// Empty squares from which the arbiter solves
    #[arg(long, value_name = "N", default_value_t = 22)]
    arbiter_solves: u32,
    /// Seed of the choice among disagreements and of random factors
    #[arg(long, value_name = "N", default_value_t = 1995)]
    seed: u64,
    #[command(flatten)]
    judge: JudgeArgs,
    /// Print JSON, one object for each kind of factors
    #[arg(long)]
    json: bool,
}

pub fn run(args: Args) -> Result<()> {
    let mut lessons = Vec::new();
    for record in GameFile::open(&args.games, None)?.step_by(args.every.max(1)).take(args.count) {
        lessons.push(lesson(&record?, Who::Engine));
    }
    if lessons.is_empty() {
        bail!("{}: there is no game in it", args.games.display());
    }
    let folder = std::env::temp_dir().join(format!("discern-study-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let rows = args.study(&folder, lessons);
    std::fs::remove_dir_all(&folder)?;
    let rows = rows?;
    let mut stdout = std::io::stdout().lock();
    if args.json {
        for row in &rows {
            writeln!(stdout, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(());
    }
    write!(stdout, "{}", book_study_text(&rows))?;
    Ok(())
}

impl Args {
    fn study(&self, folder: &Path, lessons: Vec<Lesson>) -> Result<Vec<StudyRow>> {
        let mut workshop = Workshop::open(folder.join("study.book"))?;
        if teach(&self.judge, &mut workshop, lessons, false)?.stopped {
            bail!("stopped");
        }
        let graph = workshop.graph();
        let deep = self.judge.limits();
        let limits = Limits {
            depth: deep.depth.map(|depth| depth + self.deeper),
            outcome_empties: self.arbiter_solves,
            score_empties: 0,
            ..deep
        };
        let mut arbiter = self.judge.judge(limits)?;
        let stop = Stop::after(None)?;
        let study = Study { seed: self.seed, most: self.most };
        let rows = study.run(graph, &mut arbiter, &|| stop.is_due(), |factors, judged, of| {
            eprint!("\r{factors}: {judged} of {of} judged");
            if judged == of {
                eprintln!();
            }
        });
        Ok(rows)
    }
}
