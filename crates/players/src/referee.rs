use std::time::Duration;

use discern_board::{Color, Game, Move, Score};
use discern_records::{Ending, GameRecord, Limits, MoveNote};
use discern_search::{Engine, Limits as SearchLimits, StopFlag};
use serde::{Deserialize, Serialize};

use crate::player::{Choice, Failure, Player, Turn};

/// What holds for every game of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// How much a move may take beyond the time left before it loses: the
    /// operating system's share, not the player's.
    #[serde(rename = "margin_ms", with = "milliseconds")]
    pub margin: Duration,
    /// How long a program may keep silent beyond its time before it is given
    /// up.
    #[serde(rename = "patience_ms", with = "milliseconds")]
    pub patience: Duration,
    /// From this many empty squares on the solver decides instead of the
    /// players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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

/// Times in files are whole milliseconds.
mod milliseconds {
    use super::{Deserialize, Duration};

    pub fn serialize<S: serde::Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_u64(time.as_millis() as u64)
    }

    pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_millis)
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
    /// What randomness in the game depends on.
    pub seed: u64,
}

/// The state of a game under way.
struct Table {
    game: Game,
    notes: Vec<MoveNote>,
    limits: [Limits; 2],
    left: [Option<Duration>; 2],
    patience: Duration,
    seed: u64,
}

impl Table {
    fn turn(&self) -> Turn<'_> {
        Turn {
            game: &self.game,
            notes: &self.notes,
            limits: self.limits,
            left: self.left,
            patience: self.patience,
            seed: self.seed,
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
            seed: self.seed,
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
