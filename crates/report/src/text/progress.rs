//! How far an experiment is, in lines for people who wait.

use std::time::Instant;

use discern_experiment::{Event, MatchProgress, Step};

use super::facts_line;
use crate::numbers::{decimal, duration};

/// Follows an experiment.
#[derive(Debug)]
pub struct ExperimentWatch {
    /// When the step began.
    since: Instant,
    /// When the games of this part of the run began.
    games_since: Option<Instant>,
}

/// What there is to be shown of an experiment.
#[derive(Debug, Clone, PartialEq)]
pub enum Shown {
    /// Another step begins or ends: lines that stay.
    Lines(String),
    /// What is being done, if nobody knows for how long.
    Doing(String),
    /// So much of something countable is done.
    Counted {
        /// What it is about.
        message: String,
        /// What is counted.
        unit: &'static str,
        /// Done.
        done: u64,
        /// In all.
        of: u64,
        /// The first of this part of the run: no time has been measured yet.
        first: bool,
        /// A line for those who see no bar.
        line: Option<String>,
    },
}

impl Default for ExperimentWatch {
    fn default() -> ExperimentWatch {
        ExperimentWatch { since: Instant::now(), games_since: None }
    }
}

impl ExperimentWatch {
    /// What is to be shown of this.
    pub fn hear(&mut self, event: &Event) -> Shown {
        match *event {
            Event::Begun(step) => Shown::Lines(self.begin(step)),
            Event::Kept(step) => Shown::Lines(self.begin(step) + "\n      done before"),
            Event::Doing(what) => Shown::Doing(what.to_owned()),
            Event::Counted { unit, what, done, of } => {
                let message = what.to_owned();
                Shown::Counted { message, unit, done, of, first: false, line: None }
            }
            Event::Match(progress) => self.games(progress),
            Event::Done(ref facts) => {
                let took = duration(self.since.elapsed().as_secs_f64());
                Shown::Lines(format!("      {} ({took})", facts_line(facts)))
            }
        }
    }

    fn begin(&mut self, step: Step) -> String {
        self.since = Instant::now();
        let number = Step::ALL.iter().position(|one| *one == step).unwrap_or(0) + 1;
        format!("[{number}/{}] {} …", Step::ALL.len(), step.title())
    }

    fn games(&mut self, progress: &MatchProgress) -> Shown {
        let &MatchProgress { ref row, tally, done, of, fresh } = progress;
        let percentage = decimal(tally.percentage(), 1);
        let message =
            format!("{row}: {}–{}–{}, {percentage} %", tally.wins, tally.draws, tally.losses);
        let since = *self.games_since.get_or_insert_with(Instant::now);
        let line = (fresh > 0).then(|| {
            let each = since.elapsed().as_secs_f64() / fresh as f64;
            let left = duration(each * of.saturating_sub(done) as f64);
            format!("      {done}/{of} games, {left} left; {message}")
        });
        Shown::Counted { message, unit: "games", done, of, first: fresh == 0, line }
    }
}
