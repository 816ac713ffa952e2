use std::path::Path;

use discern_board::{Bitboard, Board, Score};
use discern_book::{
    BookError, Crew, Deviation, Grade, Judge, Lesson, Lessons, Who, Workshop, Worth,
};
use discern_records::{GameId, GameRecord};
use discern_search::{Certainty, Engine, Limits, Line, StopFlag};

/// Our engine as the judge of an opening book.
///
/// It forgets everything before each position, so that with a limit of nodes
/// or depth and one thread an answer depends on nothing but the question.
pub struct EngineJudge {
    engine: Box<dyn Engine>,
    limits: Limits,
}

impl EngineJudge {
    /// A judge with this engine, who searches within these limits.
    pub fn new(engine: Box<dyn Engine>, limits: Limits) -> EngineJudge {
        EngineJudge { engine, limits }
    }

    fn lines(&mut self, board: &Board, limits: Limits, lines: usize) -> Vec<Line> {
        let limits = Limits { lines, ..limits };
        self.engine.search(board, &limits, &StopFlag::new(), &mut |_| {}).lines
    }
}

impl Judge for EngineJudge {
    fn judge(&mut self, board: &Board, except: Bitboard) -> Option<Deviation> {
        let moves = board.moves();
        let open = moves - except;
        if open.is_empty() {
            return None;
        }
        self.engine.forget();
        let is_open = |line: &&Line| line.mv.square().is_some_and(|square| open.contains(square));
        // The best moves, one more than there are excepted ones.
        let wanted = (moves & except).count() as usize + 1;
        let mut lines = self.lines(board, self.limits, wanted);
        if !lines.iter().any(|line| is_open(&line)) {
            // The limits ended the search before it came that far.
            lines = self.lines(board, Limits::depth(1), moves.count() as usize);
        }
        let line = lines.iter().find(is_open)?;
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

/// A record as a lesson.
pub fn lesson(record: &GameRecord, who: Who) -> Lesson {
    Lesson {
        id: GameId::of(&record.game).0,
        game: record.game.clone(),
        outcome_black: record.score_black.map(|score| score.outcome()),
        who,
    }
}

/// Enters one game into the book at `path`; endings from `least_empties` on
/// are solved.
///
/// # Errors
/// If the book cannot be read or written.
pub fn learn_game(
    path: &Path,
    record: &GameRecord,
    judge: EngineJudge,
    least_empties: u32,
    note: &str,
) -> Result<(), BookError> {
    let mut crew = Crew { judges: vec![Box::new(judge)], stop: &|| false };
    let mut workshop = Workshop::open(path)?;
    workshop.note(note);
    let lessons = Lessons { least_empties, only_count: false };
    lessons.learn(&mut workshop, &mut crew, [lesson(record, Who::Human)], |_| {})?;
    workshop.finish()?;
    Ok(())
}
