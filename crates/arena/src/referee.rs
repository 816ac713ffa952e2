use std::time::Duration;

use discern_board::{Color, Game, Move, Score};
use discern_records::{Ending, GameRecord, Limits, MoveNote};
use discern_search::{Engine, Limits as SearchLimits, StopFlag};

use crate::player::{Choice, Failure, Player, Turn};

/// What holds for every game of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How much a move may take beyond the time left before it loses: the
    /// operating system's share, not the player's.
    pub margin: Duration,
    /// How long a program may keep silent beyond its time before it is given
    /// up.
    pub patience: Duration,
    /// From this many empty squares on the solver decides instead of the
    /// players.
    pub adjudicate_empties: Option<u32>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            margin: Duration::from_millis(10),
            patience: Duration::from_secs(30),
            adjudicate_empties: None,
        }
    }
}

/// A player at the board.
pub struct Seat<'a> {
    /// Goes into the record.
    pub name: &'a str,
    /// What he may use.
    pub limits: Limits,
    /// Whoever chooses the moves.
    pub player: &'a mut dyn Player,
}

/// A game that has come to its end, whatever it was.
#[derive(Debug)]
pub struct Played {
    /// The game. A player who failed has lost by 64 discs; an interrupted game
    /// has no result.
    pub record: GameRecord,
    /// Who failed, and how.
    pub failure: Option<(Color, Failure)>,
}

/// Sees to it that a game is played by the rules and the clocks.
pub struct Referee<'a> {
    /// What holds for every game.
    pub rules: Rules,
    /// Decides games early, where the rules say so.
    pub solver: Option<&'a mut dyn Engine>,
    /// Ends the game without a result.
    pub stop: &'a StopFlag,
}

/// The state of a game under way.
struct Table {
    game: Game,
    notes: Vec<MoveNote>,
    limits: [Limits; 2],
    left: [Option<Duration>; 2],
    patience: Duration,
}

impl Table {
    fn turn(&self) -> Turn<'_> {
        Turn {
            game: &self.game,
            notes: &self.notes,
            limits: self.limits,
            left: self.left,
            patience: self.patience,
        }
    }

    /// Takes the time off the clock; `false` if there was not enough.
    fn spend(&mut self, color: Color, elapsed: Duration, margin: Duration) -> bool {
        let limits = self.limits[color as usize];
        let in_time = limits.move_ms.is_none_or(|ms| elapsed <= Duration::from_millis(ms) + margin);
        let Some(left) = &mut self.left[color as usize] else { return in_time };
        if elapsed > *left + margin {
            return false;
        }
        let increment = limits.clock.map_or(0, |clock| clock.increment_ms);
        *left = left.saturating_sub(elapsed) + Duration::from_millis(increment);
        in_time
    }

    fn play(&mut self, mv: Move, note: MoveNote) -> bool {
        let legal = self.game.play(mv).is_ok();
        if legal {
            self.notes.push(note);
        }
        legal
    }
}

/// How play ended.
enum End {
    Rules,
    Solved(Score),
    Timeout(Color, Duration),
    Failed(Color, Failure),
}

