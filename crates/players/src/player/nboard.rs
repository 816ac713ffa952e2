use std::time::{Duration, Instant};

use discern_board::{Color, Move, Score};
use discern_records::{Evaluation, GameRecord, MoveNote, Verdict, ggf};
use discern_search::{StopFlag, Timing};

use super::child::{ChildProcess, Command, Heard, StartError};
use super::{Choice, Failure, Player, Turn};

/// A program that speaks the NBoard protocol, version 2.
///
/// The whole game is sent before every question, so nothing can get out of
/// step; the clock is told by the times of the moves in it.
pub struct NBoardPlayer {
    process: ChildProcess,
    timing: Timing,
    color: Color,
    pings: u64,
    greeted: bool,
}

impl NBoardPlayer {
    /// Starts the program, which is charged by this clock.
    pub fn start(command: &Command, timing: Timing) -> Result<NBoardPlayer, StartError> {
        let process = ChildProcess::start(command)?;
        Ok(NBoardPlayer { process, timing, color: Color::Black, pings: 0, greeted: false })
    }

    /// Sends a ping and waits until it comes back: everything before it has
    /// been heard, and what comes after it is fresh.
    fn synchronise(&mut self, turn: &Turn, stop: &StopFlag) -> Result<(), Failure> {
        self.pings += 1;
        self.process.send(&format!("ping {}", self.pings))?;
        let deadline = Instant::now() + turn.patience;
        loop {
            let heard = self.process.receive(deadline, stop)?.text;
            let mut words = heard.split_whitespace();
            let number = self.pings.to_string();
            if words.next() == Some("pong") && words.next() == Some(&number) {
                return Ok(());
            }
        }
    }

    /// The game in GGF with clocks and times, without anybody's evaluations.
    fn game_text(turn: &Turn) -> String {
        let mut record = GameRecord::new(turn.game.clone());
        for color in Color::BOTH {
            let limits = *turn.limits_of(color);
            record.players[color].name = color.to_string().as_str().into();
            record.players[color].limits = limits;
            if let (None, Some(ms)) = (limits.clock, limits.move_ms) {
                // GGF knows no time per move: an increment with nothing else.
                record.players[color].limits.clock =
                    Some(discern_records::Clock { main_ms: ms, increment_ms: ms, grace_ms: 0 });
            }
        }
        let time = |note: &MoveNote| MoveNote { time_ms: note.time_ms, ..MoveNote::default() };
        record.notes = turn.notes.iter().map(time).collect();
        ggf::game(&record)
    }
}

/// `=== f5`, `=== f5/1.25/0.3`, `=== f5 1.25 0.3`.
pub(super) fn parse_answer(text: &str) -> Option<(Move, Option<Evaluation>)> {
    let rest = text.strip_prefix("===")?;
    let mut fields = rest.trim().split(|c: char| c == '/' || c.is_whitespace());
    let mv = fields.next()?.parse().ok()?;
    let discs = fields.next().and_then(|field| field.split(',').next()?.parse::<f64>().ok());
    let discs = discs.filter(|discs| discs.abs() <= 1000.0);
    Some((mv, discs.map(|discs| Evaluation::Discs((discs * 100.0).round() as i32))))
}

/// What the program says on the way about how it found its move.
#[derive(Default)]
pub(super) struct Talk {
    /// The move it spoke of last.
    mv: Option<Move>,
    certainty: Option<Certainty>,
    nodes: Option<u64>,
}

/// How sure a program is of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Certainty {
    /// Plies searched.
    Depth(u32),
    /// `100%`: the exact score.
    Score,
    /// `100%W`: win, draw or loss.
    Outcome,
    /// Any other percentage: probable. It says nothing of plies.
    Probable,
}

impl Certainty {
    fn parse(text: &str) -> Option<Certainty> {
        let end = text.find(|symbol: char| !symbol.is_ascii_digit()).unwrap_or(text.len());
        let (digits, rest) = text.split_at(end);
        let number: u32 = digits.parse().ok()?;
        Some(match rest {
            "%" if number == 100 => Certainty::Score,
            _ if number == 100 && rest.starts_with("%W") => Certainty::Outcome,
            _ if rest.starts_with('%') => Certainty::Probable,
            _ => Certainty::Depth(number),
        })
    }
}

