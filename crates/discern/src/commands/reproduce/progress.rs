use std::io::IsTerminal;
use std::time::{Duration, Instant};

use discern_arena::stats::Tally;
use discern_experiment::{Event, MatchProgress, Step};
use discern_report::{decimal, duration, facts_line};
use indicatif::ProgressBar;

use crate::progress::styled;

/// Shows on standard error where the reproduction is: bars on a terminal,
/// lines elsewhere.
pub struct Progress {
    on_terminal: bool,
    /// When the step began.
    since: Instant,
    /// What is being done, moving.
    bar: Option<ProgressBar>,
    /// When the games of this part of the run began, and the last line.
    games_since: Option<Instant>,
    last_line: Instant,
}

/// How often the moving sign moves, and how often a line of games appears
/// where there is no terminal.
const TICK: Duration = Duration::from_millis(100);
const LINE_EVERY: Duration = Duration::from_secs(30);

impl Progress {
    pub fn new() -> Progress {
        let (on_terminal, now) = (std::io::stderr().is_terminal(), Instant::now());
        Progress { on_terminal, since: now, bar: None, games_since: None, last_line: now }
    }

    pub fn show(&mut self, event: &Event) {
        match event {
            Event::Begun(step) => self.begin(*step),
            Event::Kept(step) => {
                self.begin(*step);
                eprintln!("      done before");
            }
            Event::Doing(what) => self.spinner().set_message((*what).to_owned()),
            Event::Counted { unit, what, done, of } => {
                let bar = self.counter(*of, unit);
                bar.set_message((*what).to_owned());
                bar.set_position(*done);
            }
            Event::Match(progress) => self.games(progress),
            Event::Done(facts) => {
                self.bar = None;
                eprintln!(
                    "      {} ({})",
                    facts_line(facts),
                    duration(self.since.elapsed().as_secs_f64())
                );
            }
        }
    }

    fn begin(&mut self, step: Step) {
        (self.since, self.bar) = (Instant::now(), None);
        let number = Step::ALL.iter().position(|one| *one == step).unwrap_or(0) + 1;
        eprintln!("[{number}/{}] {} …", Step::ALL.len(), step.title());
    }

    fn spinner(&mut self) -> &ProgressBar {
        self.bar.get_or_insert_with(|| {
            let bar = styled(ProgressBar::new_spinner(), "      {spinner} {msg}, {elapsed}");
            bar.enable_steady_tick(TICK);
            bar
        })
    }

    /// A bar below a message; another length is another bar.
    fn counter(&mut self, length: u64, unit: &str) -> &ProgressBar {
        self.bar.take_if(|bar| bar.length() != Some(length));
        self.bar.get_or_insert_with(|| {
            let template =
                format!("      {{msg}}\n      {{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left");
            styled(ProgressBar::new(length), &template)
        })
    }

    fn games(&mut self, progress: &MatchProgress) {
        let MatchProgress { row, tally: Tally { wins, draws, losses }, done, of, fresh } = progress;
        let percentage = decimal(progress.tally.percentage(), 1);
        let message = format!("{row}: {wins}–{draws}–{losses}, {percentage} %");
        let since = *self.games_since.get_or_insert_with(Instant::now);
        let bar = self.counter(*of, "games");
        bar.set_position(*done);
        if *fresh == 0 {
            bar.reset_eta();
        }
        bar.set_message(message.clone());
        if *fresh > 0 && !self.on_terminal && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let each = since.elapsed().as_secs_f64() / *fresh as f64;
            let left = duration(each * of.saturating_sub(*done) as f64);
            eprintln!("      {done}/{of} games, {left} left; {message}");
        }
    }
}
