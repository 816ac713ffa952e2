use discern_board::{Board, Game, Move, Outcome, Score};
use discern_eval::Value;
use discern_records::{Evaluation, Verdict};
use discern_search::{Engine, Limits, StopFlag};

/// A move that threw the outcome away, beyond doubt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// Plies before it.
    pub ply: usize,
    /// The better move.
    pub better_move: Move,
    /// What the mover got, from the mover's view.
    pub played: Evaluation,
    /// What the better move gives.
    pub better: Evaluation,
    /// Plies of the search that saw it; the empty squares if it was proven.
    pub depth: u32,
}

/// Looks for mistakes in games.
pub(crate) struct Detective<'a> {
    pub engine: &'a mut dyn Engine,
    /// The search of every position.
    pub limits: Limits,
    /// Outcomes are proven from this many empty squares on.
    pub proven_empties: u32,
    /// Estimates beyond this, in thousandths of a logit, leave no doubt.
    pub certain: i32,
    /// How much deeper a suspicion is checked.
    pub deeper: u32,
    /// Ends the searches; mistakes found afterwards are none.
    pub stop: &'a StopFlag,
}

/// What a search says of a position, from its mover's view.
#[derive(Debug, Clone, Copy)]
struct Opinion {
    value: Value,
    proven: Option<Outcome>,
    best: Option<Move>,
}

impl Opinion {
    fn evaluation(&self) -> Evaluation {
        match self.proven {
            Some(outcome) => Evaluation::Proven(Verdict::Outcome(outcome)),
            None => Evaluation::LogOdds(self.value.thousandths()),
        }
    }

    /// The same from the other side.
    fn turned(&self) -> Opinion {
        Opinion { value: -self.value, proven: self.proven.map(|outcome| -outcome), best: None }
    }

    /// Win or loss beyond doubt, or proven.
    fn verdict(&self, certain: i32) -> Option<Outcome> {
        match self.value.thousandths() {
            _ if self.proven.is_some() => self.proven,
            value if value >= certain => Some(Outcome::Win),
            value if value <= -certain => Some(Outcome::Loss),
            _ => None,
        }
    }
}

impl Detective<'_> {
    /// The mistakes of a game behind its first `from` plies, the first one
    /// first.
    pub fn mistakes(&mut self, game: &Game, from: usize) -> Vec<Mistake> {
        let mut mistakes = Vec::new();
        // From the end to the start: what was searched already helps with
        // what comes before.
        let mut after: Option<Opinion> = None;
        for (ply, turn) in game.plies().iter().enumerate().skip(from).rev() {
            let board = turn.before.board;
            let got = match after {
                Some(opinion) => opinion.turned(),
                None => self.opinion(&game.position().board, 0).turned(),
            };
            if turn.mv == Move::Pass {
                after = Some(got);
                continue;
            }
            let opinion = self.opinion(&board, 0);
            after = Some(opinion);
            if self.is_thrown_away(&opinion, &got) {
                let next = board.play(turn.mv).expect("a game has legal moves");
                mistakes.extend(self.check(ply, turn.mv, &board, &next));
            }
        }
        mistakes.reverse();
        mistakes
    }

    fn is_thrown_away(&self, had: &Opinion, got: &Opinion) -> bool {
        match (had.verdict(self.certain), got.verdict(self.certain)) {
            (Some(had), Some(got)) => had > got,
            _ => false,
        }
    }

    /// Looks again, deeper, before a move is called a mistake.
    fn check(&mut self, ply: usize, played: Move, board: &Board, next: &Board) -> Option<Mistake> {
        let had = self.opinion(board, self.deeper);
        let got = self.opinion(next, self.deeper).turned();
        let better_move = had.best.filter(|&mv| mv != played)?;
        self.is_thrown_away(&had, &got).then(|| Mistake {
            ply,
            better_move,
            played: got.evaluation(),
            better: had.evaluation(),
            depth: match had.proven {
                Some(_) => board.empties(),
                None => self.limits.depth.unwrap_or(0) + self.deeper,
            },
        })
    }

    fn opinion(&mut self, board: &Board, deeper: u32) -> Opinion {
        if board.is_over() {
            let score = board.final_score();
            return Opinion {
                value: Value::proven(score),
                proven: Some(score.outcome()),
                best: None,
            };
        }
        let limits = if board.empties() <= self.proven_empties {
            Limits::SOLVE_OUTCOME
        } else {
            Limits { depth: self.limits.depth.map(|depth| depth + deeper), ..self.limits }
        };
        let report = self.engine.search(board, &limits, self.stop, &mut |_| {});
        let best = report.best().expect("the game is not over");
        let proven = best.outcome();
        let value = match proven {
            Some(_) => Value::proven(best.value.proven_score().unwrap_or(Score::DRAW)),
            None => best.value,
        };
        Opinion { value, proven, best: Some(best.mv) }
    }
}