impl Referee<'_> {
    /// Plays a game from the end of an opening; Black's seat first.
    pub fn play(&mut self, opening: &Game, mut seats: [Seat; 2]) -> Played {
        let limits = [seats[0].limits, seats[1].limits];
        let main = |limits: Limits| limits.clock.map(|clock| Duration::from_millis(clock.main_ms));
        let mut table = Table {
            game: opening.clone(),
            notes: vec![MoveNote::default(); opening.plies().len()],
            limits,
            left: limits.map(main),
            patience: self.rules.patience,
        };
        let end = self.play_on(&mut table, &mut seats);
        let mut record = GameRecord::new(table.game);
        record.notes = table.notes;
        record.opening = opening.plies().len();
        for (color, seat) in Color::BOTH.into_iter().zip(&seats) {
            record.players[color].name = seat.name.into();
            record.players[color].limits = seat.limits;
        }
        let loser = |color: Color| match color {
            Color::Black => Score::MIN,
            Color::White => Score::MAX,
        };
        let mut failure = None;
        match end {
            End::Rules => {}
            End::Solved(score_black) => {
                (record.ending, record.score_black) = (Ending::Adjudicated, Some(score_black));
            }
            End::Timeout(color, over) => {
                (record.ending, record.score_black) = (Ending::Timeout, Some(loser(color)));
                record.comment = format!("{color} was {} ms late", over.as_millis()).into();
            }
            End::Failed(color, reason) => {
                record.ending = reason.ending();
                record.comment = format!("{color}: {reason}").into();
                record.score_black = (reason != Failure::Interrupted).then(|| loser(color));
                failure = Some((color, reason));
            }
        }
        Played { record, failure }
    }

    fn play_on(&mut self, table: &mut Table, seats: &mut [Seat; 2]) -> End {
        for (color, seat) in Color::BOTH.into_iter().zip(seats.iter_mut()) {
            if let Err(failure) = seat.player.begin(color, &table.turn(), self.stop) {
                return End::Failed(color, failure);
            }
        }
        while !table.game.is_over() {
            let position = table.game.position();
            let color = position.mover;
            if position.board.must_pass() {
                table.play(Move::Pass, MoveNote::default());
                continue;
            }
            if let Some(score_black) = self.solved(&table.game) {
                return End::Solved(score_black);
            }
            let player = &mut *seats[color as usize].player;
            let choice = player
                .prepare(&table.turn(), self.stop)
                .and_then(|()| player.choose(&table.turn(), self.stop));
            let Choice { mv, evaluation, depth, nodes, elapsed } = match choice {
                Ok(choice) => choice,
                Err(failure) => return End::Failed(color, failure),
            };
            let allowed = table.turn().time_for_move(color).unwrap_or_default();
            if !table.spend(color, elapsed, self.rules.margin) {
                return End::Timeout(color, elapsed.saturating_sub(allowed));
            }
            let time_ms = Some((elapsed.as_micros() as u64 + 500) / 1000);
            if !table.play(mv, MoveNote { evaluation, time_ms, depth, nodes }) {
                return End::Failed(color, Failure::Illegal(mv.to_string()));
            }
        }
        End::Rules
    }

    /// The exact result from Black's view, if the rules ask for it here.
    fn solved(&mut self, game: &Game) -> Option<Score> {
        let position = game.position();
        let solver = self.solver.as_mut()?;
        if position.board.empties() > self.rules.adjudicate_empties? {
            return None;
        }
        let report = solver.search(&position.board, &SearchLimits::SOLVE, self.stop, &mut |_| {});
        let score = report.best()?.score()?;
        Some(if position.mover == Color::Black { score } else { -score })
    }
}

#[cfg(test)]
mod tests {
    use discern_eval::Rev;
    use discern_records::Clock;
    use discern_search::{AnyEvaluator, Options};

    use super::*;
    use crate::player::EnginePlayer;

    /// Plays the first legal move, slowly and only so often.
    struct Scripted {
        elapsed: Duration,
        moves_left: usize,
        then: Result<Move, Failure>,
    }

    impl Player for Scripted {
        fn begin(&mut self, _: Color, _: &Turn, _: &StopFlag) -> Result<(), Failure> {
            Ok(())
        }

        fn prepare(&mut self, _: &Turn, _: &StopFlag) -> Result<(), Failure> {
            Ok(())
        }

        fn choose(&mut self, turn: &Turn, _: &StopFlag) -> Result<Choice, Failure> {
            let first = turn.game.position().board.moves().first().expect("a move");
            let mv = if self.moves_left == 0 { self.then.clone()? } else { first.into() };
            self.moves_left = self.moves_left.saturating_sub(1);
            Ok(Choice::bare(mv, self.elapsed))
        }
    }

    fn scripted(elapsed_ms: u64, moves_left: usize, then: Result<Move, Failure>) -> Scripted {
        Scripted { elapsed: Duration::from_millis(elapsed_ms), moves_left, then }
    }

    fn clock(main_ms: u64, increment_ms: u64) -> Limits {
        let clock = Some(Clock { main_ms, increment_ms, grace_ms: 0 });
        Limits { clock, ..Limits::default() }
    }

    fn play(black: (&mut dyn Player, Limits), white: (&mut dyn Player, Limits)) -> Played {
        let opening: Game = "f5d6c3".parse().unwrap();
        let seats = [
            Seat { name: "black", limits: black.1, player: black.0 },
            Seat { name: "white", limits: white.1, player: white.0 },
        ];
        let stop = StopFlag::new();
        let rules = Rules { margin: Duration::ZERO, ..Rules::default() };
        let played = Referee { rules, solver: None, stop: &stop }.play(&opening, seats);
        played.record.check().unwrap();
        played
    }

