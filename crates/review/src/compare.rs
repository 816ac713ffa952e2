use discern_board::{Board, Move};
use discern_search::{Certainty, Engine, Limits, Line, Report, StopFlag};

/// Whatever finds the best move and can say what another one is worth.
pub trait Search {
    /// Compares the best move of a board with the one played, which is legal.
    ///
    /// Gives at least one step, the deepest last; of earlier ones, those that
    /// came just before. `None` if the search was stopped and the review ends.
    fn compare(&mut self, board: &Board, played: Move) -> Option<Vec<Comparison>>;
}

/// The best move and the move played at one step of a search, for the side
/// that makes them. Both are equally deep, or both proven; they may be the
/// same.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The best move.
    pub best: Line,
    /// The move played.
    pub played: Line,
    /// How much of the difference between two estimates a deeper search may
    /// take back, in logits.
    pub doubt: f64,
}

impl Comparison {
    /// How far an estimate was seen, in plies; `None` for a proof.
    pub(crate) fn depth(&self) -> Option<u32> {
        match self.best.certainty {
            Certainty::Depth(depth) => Some(depth),
            _ => None,
        }
    }

    /// What a report says of both; `None` while one of them is seen deeper
    /// than the other.
    fn of(report: &Report, played: Move, empties: u32, doubt: f64) -> Option<Comparison> {
        let depth = |line: &Line| match line.certainty {
            Certainty::Depth(depth) => depth,
            _ => empties,
        };
        let best = report.best()?;
        let played = report.lines.iter().find(|line| line.mv == played)?;
        let comparable = depth(best) == depth(played);
        comparable.then(|| Comparison { best: best.clone(), played: played.clone(), doubt })
    }
}

/// How often the time for a move a proof may take.
const PATIENCE: u32 = 4;

/// What the difference of two moves may lose when the search goes on, in units
/// of the evaluator's spread.
///
/// Measured for 0.75 by the example `stray` on 500 moves of human games, seen 18 plies
/// deep: of the losses that three depths up to 8, 10, 12 and 14 agree on, 92, 95,
/// 97 and 98 % shrink by no more than this. The price, measured with an earlier
/// model: of the moves that really lose 6 %, 66 to 73 % are marked instead of 94
/// to 97 %. A mark that is wrong costs more trust than one that is missing. More
/// than measured: 14, 15 and 16 plies agree that a good opening (f5f6) loses 10 %,
/// and 17 find that it loses less.
const DOUBT: f64 = 1.2;

/// Our engine as the search behind a review.
pub struct EngineSearch<'a> {
    /// The engine.
    pub engine: &'a mut dyn Engine,
    /// The limits for each move.
    pub limits: Limits,
    /// Ends the review.
    pub stop: &'a StopFlag,
}

impl EngineSearch<'_> {
    fn steps(&mut self, board: &Board, played: Move, limits: &Limits) -> Vec<Comparison> {
        let limits = Limits { lines: 1, beside: Some(played), ..*limits };
        // Nobody knows how far an evaluator strays that has no spread.
        let spread = self.engine.spread(board.discs()).unwrap_or(0);
        let doubt = DOUBT * f64::from(spread) / 1000.0;
        let mut steps = Vec::new();
        self.engine.search(board, &limits, self.stop, &mut |report| {
            steps.extend(Comparison::of(report, played, board.empties(), doubt));
        });
        steps
    }
}

impl Search for EngineSearch<'_> {
    fn compare(&mut self, board: &Board, played: Move) -> Option<Vec<Comparison>> {
        let mut limits = self.limits;
        if limits.solves(board.empties()).is_none() {
            // The table knows the play behind the move played from later
            // positions, and nothing of the other moves: estimates would be of
            // different depths. Proofs are true wherever they come from.
            self.engine.forget();
        } else if let Some(time) = &mut limits.time {
            // There are two moves to prove, and a proof given up is time lost.
            time.maximum *= PATIENCE;
        }
        let mut steps = self.steps(board, played, &limits);
        if steps.is_empty() && !self.stop.is_stopped() {
            // There was no time for anything; one ply always must be.
            steps = self.steps(board, played, &Limits::depth(1));
        }
        (!self.stop.is_stopped() && !steps.is_empty()).then_some(steps)
    }
}
