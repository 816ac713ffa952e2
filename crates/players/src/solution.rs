use discern_board::{Move, Score};
use discern_records::obf::ObfPosition;
use discern_search::{Bounds, Line, Proof, Report};
use serde::Serialize;

/// What solving a position gave, as programs read it. Values are the mover's.
#[derive(Debug, Clone, Serialize)]
pub struct Solution {
    /// The number of the position, from 0.
    pub index: usize,
    /// Its empty squares.
    pub empties: u32,
    /// What is known of its score and outcome.
    #[serde(flatten)]
    pub known: Known,
    /// The best move; `None` if the game is over. Where nothing is proven, the
    /// most promising one.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Best play, or what the search expected when it ended.
    pub pv: String,
    /// All moves, the best one first, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<SolvedMove>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Does the file agree, if it has a score?
    #[serde(skip)]
    pub agrees: Option<bool>,
}

/// What is known of the score of a position or a move.
#[derive(Debug, Clone, Serialize)]
pub struct Known {
    /// Is what was asked for proven: the score, or the outcome?
    pub proven: bool,
    /// The exact score, unless only the outcome was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The least and the greatest score that are still possible, where not all
    /// is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[i32; 2]>,
    /// Win, draw or loss, where it is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

/// A move and what is known of it.
#[derive(Debug, Clone, Serialize)]
pub struct SolvedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What is known of its score and outcome.
    #[serde(flatten)]
    pub known: Known,
    /// Best play from it on, or what the search expected.
    pub pv: String,
}

impl Known {
    fn exactly(score: Score) -> Known {
        Known {
            proven: true,
            score: Some(score.discs()),
            bounds: None,
            outcome: Some(score.outcome().to_string()),
        }
    }

    fn within(bounds: Bounds) -> Known {
        Known {
            proven: false,
            score: None,
            bounds: Some([bounds.lower.discs(), bounds.upper.discs()]),
            outcome: bounds.outcome().map(|outcome| outcome.to_string()),
        }
    }

    /// What a line says, and bounds where it proves nothing.
    fn of(line: Option<&Line>, bounds: Bounds) -> Known {
        match line.and_then(|line| line.outcome().map(|outcome| (line, outcome))) {
            Some((line, outcome)) => Known {
                proven: true,
                score: line.score().map(Score::discs),
                bounds: None,
                outcome: Some(outcome.to_string()),
            },
            None => Known::within(bounds),
        }
    }

    /// Does it agree with a score known before? What is not proven contradicts
    /// it only if it excludes it.
    fn agrees(&self, with: Score) -> Option<bool> {
        match (self.score, self.bounds, &self.outcome) {
            (Some(score), ..) => Some(score == with.discs()),
            (_, Some([lower, upper]), _) => {
                (!(lower..=upper).contains(&with.discs())).then_some(false)
            }
            (_, _, outcome) => outcome.as_ref().map(|found| *found == with.outcome().to_string()),
        }
    }
}

impl Solution {
    /// The solution of a problem, with all its moves if the search was asked
    /// for them. A search that was ended early gives bounds.
    pub fn new(index: usize, problem: &ObfPosition, report: &Report, all_moves: bool) -> Solution {
        let board = problem.position.board;
        let proof = report.proof.as_ref();
        let bounds_of = |mv: Move| proof.map_or(Bounds::NONE, |proof| proof.bounds_of(mv));
        let known = match report.best() {
            None => Known::exactly(board.final_score()),
            best => Known::of(best, proof.map_or(Bounds::NONE, Proof::bounds)),
        };
        let of_move = |mv: Move| {
            let line = report.lines.iter().find(|line| line.mv == mv);
            let pv = line.map_or_else(|| mv.to_string(), play);
            SolvedMove { mv: mv.to_string(), known: Known::of(line, bounds_of(mv)), pv }
        };
        let best = best_move(report).map(of_move);
        let moves = (all_moves && best.is_some()).then(|| {
            // Those with a line first, in its order.
            let mut moves: Vec<Move> = report.lines.iter().map(|line| line.mv).collect();
            let listed = proof.iter().flat_map(|proof| &proof.moves).map(|known| known.0);
            listed.for_each(|mv| {
                if !moves.contains(&mv) {
                    moves.push(mv)
                }
            });
            moves.into_iter().map(of_move).collect()
        });
        let (mv, pv) = best.map(|best| (best.mv, best.pv)).unzip();
        Solution {
            index,
            empties: board.empties(),
            agrees: problem.best.and_then(|score| known.agrees(score)),
            known,
            mv,
            pv: pv.unwrap_or_default(),
            moves,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        }
    }
}

impl Solution {
    /// Is all proven that was asked for?
    fn is_complete(&self) -> bool {
        self.known.proven && self.moves.iter().flatten().all(|mv| mv.known.proven)
    }
}

/// The best move; while it is not proven, the one of which most is proven.
fn best_move(report: &Report) -> Option<Move> {
    let first = report.best()?;
    let Some(proof) = report.proof.as_ref().filter(|_| !first.is_proven()) else {
        return Some(first.mv);
    };
    let least = proof.bounds_of(first.mv).lower;
    let better = proof.moves.iter().filter(|(_, bounds)| bounds.lower > least);
    Some(better.max_by_key(|(_, bounds)| bounds.lower).map_or(first.mv, |best| best.0))
}

fn play(line: &Line) -> String {
    line.pv.iter().map(ToString::to_string).collect()
}

/// Many solutions together.
#[derive(Debug, Clone, Default)]
pub struct SolutionTotals {
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Positions whose score the file has.
    pub compared: usize,
    /// Those in which it is another one.
    pub others: Vec<usize>,
    /// Positions of which all is proven that was asked for.
    pub solved: usize,
    /// Positions of which only bounds are known.
    pub unproven: usize,
}

impl SolutionTotals {
    /// One more.
    pub fn add(&mut self, solution: &Solution) {
        self.nodes += solution.nodes;
        self.seconds += solution.seconds;
        self.compared += usize::from(solution.agrees.is_some());
        match solution.is_complete() {
            true => self.solved += 1,
            false => self.unproven += 1,
        }
        if solution.agrees == Some(false) {
            self.others.push(solution.index);
        }
    }
}
