use std::time::Duration;

use discern_board::Color;
use discern_eval::Value;
use discern_records::{Evaluation, Verdict};
use discern_search::{
    Certainty, Clock, Engine, Limits, Line, MoveTime, StopFlag, Stopwatch, Timing,
};

use super::{Choice, Failure, Player, Turn};

/// Our own engine in this process, with any evaluator.
///
/// It forgets everything before each game, so that with a limit of nodes or
/// depth a game depends on nothing but its players and its opening.
pub struct EnginePlayer {
    engine: Box<dyn Engine>,
    color: Color,
    solve_empties: Option<u32>,
    selective: bool,
    timing: Timing,
    /// How late the operating system has let us be of late: a busy machine
    /// takes a thread off its core for tens of milliseconds.
    lateness: Duration,
}

impl EnginePlayer {
    /// A player around this engine. With `solve_empties` it proves win, draw
    /// or loss from there on, instead of where the search finds it wise.
    pub fn new(engine: Box<dyn Engine>, solve_empties: Option<u32>) -> EnginePlayer {
        EnginePlayer {
            engine,
            color: Color::Black,
            solve_empties,
            selective: false,
            timing: Timing::Wall,
            lateness: Duration::ZERO,
        }
    }

    /// The same player, charged for the processor time it uses instead of the
    /// time that passes. Only for engines of one thread.
    pub fn on_processor_time(self) -> EnginePlayer {
        EnginePlayer { timing: Timing::Processor, ..self }
    }

    /// The same player, cutting off what a shallow look makes improbable.
    pub fn selective(self) -> EnginePlayer {
        EnginePlayer { selective: true, ..self }
    }

    fn limits(&self, turn: &Turn) -> Limits {
        let allowed = turn.limits_of(self.color);
        let mut limits = allowed.depth.map_or(Limits::default(), Limits::depth);
        limits.nodes = allowed.nodes;
        limits.timing = self.timing;
        limits.selective = self.selective;
        if let Some(empties) = self.solve_empties {
            limits.outcome_empties = empties;
            limits.score_empties = empties.saturating_sub(2);
        }
        let empties = turn.game.position().board.empties();
        let by_clock = turn.left_of(self.color).map(|left| {
            let increment = allowed.clock.map_or(0, |clock| clock.increment_ms);
            let left = left.saturating_sub(3 * self.lateness);
            Clock { left, increment: Duration::from_millis(increment) }.move_time(empties)
        });
        let by_move = allowed.move_ms.map(|ms| MoveTime::fixed(usable(Duration::from_millis(ms))));
        limits.time = match (by_clock, by_move) {
            (Some(a), Some(b)) => {
                Some(MoveTime { target: a.target.min(b.target), maximum: a.maximum.min(b.maximum) })
            }
            (a, b) => a.or(b),
        };
        limits
    }
}

/// A time per move less what the operating system may take of it.
pub(crate) fn usable(time: Duration) -> Duration {
    time.saturating_sub((time / 10).clamp(Duration::from_millis(2), Duration::from_millis(15)))
}

impl Player for EnginePlayer {
    fn begin(&mut self, color: Color, _: &Turn, _: &StopFlag) -> Result<(), Failure> {
        self.color = color;
        self.engine.forget();
        Ok(())
    }

    fn prepare(&mut self, _: &Turn, _: &StopFlag) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn, stop: &StopFlag) -> Result<Choice, Failure> {
        let watch = Stopwatch::start(self.timing);
        let board = turn.game.position().board;
        let limits = self.limits(turn);
        let report = self.engine.search(&board, &limits, stop, &mut |_| {});
        let elapsed = watch.elapsed();
        if let Some(time) = limits.time {
            // The worst counts, and is forgotten in some ten games.
            let late = elapsed.saturating_sub(time.maximum);
            self.lateness = late.max(self.lateness.mul_f64(0.995));
        }
        if stop.is_stopped() {
            return Err(Failure::Interrupted);
        }
        let line = report.best().ok_or(Failure::Illegal("the game is over".into()))?;
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

#[cfg(all(test, unix))]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    use discern_board::Game;
    use discern_eval::Rev;
    use discern_records::{Clock as GameClock, Ending, Limits as Allowed};
    use discern_search::{AnyEvaluator, Options};

    use super::*;
    use crate::{Played, Referee, Rules, Seat};

    #[test]
    fn a_busy_machine_takes_nothing_from_players_on_processor_time() {
        let player = || {
            let options = Options { threads: 1, table_mebibytes: 1 };
            let engine = AnyEvaluator::from(Rev::default()).engine(options).unwrap();
            EnginePlayer::new(engine, None).on_processor_time()
        };
        let clock = GameClock { main_ms: 40, increment_ms: 0, grace_ms: 0 };
        let limits = Allowed { clock: Some(clock), ..Allowed::default() };
        let (mut black, mut white) = (player(), player());
        let seats = [
            Seat { name: "black", limits, player: &mut black },
            Seat { name: "white", limits, player: &mut white },
        ];
        let busy = AtomicBool::new(true);
        let Played { record, .. } = thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    while busy.load(Ordering::Relaxed) {
                        std::hint::spin_loop();
                    }
                });
            }
            let (rules, stop) = (Rules::default(), &StopFlag::new());
            let played = Referee { rules, solver: None, stop }.play(&Game::default(), seats);
            busy.store(false, Ordering::Relaxed);
            played
        });
        assert_eq!(record.ending, Ending::Played, "{}", record.comment);
        for color in Color::BOTH {
            let moves = record.game.plies().iter().zip(&record.notes);
            let of_color = moves.filter(|(ply, _)| ply.before.mover == color);
            let spent: u64 = of_color.filter_map(|(_, note)| note.time_ms).sum();
            assert!((5..=50).contains(&spent), "{color}: {spent} ms");
        }
    }
}
