//! A thousand fast games in which nobody may overstep the time.

use std::time::{Duration, Instant};

use discern_board::testing::Seeded;
use discern_board::{Color, Game, Move};
use discern_eval::{AnyEvaluator, evaluator};
use discern_search::{Clock, Engine, Limits, Options, StopFlag, engine};

/// How long this thread has been ready to run while the system ran another:
/// not the engine's fault, and on a busy machine longer than a whole game.
fn kept_waiting() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').nth(1).and_then(|field| field.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// What the system counts stolen time in.
const TICK: Duration = Duration::from_millis(10);

/// How long the host of a virtual machine ran others on our processors: not
/// the engine's fault either.
fn stolen() -> Duration {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks = stat.split_whitespace().nth(8).and_then(|field| field.parse::<u32>().ok());
    TICK * ticks.unwrap_or(0)
}

/// Plays a game with a clock for each side; returns what is left on them.
fn play(game: &mut Game, engine: &mut dyn Engine, start: Duration) -> [Duration; 2] {
    let mut clocks = [Clock { left: start, increment: Duration::ZERO }; 2];
    engine.forget();
    while !game.is_over() {
        let position = game.position();
        if position.board.must_pass() {
            game.play(Move::Pass).unwrap();
            continue;
        }
        let clock = &mut clocks[position.mover as usize];
        let (waited, before) = (kept_waiting(), stolen());
        let begin = Instant::now();
        let limits = Limits::within(clock.move_time(position.board.empties()));
        let report = engine.search(&position.board, &limits, &StopFlag::new(), &mut |_| {});
        let mut used = begin.elapsed().saturating_sub(kept_waiting() - waited);
        if used >= clock.left && stolen() > before {
            used = used.saturating_sub(stolen() - before + TICK);
        }
        assert!(used < clock.left, "{} used {used:?} of {:?}", position.mover, clock.left);
        clock.left -= used;
        game.play(report.best().unwrap().mv).unwrap();
    }
    Color::BOTH.map(|color| clocks[color as usize].left)
}

/// Five hundred games, of which most of the time is to be used.
fn play_many(evaluator: AnyEvaluator, seed: u64) {
    let mut random = Seeded::new(seed);
    let options = Options { threads: 1, table_mebibytes: 4 };
    let mut engine = engine(evaluator, options).unwrap();
    let mut left = Duration::ZERO;
    for _ in 0..500 {
        let mut game = Game::default();
        for _ in 0..6 {
            let moves: Vec<_> = game.position().board.moves().squares().collect();
            game.play(moves[random.below(moves.len())].into()).unwrap();
        }
        left += play(&mut game, &mut *engine, Duration::from_millis(40)).iter().sum();
    }
    assert!(left / 1000 < Duration::from_millis(30), "{:?} left over", left / 1000);
}

#[test]
fn nobody_oversteps_the_time_in_a_thousand_fast_games() {
    std::thread::scope(|scope| {
        for (seed, name) in (0..).zip(["rev", "log"]) {
            let evaluator = evaluator(name, Some(discern_data::weights())).unwrap();
            scope.spawn(move || play_many(evaluator, seed));
        }
    });
}
