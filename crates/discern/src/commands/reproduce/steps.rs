use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// Tells on standard error where the reproduction is.
pub struct Steps {
    number: usize,
    count: usize,
    since: Instant,
    /// What is being done, moving; only on a terminal.
    doing: Option<ProgressBar>,
}

/// How often the moving sign moves.
const TICK: Duration = Duration::from_millis(100);

impl Steps {
    pub fn new(count: usize) -> Steps {
        Steps { number: 0, count, since: Instant::now(), doing: None }
    }

    /// The next step begins.
    pub fn begin(&mut self, title: &str) {
        self.number += 1;
        self.since = Instant::now();
        eprintln!("[{}/{}] {title} …", self.number, self.count);
    }

    /// What the step does from now on, if it cannot say how much is left.
    pub fn doing(&mut self, what: impl Into<String>) {
        let spinner = self.doing.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("      {spinner} {msg}, {elapsed}");
            let spinner = ProgressBar::new_spinner()
                .with_style(style.expect("a valid template"))
                .with_finish(ProgressFinish::AndClear);
            spinner.enable_steady_tick(TICK);
            spinner
        });
        spinner.set_message(what.into());
    }

    /// The step is over, with this result.
    pub fn done(&mut self, result: &str) {
        self.doing = None;
        eprintln!("      {result} ({})", duration(self.since.elapsed().as_secs_f64()));
    }

    /// A step that an earlier part of the run has finished.
    pub fn was_done(&mut self, title: &str) {
        self.begin(title);
        eprintln!("      was there already");
    }
}

/// How far a step has come that knows how much it has to do, below a message.
pub fn bar(length: u64, unit: &str) -> ProgressBar {
    let template = format!("      {{msg}}\n      {{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("a valid template");
    ProgressBar::new(length).with_style(style).with_finish(ProgressFinish::AndClear)
}

/// A time for people.
pub fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..60 => format!("{seconds:.1} s"),
        60..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_fitting_units() {
        assert_eq!(duration(3.21), "3.2 s");
        assert_eq!(duration(59.96), "1 min 00 s");
        assert_eq!(duration(7500.0), "2 h 05 min");
    }
}
