use std::time::{Duration, Instant};

use discern_board::{Color, Move, Position};
use discern_search::{StopFlag, Timing};

use super::child::{ChildProcess, Command, Heard, StartError};
use super::{Choice, Failure, Player, Turn};

/// A program that speaks GTP, version 2.
pub struct GtpPlayer {
    process: ChildProcess,
    timing: Timing,
    color: Color,
    /// Commands the program says it knows; asked once.
    commands: Option<Vec<String>>,
    /// Plies of the game the program has heard of or made itself.
    known_plies: usize,
    /// Has refused a time with a fraction.
    whole_seconds_only: bool,
}

impl GtpPlayer {
    /// Starts the program, which is charged by this clock.
    pub fn start(command: &Command, timing: Timing) -> Result<GtpPlayer, StartError> {
        Ok(GtpPlayer {
            process: ChildProcess::start(command)?,
            timing,
            color: Color::Black,
            commands: None,
            known_plies: 0,
            whole_seconds_only: false,
        })
    }

    /// Sends a command and returns the answer, an error of the program as
    /// `Err(text)` within.
    fn ask(
        &mut self,
        command: &str,
        patience: Duration,
        stop: &StopFlag,
    ) -> Result<(Result<String, String>, Instant), Failure> {
        let deadline = Instant::now() + patience;
        self.process.send(command)?;
        // Only a line that begins with = or ? begins an answer; some programs
        // talk on standard output, and an empty line ends the answer.
        let (good, mut text, at) = loop {
            let Heard { text, at } = self.process.receive(deadline, stop)?;
            if let Some(rest) = text.strip_prefix('=') {
                break (true, without_id(rest), at);
            }
            if let Some(rest) = text.strip_prefix('?') {
                break (false, without_id(rest), at);
            }
        };
        loop {
            let line = self.process.receive(deadline, stop)?.text;
            if line.is_empty() {
                break;
            }
            text.push('\n');
            text.push_str(&line);
        }
        let text = text.trim().to_owned();
        Ok((if good { Ok(text) } else { Err(text) }, at))
    }

    /// A command that must succeed.
    fn order(&mut self, command: &str, turn: &Turn, stop: &StopFlag) -> Result<String, Failure> {
        let (answer, _) = self.ask(command, turn.patience, stop)?;
        answer.map_err(|error| Failure::Refused(format!("'{command}' was refused: {error}")))
    }

    /// Tells a program that knows the command how much time there is. Many read
    /// whole seconds only, and one that refuses those as well does without: the
    /// referee keeps the time.
    fn tell_time(
        &mut self,
        command: &str,
        arguments: impl Fn(fn(Duration) -> String) -> String,
        turn: &Turn,
        stop: &StopFlag,
    ) -> Result<(), Failure> {
        if !self.knows(command, turn, stop)? {
            return Ok(());
        }
        if !self.whole_seconds_only {
            let exact = format!("{command} {}", arguments(seconds));
            let (answer, _) = self.ask(&exact, turn.patience, stop)?;
            if answer.is_ok() || !exact.contains('.') {
                return Ok(());
            }
            self.whole_seconds_only = true;
        }
        let whole = format!("{command} {}", arguments(whole_seconds));
        // Whether it accepts them does not matter any more.
        self.ask(&whole, turn.patience, stop).map(drop)
    }

    fn knows(&mut self, command: &str, turn: &Turn, stop: &StopFlag) -> Result<bool, Failure> {
        if self.commands.is_none() {
            let (answer, _) = self.ask("list_commands", turn.patience, stop)?;
            let list = answer.unwrap_or_default();
            self.commands = Some(list.split_whitespace().map(str::to_owned).collect());
        }
        Ok(self.commands.as_ref().is_some_and(|list| list.iter().any(|known| known == command)))
    }
}

/// Drops a numeric id right behind `=` or `?`.
pub(super) fn without_id(rest: &str) -> String {
    rest.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// Whole seconds without a point: many programs read integers only.
fn seconds(time: Duration) -> String {
    match time.subsec_millis() {
        0 => time.as_secs().to_string(),
        _ => format!("{:.3}", time.as_secs_f64()),
    }
}

/// The same for programs that read nothing else; at least one, as no time at
/// all would mean no limit.
fn whole_seconds(time: Duration) -> String {
    match time {
        Duration::ZERO => "0".to_owned(),
        _ => time.as_secs().max(1).to_string(),
    }
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'b' } else { 'w' }
}

impl Player for GtpPlayer {
    fn begin(&mut self, color: Color, turn: &Turn, stop: &StopFlag) -> Result<(), Failure> {
        self.color = color;
        self.known_plies = 0;
        if turn.game.start() != Position::START {
            let why = "GTP cannot set up a position: the opening must be given as moves";
            return Err(Failure::Refused(why.into()));
        }
        if self.knows("boardsize", turn, stop)? {
            self.order("boardsize 8", turn, stop)?;
        }
        self.order("clear_board", turn, stop)?;
        let limits = turn.limits_of(color);
        let (main, period) = match (limits.clock, limits.move_ms) {
            (Some(clock), _) => (clock.main_ms, clock.increment_ms),
            // No main time and one stone per period: a time per move.
            (None, Some(move_ms)) => (0, move_ms),
            (None, None) => return Ok(()),
        };
        let (main, period) = (Duration::from_millis(main), Duration::from_millis(period));
        let stones = u8::from(!period.is_zero());
        let settings =
            |show: fn(Duration) -> String| format!("{} {} {stones}", show(main), show(period));
        self.tell_time("time_settings", settings, turn, stop)
    }

    fn prepare(&mut self, turn: &Turn, stop: &StopFlag) -> Result<(), Failure> {
        for ply in &turn.game.plies()[self.known_plies..] {
            let command = format!("play {} {}", letter(ply.before.mover), ply.mv);
            match ply.mv {
                Move::Place(_) => drop(self.order(&command, turn, stop)?),
                // Some programs (GNU Rhino) pass by themselves and refuse to
                // be told; the next move shows whether they have.
                Move::Pass => drop(self.ask(&command, turn.patience, stop)?),
            }
            self.known_plies += 1;
        }
        let Some(left) = turn.left_of(self.color) else { return Ok(()) };
        let letter = letter(self.color);
        let clock = |show: fn(Duration) -> String| format!("{letter} {} 0", show(left));
        self.tell_time("time_left", clock, turn, stop)
    }

    fn choose(&mut self, turn: &Turn, stop: &StopFlag) -> Result<Choice, Failure> {
        let watch = self.process.watch(self.timing);
        let wait = turn.time_for_move(self.color).unwrap_or_default() + turn.patience;
        let (answer, at) = self.ask(&format!("genmove {}", letter(self.color)), wait, stop)?;
        let answer =
            answer.map_err(|error| Failure::Refused(format!("genmove was refused: {error}")))?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Failure::Resigned);
        }
        let mv: Move = answer.parse().map_err(|_| Failure::Illegal(answer.clone()))?;
        // genmove has played it already.
        self.known_plies += 1;
        Ok(Choice::bare(mv, self.process.spent(&watch, at)))
    }
}

impl Drop for GtpPlayer {
    fn drop(&mut self) {
        self.process.quit("quit");
    }
}
