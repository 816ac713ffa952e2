use discern_board::{Board, Outcome, Score};
use discern_players::{JobError, WeightStore};
use discern_records::{GameRecord, Solved, Verdict};
use discern_search::{Engine, Limits, Options, StopFlag};
use serde::{Deserialize, Serialize};

/// The solver's table; a position with 20 empty squares visits a few million
/// positions at most.
const TABLE_MEBIBYTES: usize = 16;

/// The early outcome search: which position of every game is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EarlyOutcome {
    /// The first position with this many empty squares.
    pub empties: u32,
    /// The exact score, not only win, draw or loss.
    pub exact: bool,
}

impl Default for EarlyOutcome {
    /// Win, draw or loss 20 moves before the end.
    fn default() -> EarlyOutcome {
        EarlyOutcome { empties: 20, exact: false }
    }
}

impl EarlyOutcome {
    /// Can it be solved in reasonable time?
    pub(crate) fn check(&self) -> Result<(), JobError> {
        if self.empties > 26 {
            return Err(JobError::Plan("solving more than 26 empty squares takes too long".into()));
        }
        Ok(())
    }

    /// Solves the game's position and stores the verdict with the game. A game
    /// that ended earlier has no such position.
    pub fn add_to(&self, record: &mut GameRecord, solver: &mut Solver) {
        let Some(ply) = record.ply_with_empties(self.empties) else { return };
        if record.solved_at(ply).is_some() {
            return;
        }
        let Some(board) = record.game.boards().nth(ply) else { return };
        let verdict = if self.exact {
            Verdict::Score(solver.score(&board))
        } else {
            Verdict::Outcome(solver.outcome(&board))
        };
        record.solved.push(Solved { ply, verdict });
        record.solved.sort_by_key(|solved| solved.ply);
    }
}

/// Proves results, whatever it takes. What it says does not depend on what it
/// was asked before.
pub struct Solver {
    engine: Box<dyn Engine>,
    stop: StopFlag,
}

impl Solver {
    /// A solver, which this switch ends: what it says afterwards is worth nothing. Fails without
    /// memory for its table.
    pub fn new(stop: &StopFlag) -> Result<Solver, JobError> {
        let options = Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES };
        let engine = WeightStore::new().engine("rev", None, options)?;
        Ok(Solver { engine, stop: stop.clone() })
    }

    /// Forgets what it proved.
    pub fn forget(&mut self) {
        self.engine.forget();
    }

    /// Win, draw or loss for the mover.
    pub fn outcome(&mut self, board: &Board) -> Outcome {
        self.solve(board, &Limits::SOLVE_OUTCOME).outcome()
    }

    /// The exact score for the mover.
    pub fn score(&mut self, board: &Board) -> Score {
        self.solve(board, &Limits::SOLVE)
    }

    fn solve(&mut self, board: &Board, limits: &Limits) -> Score {
        let report = self.engine.search(board, limits, &self.stop, &mut |_| {});
        match report.best() {
            Some(line) => line.value.proven_score().unwrap_or(Score::DRAW),
            None => board.final_score(),
        }
    }
}
