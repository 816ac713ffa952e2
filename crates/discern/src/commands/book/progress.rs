use std::time::{Duration, Instant};

use discern_book::{Growing, Grown};
use discern_report::growing_text;
use indicatif::ProgressBar;

use crate::progress::styled;

/// A live line on a terminal, a plain one now and then in a pipe.
pub struct Progress {
    bar: ProgressBar,
    searches: u64,
    last: Option<Instant>,
    now: String,
    start: Instant,
}

/// Between two plain lines.
const PLAIN: Duration = Duration::from_secs(30);
/// Between two looks at where the book grows.
const LIVE: Duration = Duration::from_millis(500);

impl Progress {
    pub fn new() -> Progress {
        let bar = styled(ProgressBar::new_spinner(), "{spinner} {wide_msg}");
        bar.enable_steady_tick(Duration::from_millis(200));
        let start = Instant::now();
        Progress { bar, searches: 0, last: None, now: String::new(), start }
    }

    /// Shows how far it is.
    pub fn show(&mut self, growing: Growing) {
        self.searches += u64::from(growing.done > 0);
        let pause = if self.bar.is_hidden() { PLAIN } else { LIVE };
        if growing.done == 0 && self.last.is_none_or(|last| last.elapsed() >= pause) {
            self.last = Some(Instant::now());
            self.now = growing_text(&growing);
            if self.bar.is_hidden() {
                eprintln!("{} positions, {}", growing.graph.len(), self.now);
            }
        }
        let (done, total) = (growing.done, growing.total);
        let positions = growing.graph.len();
        let rate = self.searches as f64 / self.start.elapsed().as_secs_f64().max(0.1);
        self.bar.set_message(format!(
            "{positions} positions, {rate:.1} searches/s, {done}/{total} | {}",
            self.now
        ));
    }

    /// Says how it ended.
    pub fn finish(self, grown: Grown, positions: usize) {
        self.bar.finish_and_clear();
        let why = match grown {
            Grown::Full => "the book is full",
            Grown::Complete => "there is nothing left to examine",
            Grown::Stopped => "stopped; the same command continues",
        };
        let seconds = self.start.elapsed().as_secs_f64();
        eprintln!("{positions} positions, {} searches in {seconds:.0} s: {why}", self.searches);
    }

    /// Takes the live line away.
    pub fn clear(self) {
        self.bar.finish_and_clear();
    }
}