    fn dutiful(elapsed_ms: u64) -> Scripted {
        scripted(elapsed_ms, usize::MAX, Ok(Move::Pass))
    }

    #[test]
    fn a_game_is_played_to_its_end_and_written_down() {
        let played = play((&mut dutiful(5), clock(1000, 0)), (&mut dutiful(3), Limits::default()));
        let record = played.record;
        assert!(played.failure.is_none());
        assert_eq!((record.ending, record.opening), (Ending::Played, 3));
        assert_eq!(record.notes.len(), record.game.plies().len());
        assert_eq!(record.notes[0].time_ms, None);
        assert_eq!(record.notes[3].time_ms, Some(3), "white moves after three plies");
        assert_eq!(&*record.players.black.name, "black");
        assert_eq!(record.players.black.limits, clock(1000, 0));
    }

    #[test]
    fn the_clock_is_lost_by_a_millisecond_and_kept_by_the_increment() {
        // 30 moves of 10 ms at most: 280 ms do not last, 10 ms more each do.
        let record = play((&mut dutiful(10), clock(100, 0)), (&mut dutiful(0), clock(1, 0))).record;
        assert_eq!((record.ending, record.score_black), (Ending::Timeout, Some(Score::MIN)));
        assert_eq!(&*record.comment, "black was 10 ms late");
        let black = record.game.plies()[3..].iter().filter(|p| p.before.mover == Color::Black);
        assert_eq!(black.count(), 10, "exactly the time there was");
        let record = play((&mut dutiful(10), clock(10, 10)), (&mut dutiful(0), clock(1, 0))).record;
        assert_eq!(record.ending, Ending::Played);
        let limits = Limits { move_ms: Some(9), ..Limits::default() };
        let record = play((&mut dutiful(0), limits), (&mut dutiful(10), limits)).record;
        assert_eq!((record.ending, record.score_black), (Ending::Timeout, Some(Score::MAX)));
    }

    #[test]
    fn every_failure_has_its_ending() {
        let a1: Move = "a1".parse().unwrap();
        let cases = [
            (Ok(a1), Ending::Illegal),
            (Ok(Move::Pass), Ending::Illegal),
            (Err(Failure::Crash("gone".into())), Ending::Crash),
            (Err(Failure::Silence(1.0)), Ending::Silence),
            (Err(Failure::Resigned), Ending::Resigned),
        ];
        for (then, ending) in cases {
            let mut white = scripted(0, 2, then);
            let none = Limits::default();
            let played = play((&mut dutiful(0), none), (&mut white, none));
            assert_eq!(
                (played.record.ending, played.record.score_black),
                (ending, Some(Score::MAX))
            );
            assert_eq!(played.failure.map(|(color, _)| color), Some(Color::White));
        }
        let mut black = scripted(0, 2, Err(Failure::Interrupted));
        let none = Limits::default();
        let record = play((&mut black, none), (&mut dutiful(0), none)).record;
        assert_eq!((record.ending, record.score_black), (Ending::Interrupted, None));
    }

    #[test]
    fn the_solver_decides_only_when_asked_and_as_best_play_would() {
        let options = Options { threads: 1, table_mebibytes: 1 };
        let engine = || AnyEvaluator::from(Rev::default()).engine(options).unwrap();
        let opening: Game = "f5d6c3".parse().unwrap();
        let stop = StopFlag::new();
        let result = |adjudicate_empties| {
            let [mut black, mut white] = [(); 2].map(|()| EnginePlayer::new(engine(), None));
            let limits = Limits::depth(10);
            let seats = [
                Seat { name: "b", limits, player: &mut black },
                Seat { name: "w", limits, player: &mut white },
            ];
            let rules = Rules { adjudicate_empties, ..Rules::default() };
            let mut solver = engine();
            let mut referee = Referee { rules, solver: Some(&mut *solver), stop: &stop };
            referee.play(&opening, seats).record
        };
        let (played, solved) = (result(None), result(Some(10)));
        assert_eq!((played.ending, solved.ending), (Ending::Played, Ending::Adjudicated));
        assert_eq!(solved.game.position().board.empties(), 10);
        // Players of depth 10 solve from there themselves.
        assert_eq!(played.score_black, solved.score_black);
    }
}
