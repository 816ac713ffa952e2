use std::io::IsTerminal;
use std::time::{Duration, Instant};

use discern_arena::tournament::{Finished, Results, TournamentPlan};
use discern_records::Ending;
use discern_report::Tallies;
use indicatif::ProgressBar;

use crate::progress::styled;

/// How often a line is written when standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The live table and the bar with the time left; plain lines in a pipe.
pub struct Progress<'a> {
    plan: &'a TournamentPlan,
    tallies: Tallies<'a>,
    bar: ProgressBar,
    on_terminal: bool,
    last_line: Instant,
    start: Instant,
    done_before: u64,
}

impl<'a> Progress<'a> {
    pub fn new(plan: &'a TournamentPlan, results: &Results) -> Progress<'a> {
        let template = "{msg}\n{bar:40} {pos}/{len} games, {eta} left";
        let bar = styled(ProgressBar::new(plan.number_of_games()), template);
        bar.set_position(results.len());
        bar.reset_eta();
        Progress {
            plan,
            tallies: Tallies::new(plan, results),
            bar,
            on_terminal: std::io::stderr().is_terminal(),
            last_line: Instant::now(),
            start: Instant::now(),
            done_before: results.len(),
        }
    }

    /// One more game is over.
    pub fn tell(&mut self, finished: &Finished) {
        let Finished { fixture, record, results, sprt } = finished;
        if let Some(score) = record.score_black {
            self.tallies.count(fixture, score.discs());
        }
        let mut table = self.tallies.to_string();
        if let Some(sprt) = sprt {
            let [lower, upper] = sprt.bounds();
            table.push_str(&format!("\nLLR {:+.2} ({lower:.2}, {upper:.2})", sprt.llr()));
        }
        self.bar.set_message(table.clone());
        self.bar.set_position(results.len());
        let name = |player: usize| &self.plan.players[player].name;
        if !matches!(record.ending, Ending::Played | Ending::Adjudicated) {
            let line = format!(
                "game {}, {} (black) – {} (white): {}; {}",
                fixture.number + 1,
                name(fixture.black),
                name(fixture.white),
                record.ending,
                record.comment
            );
            if self.on_terminal {
                self.bar.println(line);
            } else {
                eprintln!("{line}");
            }
        }
        if !self.on_terminal && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (done, games) = (results.len(), self.plan.number_of_games());
            let fresh = done.saturating_sub(self.done_before).max(1);
            let left = self.start.elapsed().as_secs_f64() / fresh as f64 * (games - done) as f64;
            eprintln!("{done}/{games} games, {left:.0} s left; {}", table.replace('\n', "; "));
        }
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