impl Talk {
    pub(super) fn hear(&mut self, text: &str) {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            // search {pv} {eval} 0 {depth} …
            ["search" | "book", pv, _, _, depth, ..] => {
                self.mv = pv.get(..2).and_then(|mv| mv.parse().ok());
                self.certainty = Certainty::parse(depth).or(self.certainty);
            }
            ["nodestats", nodes, ..] => {
                self.nodes = nodes.parse::<f64>().ok().map(|nodes| nodes as u64).or(self.nodes);
            }
            _ => {}
        }
    }

    /// The answer with what was overheard: a proof of the move that is played
    /// is a proof of its value, as deep as there are empty squares.
    pub(super) fn choice(
        &self,
        mv: Move,
        evaluation: Option<Evaluation>,
        empties: u32,
        elapsed: Duration,
    ) -> Choice {
        let certainty = self.certainty.filter(|_| self.mv == Some(mv));
        let discs = match evaluation {
            Some(Evaluation::Discs(centi)) if centi % 100 == 0 => Score::new(centi / 100),
            _ => None,
        };
        let verdict = match (certainty, discs) {
            (Some(Certainty::Score), Some(score)) => Some(Verdict::Score(score)),
            (Some(Certainty::Outcome), Some(score)) => Some(Verdict::Outcome(score.outcome())),
            _ => None,
        };
        Choice {
            mv,
            evaluation: verdict.map(Evaluation::Proven).or(evaluation),
            depth: match self.certainty {
                Some(Certainty::Depth(depth)) => Some(depth),
                Some(Certainty::Score | Certainty::Outcome) => Some(empties),
                Some(Certainty::Probable) | None => None,
            },
            nodes: self.nodes,
            elapsed,
        }
    }
}

impl Player for NBoardPlayer {
    fn begin(&mut self, color: Color, turn: &Turn, stop: &StopFlag) -> Result<(), Failure> {
        self.color = color;
        if !self.greeted {
            self.process.send("nboard 2")?;
            self.greeted = true;
        }
        if let Some(depth) = turn.limits_of(color).depth {
            self.process.send(&format!("set depth {depth}"))?;
        }
        self.synchronise(turn, stop)
    }

    fn prepare(&mut self, turn: &Turn, stop: &StopFlag) -> Result<(), Failure> {
        self.process.send(&format!("set game {}", NBoardPlayer::game_text(turn)))?;
        self.synchronise(turn, stop)
    }

    fn choose(&mut self, turn: &Turn, stop: &StopFlag) -> Result<Choice, Failure> {
        let watch = self.process.watch(self.timing);
        let wait = turn.time_for_move(self.color).unwrap_or(Duration::ZERO) + turn.patience;
        let deadline = Instant::now() + wait;
        self.process.send("go")?;
        let mut talk = Talk::default();
        loop {
            let Heard { text, at } = self.process.receive(deadline, stop)?;
            if !text.starts_with("===") {
                talk.hear(&text);
                continue;
            }
            let (mv, evaluation) = parse_answer(&text).ok_or(Failure::Illegal(text))?;
            let elapsed = self.process.spent(&watch, at);
            let empties = turn.game.position().board.empties();
            return Ok(talk.choice(mv, evaluation, empties, elapsed));
        }
    }
}

impl Drop for NBoardPlayer {
    fn drop(&mut self) {
        self.process.quit("quit");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_all_their_forms() {
        let f5 = "f5".parse().unwrap();
        assert_eq!(parse_answer("=== f5"), Some((f5, None)));
        let discs = Some(Evaluation::Discs(-125));
        assert_eq!(parse_answer("=== F5/-1.25/0.3"), Some((f5, discs)));
        assert_eq!(parse_answer("=== F5 -1.25 0.3"), Some((f5, discs)));
        assert_eq!(parse_answer("===PA//2"), Some((Move::Pass, None)));
        assert_eq!(parse_answer("=== F5/2,1"), Some((f5, Some(Evaluation::Discs(200)))));
        assert_eq!(parse_answer("=== k9"), None);
        assert_eq!(parse_answer("status thinking"), None);
    }

    #[test]
    fn depth_certainty_and_nodes_are_overheard() {
        let f5: Move = "f5".parse().unwrap();
        let heard = |lines: &[&str], answer: &str| {
            let mut talk = Talk::default();
            lines.iter().for_each(|line| talk.hear(line));
            let (mv, evaluation) = parse_answer(answer).unwrap();
            assert_eq!(mv, f5);
            let choice = talk.choice(mv, evaluation, 14, Duration::ZERO);
            (choice.depth, choice.evaluation, choice.nodes)
        };
        let discs = |centi| Some(Evaluation::Discs(centi));
        let proven = |verdict| Some(Evaluation::Proven(verdict));
        assert_eq!(
            heard(&["search F5d6 1.5 0 12", "nodestats 123456 0.5"], "=== F5/1.5"),
            (Some(12), discs(150), Some(123_456))
        );
        // Percentages are no plies: exact, proven outcome, probable.
        let six = Score::new(6).unwrap();
        assert_eq!(
            heard(&["search F5-D6 6 0 100%"], "=== F5/6.00"),
            (Some(14), proven(Verdict::Score(six)), None)
        );
        assert_eq!(
            heard(&["search F5 6 0 100%W text"], "=== F5/6"),
            (Some(14), proven(Verdict::Outcome(six.outcome())), None)
        );
        assert_eq!(heard(&["search F5 2 0 73%"], "=== F5/2"), (None, discs(200), None));
        // A proof of another move proves nothing about this one.
        assert_eq!(heard(&["search D6 6 0 100%"], "=== F5/6"), (Some(14), discs(600), None));
    }
}
