//! One game by the rules and the clocks.

use std::time::Duration;

use discern_board::{Color, Game, Move, Score};
use discern_players::player::{Choice, Failure, Player, Turn};
use discern_players::{EngineSpec, Played, PlayerSpec, Referee, Rules, Seat, WeightStore};
use discern_records::{Clock, Ending, Limits};
use discern_search::StopFlag;

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
    let played = Referee { rules, solver: None, stop: &stop, seed: 1 }.play(&opening, seats);
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
        assert_eq!((played.record.ending, played.record.score_black), (ending, Some(Score::MAX)));
        assert_eq!(played.failure.map(|(color, _)| color), Some(Color::White));
    }
    let mut black = scripted(0, 2, Err(Failure::Interrupted));
    let none = Limits::default();
    let record = play((&mut black, none), (&mut dutiful(0), none)).record;
    assert_eq!((record.ending, record.score_black), (Ending::Interrupted, None));
}

#[test]
fn the_solver_decides_only_when_asked_and_as_best_play_would() {
    let store = WeightStore::new();
    let spec = EngineSpec { model: "rev".into(), ..EngineSpec::default() };
    let limits = Limits::depth(10);
    let player = || PlayerSpec::engine("", spec.clone(), limits).player(&store).unwrap();
    let opening: Game = "f5d6c3".parse().unwrap();
    let stop = StopFlag::new();
    let result = |adjudicate_empties| {
        let (mut black, mut white) = (player(), player());
        let seats = [
            Seat { name: "b", limits, player: &mut *black },
            Seat { name: "w", limits, player: &mut *white },
        ];
        let rules = Rules { adjudicate_empties, ..Rules::default() };
        let mut solver = spec.engine(&store).unwrap();
        let mut referee = Referee { rules, solver: Some(&mut *solver), stop: &stop, seed: 1 };
        referee.play(&opening, seats).record
    };
    let (played, solved) = (result(None), result(Some(10)));
    assert_eq!((played.ending, solved.ending), (Ending::Played, Ending::Adjudicated));
    assert_eq!(solved.game.position().board.empties(), 10);
    // Players of depth 10 solve from there themselves.
    assert_eq!(played.score_black, solved.score_black);
}
