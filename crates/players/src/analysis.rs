use discern_board::{Move, Position};
use discern_book::{BookError, BookMove};
use discern_eval::{Explanation, Named, NamedParts};
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
    /// The move.
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
    /// Is the value the book's?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub book: bool,
    /// The proven outcome.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// The proven score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<i32>,
    /// The expected play.
    pub pv: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Named<NamedParts>>,
}

impl Analysis {
    /// What a search found; `of_moves` are explanations of its lines, in their
    /// order. Moves of the book take their value from it.
    ///
    /// # Errors
    /// If the book is damaged.
    pub fn new(
        position: &Position,
        report: &Report,
        explanation: &Explanation,
        of_moves: &[(String, Option<Explanation>)],
        book: Option<&OpenBook>,
    ) -> Result<Analysis, BookError> {
        let (board, empties) = (position.board, position.board.empties());
        let lines = report.lines.iter().zip(of_moves);
        let mut moves: Vec<AnalyzedMove> = lines
            .map(|(line, (_, explained))| AnalyzedMove::new(line, empties, explained.as_ref()))
            .collect();
        if let Some(book) = book {
            for mv in book.find(&board)?.iter().flat_map(|found| &found.moves) {
                let name = mv.square.to_string();
                let known = moves.iter_mut().filter(|value| value.mv == name);
                known.for_each(|value| value.take_from_book(mv, empties));
            }
            moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        }
        Ok(Analysis {
            mover: position.mover.to_string(),
            discs: board.discs(),
            moves,
            features: explanation.values(),
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
    fn new(line: &Line, empties: u32, explanation: Option<&Explanation>) -> AnalyzedMove {
        AnalyzedMove {
            mv: line.mv.to_string(),
            probability: line.probability(),
            value: line.value.log_odds(),
            depth: match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => empties,
            },
            exact: line.is_proven(),
            book: false,
            outcome: line.outcome().map(|outcome| outcome.to_string()),
            score: line.score().map(|score| score.discs()),
            pv: line.pv.iter().map(Move::to_string).collect(),
            explanation: explanation.map(Explanation::parts),
        }
    }

    /// The book's value in place of the one just searched: it goes deeper.
    fn take_from_book(&mut self, mv: &BookMove, empties: u32) {
        let worth = mv.worths.even;
        self.probability = worth.probability();
        self.value = worth.value().log_odds();
        self.depth = mv.grade.depth(empties);
        self.exact = mv.grade.is_proven();
        self.book = true;
        self.outcome = worth.outcome().map(|outcome| outcome.to_string());
        self.score = None;
    }
}
