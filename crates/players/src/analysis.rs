use std::mem;

use discern_board::{Board, Move, Position};
use discern_book::{BookError, BookMove};
use discern_eval::{Explanation, Named, NamedParts, Weights};
use discern_search::{Certainty, Line, Report};
use serde::Serialize;

use crate::OpenBook;

/// What a search, the weights and the book say of a position, as programs read
/// it. Values are the mover's.
#[derive(Serialize)]
pub struct Analysis {
    /// Who is to move.
    pub mover: String,
    /// Discs on the board.
    pub discs: u32,
    /// The moves, the best one first.
    pub moves: Vec<AnalyzedMove>,
    features: Named<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Named<NamedParts>>,
    /// Nodes searched.
    pub nodes: u64,
    /// Time the search took.
    pub seconds: f64,
}

/// A move and what it is worth.
#[derive(Serialize)]
pub struct AnalyzedMove {
    /// The line that begins with it.
    #[serde(flatten)]
    pub line: LineWorth,
    /// Is the value the book's?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Named<NamedParts>>,
}

/// A line of play and what it is worth, as programs read it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineWorth {
    /// The first move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The probability that it wins.
    pub probability: f64,
    /// The same as log-odds.
    pub value: f64,
    /// Plies that were looked ahead.
    pub depth: u32,
    /// Is the outcome proven?
    pub exact: bool,
    /// The proven outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The proven score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The expected play.
    pub pv: String,
}

impl LineWorth {
    /// A line found in a position with this many empty squares.
    pub fn new(line: &Line, empties: u32) -> LineWorth {
        LineWorth {
            mv: line.mv.to_string(),
            probability: line.probability(),
            value: line.value.log_odds(),
            depth: match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => empties,
            },
            exact: line.is_proven(),
            outcome: line.outcome().map(|outcome| outcome.to_string()),
            score: line.score().map(|score| score.discs()),
            pv: line.pv.iter().map(Move::to_string).collect(),
        }
    }
}

/// A position that was searched taken apart, in all models of some weights.
pub struct Explained {
    /// The position itself.
    pub position: Explanation,
    /// The moves found, in their order, each taken apart if that was asked for.
    pub moves: Vec<(String, Option<Explanation>)>,
}

impl Explained {
    /// What weights say of a board and, if wanted, of the moves found in it.
    pub fn new(weights: &Weights, board: &Board, report: &Report, moves: bool) -> Explained {
        let of_move = |line: &Line| {
            let explained = moves.then(|| weights.explain_move(board, line.mv));
            (line.mv.to_string(), explained.flatten())
        };
        let moves = report.lines.iter().map(of_move).collect();
        Explained { position: weights.explain(board), moves }
    }
}

impl Analysis {
    /// What a search found. Moves of the book take their value from it.
    ///
    /// # Errors
    /// If the book is damaged.
    pub fn new(
        position: &Position,
        report: &Report,
        explained: &Explained,
        book: Option<&OpenBook>,
    ) -> Result<Analysis, BookError> {
        let (board, empties) = (position.board, position.board.empties());
        let lines = report.lines.iter().zip(&explained.moves);
        let mut moves: Vec<AnalyzedMove> = lines
            .map(|(line, (_, explained))| AnalyzedMove {
                line: LineWorth::new(line, empties),
                book: false,
                explanation: explained.as_ref().map(Explanation::parts),
            })
            .collect();
        if let Some(book) = book {
            for mv in book.find(&board)?.iter().flat_map(|found| &found.moves) {
                let name = mv.square.to_string();
                let known = moves.iter_mut().filter(|value| value.line.mv == name);
                known.for_each(|value| value.take_from_book(mv, empties));
            }
            moves.sort_by(|a, b| b.line.value.total_cmp(&a.line.value));
        }
        Ok(Analysis {
            mover: position.mover.to_string(),
            discs: board.discs(),
            moves,
            features: explained.position.values(),
            explanation: None,
            nodes: report.nodes,
            seconds: report.time.as_secs_f64(),
        })
    }

    /// With the value of the position taken apart.
    #[must_use]
    pub fn explained(self, explanation: &Explanation) -> Analysis {
        Analysis { explanation: Some(explanation.parts()), ..self }
    }
}

impl AnalyzedMove {
    /// The book's value in place of the one just searched: it goes deeper.
    fn take_from_book(&mut self, mv: &BookMove, empties: u32) {
        let worth = mv.worths.even;
        self.book = true;
        self.line = LineWorth {
            mv: mem::take(&mut self.line.mv),
            probability: worth.probability(),
            value: worth.value().log_odds(),
            depth: mv.grade.depth(empties),
            exact: mv.grade.is_proven(),
            outcome: worth.outcome().map(|outcome| outcome.to_string()),
            score: None,
            pv: mem::take(&mut self.line.pv),
        };
    }
}
