use std::io::IsTerminal;
use std::time::{Duration, Instant};

use discern_arena::stats::Tally;
use discern_arena::tournament::{Finished, Fixture, Plan, Results};
use discern_board::Outcome;
use discern_report::decimal;
use indicatif::ProgressBar;

use super::paper::Row;
use super::steps::{bar, duration};

/// How often a line appears where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Shows how far Table 1 has come: a bar on a terminal, lines elsewhere.
pub struct Progress {
    bar: ProgressBar,
    on_terminal: bool,
    last_line: Instant,
    start: Instant,
    /// Games finished in this part of the run.
    fresh: u64,
    title: String,
    tally: Tally,
}

impl Progress {
    pub fn new(games: u64) -> Progress {
        Progress {
            bar: bar(games, "games"),
            on_terminal: std::io::stderr().is_terminal(),
            last_line: Instant::now(),
            start: Instant::now(),
            fresh: 0,
            title: String::new(),
            tally: Tally::default(),
        }
    }

    /// A row begins, with the games it has already.
    pub fn row(&mut self, row: &Row, plan: &Plan, results: &Results) {
        let ([first, second], [a, b]) = (row.players.map(|model| model.title()), row.minutes);
        self.title = format!("{first}–{second} {a}–{b}");
        self.tally = Tally::default();
        for (fixture, result) in results.games(plan) {
            self.count(&fixture, result.discs_black);
        }
        self.bar.inc(results.len());
        if self.fresh == 0 {
            self.bar.reset_eta();
        }
        self.bar.set_message(self.line());
    }

    /// One more game is over.
    pub fn tell(&mut self, finished: &Finished) {
        let score = finished.record.score_black.map_or(0, |score| score.discs());
        self.count(&finished.fixture, score);
        self.fresh += 1;
        self.bar.inc(1);
        self.bar.set_message(self.line());
        if !self.on_terminal && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (done, games) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let each = self.start.elapsed().as_secs_f64() / self.fresh as f64;
            let left = duration(each * games.saturating_sub(done) as f64);
            eprintln!("      {done}/{games} games, {left} left; {}", self.line());
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    fn count(&mut self, fixture: &Fixture, discs_black: i32) {
        let discs = if fixture.leg == 0 { discs_black } else { -discs_black };
        self.tally.add(match discs.signum() {
            1 => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        });
    }

    fn line(&self) -> String {
        let Tally { wins, draws, losses } = self.tally;
        let percentage = decimal(100.0 * self.tally.score(), 1);
        format!("{}: {wins}–{draws}–{losses}, {percentage} %", self.title)
    }
}
