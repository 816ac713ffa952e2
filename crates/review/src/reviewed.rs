use discern_board::{Board, Color, Game, Move, Ply, Position};
use discern_search::Line;
use serde::{Serialize, Serializer};

use crate::compare::{Comparison, Search};
use crate::grade::{Counts, Grade};
use crate::summary::Phase;
use crate::weighed::{Weighed, Worth};

/// Steps of a search that must agree on a loss. Three: an odd depth between
/// two even ones or the other way round, so that no swing between them counts.
const AGREEING: usize = 3;

/// What was seen less far than this, or at fewer than three depths, is doubted
/// several times as much. Of the marks of 360 moves by people, one in five at
/// depth 3 was for a loss below 1 % at depth 11, and one in 15 to 21 at depths
/// 4 to 6; but at depth 4 a good opening (f5f6) was a mistake.
const SHALLOW: u32 = 6;
const SHALLOW_DOUBT: f64 = 3.0;

/// A move of a game and what it cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewedMove {
    /// Plies played before it, passes counted.
    pub ply: usize,
    /// Where it was played.
    #[serde(serialize_with = "text")]
    pub position: Position,
    /// Who played it.
    #[serde(serialize_with = "text")]
    pub mover: Color,
    /// The move played.
    #[serde(rename = "move", serialize_with = "text")]
    pub played: Move,
    /// The best move; the one played if no move is better.
    #[serde(serialize_with = "text")]
    pub best: Move,
    /// The mover's odds after the best move.
    pub probability_best: f64,
    /// The mover's odds after the move played.
    pub probability_played: f64,
    /// The mover's discs after the best move, expected or exact.
    pub score_best: i32,
    /// The mover's discs after the move played, expected or exact.
    pub score_played: i32,
    /// The probability lost.
    pub loss: f64,
    /// The part of it that the last depths of the search agree on and that a
    /// deeper search is unlikely to take back.
    pub certain_loss: f64,
    /// What is to be said of it.
    pub grade: Grade,
    /// The part of the game.
    pub phase: Phase,
    /// How far both moves were seen, in plies.
    pub depth: u32,
    /// Are both scores proven?
    pub exact: bool,
    /// Black's odds after the move played.
    pub black_probability: f64,
    /// The expected play after the best move, which it begins with.
    #[serde(serialize_with = "moves")]
    pub pv: Vec<Move>,
}

fn text<T: ToString, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value.to_string())
}

fn moves<S: Serializer>(pv: &[Move], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&pv.iter().map(Move::to_string).collect::<String>())
}

/// Judges the moves of a game, the last one first: what a search proves of the
/// end helps it before. Passes are no choice and left out. Ends early if the
/// search is stopped.
pub fn review<'a>(
    game: &'a Game,
    search: &'a mut dyn Search,
    counts: Counts,
) -> impl Iterator<Item = ReviewedMove> + 'a {
    let plies = game.plies().iter().enumerate().rev();
    let choices = plies.filter(|(_, ply)| ply.mv != Move::Pass);
    choices.map_while(move |(number, ply)| {
        let steps = search.compare(&ply.before.board, ply.mv)?;
        ReviewedMove::new(number, ply, &steps, counts)
    })
}

impl ReviewedMove {
    fn new(number: usize, ply: &Ply, steps: &[Comparison], counts: Counts) -> Option<ReviewedMove> {
        let Position { board, mover } = ply.before;
        let last = steps.last()?;
        // A search reports a depth several times: surer and surer, but no deeper.
        let mut estimates: Vec<&Comparison> =
            steps.iter().rev().filter(|step| !step.best.is_proven()).collect();
        estimates.dedup_by_key(|step| step.depth());
        estimates.truncate(AGREEING);
        let weigh = |step: &Comparison| -> Option<Weighed> {
            let of =
                |line: &Line, estimate| Some(Worth::new(line, &board.play(line.mv)?, estimate));
            let estimate = |mv: Move| {
                let lines = estimates.iter().flat_map(|step| [&step.best, &step.played]);
                lines.into_iter().find(|line| line.mv == mv)
            };
            Some(Weighed {
                best: of(&step.best, estimate(step.best.mv))?,
                played: of(&step.played, estimate(step.played.mv))?,
            })
        };
        let mut found = weigh(last)?;
        // A selective search may value a move higher than the one it prefers.
        let as_good =
            is_same(&board, last.best.mv, ply.mv) || found.discs() == 0 && found.lost() == 0.0;
        let (best, pv) = match as_good {
            true => (ply.mv, &last.played.pv),
            false => (last.best.mv, &last.best.pv),
        };
        if as_good {
            found.best = found.played;
        }
        let exact = found.best.exact && found.played.exact;
        // What is proven is certain; of what is estimated, the least, and of
        // that only what is beyond doubt.
        let vague = estimates.len() < AGREEING
            || estimates.first().and_then(|step| step.depth()) < Some(SHALLOW);
        let doubted = |step: &Comparison| match step.played.is_proven() {
            true => weigh(step),
            false => {
                let doubt = if vague { step.doubt * SHALLOW_DOUBT } else { step.doubt };
                Some(Weighed::shifted(step, [-doubt, 0.0]))
            }
        };
        let earlier = estimates.iter().filter_map(|step| doubted(step));
        let (mut certain_loss, mut certain_discs) = (found.lost(), found.discs());
        for step in earlier {
            if !last.best.is_proven() {
                certain_loss = certain_loss.min(step.lost());
            }
            if !exact {
                certain_discs = certain_discs.min(step.discs());
            }
        }
        if let (false, Some(steady)) = (exact, Weighed::steady(steps)) {
            found.played = steady.played;
            found.best = if as_good { steady.played } else { steady.best };
        }
        let Weighed { best: Worth { probability: probability_best, .. }, played } = found;
        let grade = match as_good {
            true => Grade::Best,
            false => {
                counts.grade([probability_best, played.probability], certain_loss, certain_discs)
            }
        };
        Some(ReviewedMove {
            ply: number,
            position: ply.before,
            mover,
            played: ply.mv,
            best,
            probability_best,
            probability_played: played.probability,
            score_best: found.best.score,
            score_played: played.score,
            loss: found.lost(),
            certain_loss,
            grade,
            phase: Phase::of(&board),
            depth: last.depth().unwrap_or(board.empties()),
            exact,
            black_probability: match mover {
                Color::Black => played.probability,
                Color::White => 1.0 - played.probability,
            },
            pv: pv.clone(),
        })
    }

    /// Discs lost, expected or exact.
    pub fn discs_lost(&self) -> i32 {
        (self.score_best - self.score_played).max(0)
    }
}

/// Do two moves lead to the same position, turned or mirrored perhaps?
fn is_same(board: &Board, one: Move, other: Move) -> bool {
    let after = |mv| board.play(mv).map(Board::canonical);
    one == other || after(one) == after(other)
}
