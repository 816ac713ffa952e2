use std::path::{Path, PathBuf};

use discern_board::{Bitboard, Board, Score};
use discern_book::{
    BookError, Choice, Crew, Deviation, Grade, Judge, Lesson, Lessons, Who, Workshop, Worth,
};
use discern_records::{FileFault, Format, GameFile, GameId, GameRecord, files_of_all};
use discern_search::{Certainty, Engine, Limits, StopFlag};

use crate::book::OpenBook;
use crate::error::JobError;
use crate::named::NamedEngine;
use crate::serve::Teacher;
use crate::store::WeightStore;

/// Our engine as the judge of an opening book.
///
/// It forgets everything before each position, so that with a limit of nodes
/// or depth and one thread an answer depends on nothing but the question.
pub struct EngineJudge {
    engine: Box<dyn Engine>,
    limits: Limits,
    stop: StopFlag,
}

impl EngineJudge {
    /// Empty squares from which a book's endings are solved, as a rule.
    pub const SOLVED: u32 = 20;

    /// What ends its searches: a depth, nodes, and endings from `solved` empty
    /// squares on. The exact score takes two squares longer than the outcome.
    pub fn limits(depth: u32, nodes: Option<u64>, solved: u32, selective: bool) -> Limits {
        Limits {
            depth: Some(depth),
            nodes,
            outcome_empties: solved,
            score_empties: solved.saturating_sub(2),
            selective,
            ..Limits::default()
        }
    }

    /// A judge with this engine, who searches within these limits.
    pub fn new(engine: Box<dyn Engine>, limits: Limits) -> EngineJudge {
        EngineJudge { engine, limits, stop: StopFlag::new() }
    }

    /// The same, and this switch ends its searches: what it says afterwards is
    /// worth nothing.
    pub fn stopped_by(self, stop: &StopFlag) -> EngineJudge {
        EngineJudge { stop: stop.clone(), ..self }
    }
}

impl Judge for EngineJudge {
    fn judge(&mut self, board: &Board, except: Bitboard) -> Option<Deviation> {
        if (board.moves() - except).is_empty() {
            return None;
        }
        self.engine.forget();
        let limits = Limits { except, ..self.limits };
        let report = self.engine.search(board, &limits, &self.stop, &mut |_| {});
        let line = report.best()?;
        let proven = || Worth::proven(line.value.proven_score().unwrap_or(Score::DRAW));
        let (worth, grade) = match line.certainty {
            Certainty::Depth(depth) => {
                (Worth::estimate(line.value.thousandths()), Grade::Depth(depth.min(60) as u8))
            }
            Certainty::Outcome => (proven(), Grade::Outcome),
            Certainty::Score => (proven(), Grade::Score),
        };
        Some(Deviation { square: line.mv.square()?, worth, grade })
    }
}

/// Who searches with these limits, in words for the manifest of a book.
///
/// # Errors
/// If its weights cannot be used.
pub fn described_judge(engine: &NamedEngine, limits: &Limits) -> Result<String, JobError> {
    let mut text = engine.model().to_owned();
    if let Some(weights) = engine.needed_weights()? {
        text += &format!(" of weights {}", &weights.hash()[..8]);
    }
    if let Some(depth) = limits.depth {
        text += &format!(", depth {depth}");
    }
    text += &format!(", solving at {} empties", limits.outcome_empties);
    if let Some(nodes) = limits.nodes {
        text += &format!(", {nodes} nodes at most");
    }
    Ok(text + if limits.selective { ", selective" } else { ", full width" })
}

/// The games of a file as lessons; if nobody says who played, people in WTHOR
/// files and programs in others.
pub fn lessons_of(
    file: GameFile,
    who: Option<Who>,
) -> impl Iterator<Item = Result<Lesson, FileFault>> {
    let usual = if file.format() == Format::Wthor { Who::Human } else { Who::Engine };
    let who = who.unwrap_or(usual);
    file.map(move |record| record.map(|record| lesson(&record, who)))
}

/// The games of files, and of folders of such files, as lessons; with them
/// comes what cannot be read.
///
/// # Errors
/// If a file cannot be read at all.
pub fn lessons_in(
    paths: &[PathBuf],
    who: Option<Who>,
) -> Result<(Vec<Lesson>, Vec<FileFault>), FileFault> {
    let (mut lessons, mut faults) = (Vec::new(), Vec::new());
    for path in files_of_all(paths)? {
        for lesson in lessons_of(GameFile::open(&path, None)?, who) {
            match lesson {
                Ok(lesson) => lessons.push(lesson),
                Err(fault) => faults.push(fault),
            }
        }
    }
    Ok((lessons, faults))
}

/// The games of a file as lines, which do not count as games: the same moves
/// may come as a game later.
pub fn lines_of(file: GameFile) -> impl Iterator<Item = Result<Lesson, FileFault>> {
    lessons_of(file, Some(Who::Engine)).map(|lesson| {
        let lesson = lesson?;
        Ok(Lesson { id: !lesson.id, outcome_black: None, ..lesson })
    })
}

/// A record as a lesson.
fn lesson(record: &GameRecord, who: Who) -> Lesson {
    Lesson {
        id: GameId::of(&record.game).0,
        game: record.game.clone(),
        outcome_black: record.score_black.map(|score| score.outcome()),
        who,
    }
}

/// Enters games into the book at `path`, solving endings from
/// [`EngineJudge::SOLVED`] on; then moves are chosen from it like this.
pub fn teacher(path: PathBuf, mut judge: EngineJudge, choice: Choice) -> Teacher {
    let mut learn = move |path: &Path, record: &GameRecord| -> Result<OpenBook, JobError> {
        let failed = |error: BookError| JobError::Plan(error.to_string());
        let judge = |board: &Board, except: Bitboard| judge.judge(board, except);
        let mut crew = Crew { judges: vec![Box::new(judge)], stop: &|| false };
        let mut workshop = Workshop::open(path).map_err(failed)?;
        workshop.note("learn games behind NBoard");
        let lessons = Lessons { least_empties: EngineJudge::SOLVED, only_count: false };
        lessons
            .learn(&mut workshop, &mut crew, [lesson(record, Who::Human)], |_| {})
            .and_then(|_| workshop.finish())
            .map_err(failed)?;
        Ok(OpenBook::new(WeightStore::new().open_book(&path.to_string_lossy())?, choice))
    };
    Box::new(move |record| match learn(&path, record) {
        Ok(book) => Ok(Some(book)),
        Err(error) => Err(format!("{}: {error}", path.display())),
    })
}
