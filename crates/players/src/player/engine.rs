use std::time::Duration;

use discern_board::{Color, Dice};
use discern_eval::Value;
use discern_records::{Evaluation, Verdict};
use discern_search::{Certainty, Clock, Engine, Limits, Line, MoveTime, StopFlag, Stopwatch};

use super::{Choice, Failure, Player, Turn};
use crate::book::{OpenBook, evaluation_of};
use crate::randomness::Randomness;
use crate::spec::EngineSpec;

/// Our own engine in this process, with any evaluator.
///
/// It forgets everything before each game, so that with a limit of nodes or
/// depth a game depends on nothing but its players, its opening and its seed.
pub struct EnginePlayer {
    engine: Box<dyn Engine>,
    spec: EngineSpec,
    randomness: Option<Randomness>,
    book: Option<OpenBook>,
    book_dice: Dice,
    color: Color,
    dice: Dice,
    /// How late the operating system has let us be of late: a busy machine
    /// takes a thread off its core for tens of milliseconds.
    lateness: Duration,
}

impl EnginePlayer {
    /// A player around this engine, with the rest of its settings.
    pub fn new(engine: Box<dyn Engine>, spec: EngineSpec) -> EnginePlayer {
        EnginePlayer {
            engine,
            spec,
            randomness: None,
            book: None,
            book_dice: Dice::new(&[]),
            color: Color::Black,
            dice: Dice::new(&[]),
            lateness: Duration::ZERO,
        }
    }

    /// The same player, straying from its best moves.
    pub fn straying(self, randomness: Option<Randomness>) -> EnginePlayer {
        EnginePlayer { randomness, ..self }
    }

    /// The same player with an opening book.
    pub fn with_book(self, book: Option<OpenBook>) -> EnginePlayer {
        EnginePlayer { book, ..self }
    }

    /// A move from the book, if it has one.
    fn book_move(&mut self, turn: &Turn) -> Result<Option<Choice>, Failure> {
        let Some(book) = &self.book else { return Ok(None) };
        let watch = Stopwatch::start(self.spec.timing);
        let board = turn.game.position().board;
        let found = book.choose(&board, &mut self.book_dice);
        let found = found.map_err(|error| Failure::Refused(format!("the book: {error}")))?;
        Ok(found.map(|mv| Choice {
            mv: mv.square.into(),
            evaluation: Some(evaluation_of(mv.worths.even)),
            depth: Some(mv.grade.depth(board.empties())),
            nodes: Some(0),
            elapsed: watch.elapsed(),
        }))
    }

    fn limits(&self, turn: &Turn) -> Limits {
        let allowed = turn.limits_of(self.color);
        let empties = turn.game.position().board.empties();
        let by_clock = turn.left_of(self.color).map(|left| {
            let increment = allowed.clock.map_or(0, |clock| clock.increment_ms);
            let left = after_stalls(left, self.lateness);
            Clock { left, increment: Duration::from_millis(increment) }.move_time(empties)
        });
        let by_move = allowed.move_ms.map(|ms| MoveTime::fixed(usable(Duration::from_millis(ms))));
        let time = match (by_clock, by_move) {
            (Some(a), Some(b)) => {
                Some(MoveTime { target: a.target.min(b.target), maximum: a.maximum.min(b.maximum) })
            }
            (a, b) => a.or(b),
        };
        Limits { time, ..self.spec.search_limits(allowed) }
    }
}

/// What may be planned with: time is kept back for stalls as long as the worst
/// of late, but never most of it. One long stall must not spoil a whole game.
fn after_stalls(left: Duration, lateness: Duration) -> Duration {
    left - (3 * lateness).min(left / 4)
}

/// A time per move less what the operating system may take of it.
pub(crate) fn usable(time: Duration) -> Duration {
    time.saturating_sub((time / 10).clamp(Duration::from_millis(2), Duration::from_millis(15)))
}

impl Player for EnginePlayer {
    fn begin(&mut self, color: Color, turn: &Turn, _: &StopFlag) -> Result<(), Failure> {
        self.color = color;
        self.dice = Dice::new(&[turn.seed, color as u64]);
        // Dice of its own: with or without a book a player strays alike.
        self.book_dice = Dice::new(&[turn.seed, color as u64, 1]);
        self.engine.forget();
        Ok(())
    }

    fn prepare(&mut self, _: &Turn, _: &StopFlag) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn, stop: &StopFlag) -> Result<Choice, Failure> {
        if let Some(choice) = self.book_move(turn)? {
            return Ok(choice);
        }
        let watch = Stopwatch::start(self.spec.timing);
        let board = turn.game.position().board;
        let mut limits = self.limits(turn);
        let strays =
            self.randomness.filter(|randomness| randomness.strays(board.empties(), &mut self.dice));
        if let Some(randomness) = strays {
            limits.lines = randomness.moves.min(board.moves().count()) as usize;
        }
        let report = self.engine.search(&board, &limits, stop, &mut |_| {});
        let elapsed = watch.elapsed();
        if let Some(time) = limits.time {
            // The worst counts, and is forgotten in about a game.
            let late = elapsed.saturating_sub(time.maximum);
            self.lateness = late.max(self.lateness.mul_f64(0.95));
        }
        if stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        let chosen = strays.map_or(0, |randomness| randomness.choose(&report, &mut self.dice));
        let line = report.lines.get(chosen).ok_or(Failure::Illegal("the game is over".into()))?;
        Ok(Choice {
            mv: line.mv,
            evaluation: Some(evaluation(line)),
            depth: Some(match line.certainty {
                Certainty::Depth(depth) => depth,
                _ => board.empties(),
            }),
            nodes: Some(report.nodes),
            elapsed,
        })
    }
}

/// The value of a line as records keep it.
pub fn evaluation(line: &Line) -> Evaluation {
    match (line.score(), line.outcome()) {
        (Some(score), _) => Evaluation::Proven(Verdict::Score(score)),
        (None, Some(outcome)) => Evaluation::Proven(Verdict::Outcome(outcome)),
        (None, None) => Evaluation::LogOdds(Value::thousandths(line.value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_costs_a_quarter_of_the_clock_at_most() {
        let ms = Duration::from_millis;
        assert_eq!(after_stalls(ms(1000), ms(0)), ms(1000));
        assert_eq!(after_stalls(ms(1000), ms(20)), ms(940));
        assert_eq!(after_stalls(ms(1000), ms(5000)), ms(750));
        assert_eq!(after_stalls(ms(0), ms(50)), ms(0));
    }
}
