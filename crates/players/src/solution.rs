use discern_records::obf::ObfPosition;
use discern_search::Report;
use serde::Serialize;

/// What solving a position gave, as programs read it. Values are the mover's.
#[derive(Debug, Clone, Serialize)]
pub struct Solution {
    /// The number of the position, from 0.
    pub index: usize,
    /// Its empty squares.
    pub empties: u32,
    /// The exact score, unless only the outcome was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// Win, draw or loss.
    pub outcome: String,
    /// The best move; `None` if the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Best play.
    pub pv: String,
    /// Nodes searched.
    pub nodes: u64,
    /// Time it took.
    pub seconds: f64,
    /// Does the file agree, if it has a score?
    #[serde(skip)]
    pub agrees: Option<bool>,
}

impl Solution {
    /// The solution of a problem; `None` if the search proved nothing.
    pub fn new(index: usize, problem: &ObfPosition, report: &Report) -> Option<Solution> {
        let board = problem.position.board;
        let best = if board.is_over() { None } else { Some(report.best()?) };
        let (score, outcome) = match best {
            None => (Some(board.final_score()), board.final_outcome()),
            Some(best) => (best.score(), best.outcome()?),
        };
        let agrees = problem.best.map(|known| match score {
            Some(score) => score == known,
            None => outcome == known.outcome(),
        });
        Some(Solution {
            index,
            empties: board.empties(),
            score: score.map(|score| score.discs()),
            outcome: outcome.to_string(),
            mv: best.map(|best| best.mv.to_string()),
            pv: best.iter().flat_map(|best| &best.pv).map(ToString::to_string).collect(),
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
            agrees,
        })
    }
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
}

impl SolutionTotals {
    /// One more.
    pub fn add(&mut self, solution: &Solution) {
        self.nodes += solution.nodes;
        self.seconds += solution.seconds;
        self.compared += usize::from(solution.agrees.is_some());
        if solution.agrees == Some(false) {
            self.others.push(solution.index);
        }
    }
}
