use std::io::IsTerminal;
use std::time::{Duration, Instant};

use discern_arena::stats::Tally;
use discern_arena::tournament::{Finished, Results, TournamentPlan};
use discern_records::Ending;
use discern_report::decimal;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written when standard error is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The live table and the bar with the time left; plain lines in a pipe.
pub struct Progress<'a> {
    plan: &'a TournamentPlan,
    tallies: Vec<Tally>,
    bar: ProgressBar,
    on_terminal: bool,
    last_line: Instant,
    start: Instant,
    done_before: u64,
}

impl<'a> Progress<'a> {
    pub fn new(plan: &'a TournamentPlan, results: &Results) -> Progress<'a> {
        let style = ProgressStyle::with_template("{msg}\n{bar:40} {pos}/{len} games, {eta} left")
            .expect("a valid template");
        let bar = ProgressBar::new(plan.number_of_games()).with_style(style);
        bar.set_position(results.len());
        bar.reset_eta();
        let mut progress = Progress {
            plan,
            tallies: vec![Tally::default(); plan.pairings().len()],
            bar,
            on_terminal: std::io::stderr().is_terminal(),
            last_line: Instant::now(),
            start: Instant::now(),
            done_before: results.len(),
        };
        for (fixture, result) in results.games(plan) {
            progress.count(fixture.pairing, fixture.leg, result.discs_black);
        }
        progress
    }

    /// One more game is over.
    pub fn tell(&mut self, finished: &Finished) {
        let Finished { fixture, record, results, sprt } = finished;
        if let Some(score) = record.score_black {
            self.count(fixture.pairing, fixture.leg, score.discs());
        }
        let mut table = self.table();
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

    fn count(&mut self, pairing: usize, leg: usize, discs_black: i32) {
        let discs = if leg == 0 { discs_black } else { -discs_black };
        let tally = &mut self.tallies[pairing];
        match discs.signum() {
            1 => tally.wins += 1,
            0 => tally.draws += 1,
            _ => tally.losses += 1,
        }
    }

    fn table(&self) -> String {
        let line = |(&(first, second), tally): (&(usize, usize), &Tally)| {
            let name = |player: usize| &self.plan.players[player].name;
            let Tally { wins, draws, losses } = tally;
            let percent = decimal(100.0 * tally.score(), 1);
            format!("{} – {}: {wins}–{draws}–{losses}, {percent} %", name(first), name(second))
        };
        let pairings = self.plan.pairings();
        pairings.iter().zip(&self.tallies).map(line).collect::<Vec<_>>().join("\n")
    }
}
