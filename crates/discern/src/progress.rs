//! Bars on standard error; where it is no terminal, a line now and then.

use std::ops::Deref;
use std::time::{Duration, Instant};

use discern_report::{Doing, Shown};
use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// A bar that counts `unit` and shows the time left.
pub fn bar(length: u64, unit: &str) -> ProgressBar {
    styled(ProgressBar::new(length), &format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left"))
}

/// A bar over the bytes of files.
pub fn bytes(length: u64) -> ProgressBar {
    styled(ProgressBar::new(length), "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
}

/// A bar that looks as the template says and goes away at the end.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a valid template");
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}

/// Talks to people.
pub fn say(text: &str) {
    eprintln!("{text}");
}

/// A bar for work that takes long: without a terminal there are lines instead.
pub struct Live {
    bar: ProgressBar,
    last: Instant,
}

impl Live {
    pub fn new(bar: ProgressBar, template: &str) -> Live {
        Live { bar: styled(bar, template), last: Instant::now() }
    }

    /// Writes a line if the last one was long ago and nobody sees the bar.
    pub fn line(&mut self, text: impl FnOnce() -> String) {
        if self.bar.is_hidden() && self.last.elapsed() >= LINE_EVERY {
            self.last = Instant::now();
            eprintln!("{}", text());
        }
    }

    /// Shows what is being done of a whole that the bar has 1000 parts for.
    pub fn show(&mut self, doing: Doing) {
        let Doing { what, text, share } = doing;
        self.line(|| format!("{what}: {text}"));
        self.set_prefix(what);
        self.set_message(text);
        self.set_position((share * 1000.0) as u64);
    }
}

impl Deref for Live {
    type Target = ProgressBar;

    fn deref(&self) -> &ProgressBar {
        &self.bar
    }
}

/// Shows where something long is that the report follows: bars on a terminal,
/// lines elsewhere.
pub struct Screen {
    /// In front of what moves.
    indent: &'static str,
    /// What is being done, moving.
    bar: Option<Live>,
}

impl Screen {
    pub fn new(indent: &'static str) -> Screen {
        Screen { indent, bar: None }
    }

    pub fn show(&mut self, shown: Shown) {
        match shown {
            Shown::Lines(lines) => {
                self.bar = None;
                eprintln!("{lines}");
            }
            Shown::Doing(what) => self.spinner().set_message(what),
            Shown::Counted { message, unit, done, of, first, line } => {
                let bar = self.counter(of, unit);
                bar.set_position(done);
                if first {
                    bar.reset_eta();
                }
                bar.set_message(message);
                if let Some(line) = line {
                    bar.line(|| line);
                }
            }
        }
    }

    /// Says something that stays, above what moves.
    pub fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) if !bar.is_hidden() => bar.println(text),
            _ => eprintln!("{text}"),
        }
    }

    fn spinner(&mut self) -> &Live {
        self.bar.get_or_insert_with(|| {
            let template = format!("{}{{spinner}} {{msg}}, {{elapsed}}", self.indent);
            let bar = Live::new(ProgressBar::new_spinner(), &template);
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        })
    }

    /// A bar below a message; another length is another bar.
    fn counter(&mut self, length: u64, unit: &str) -> &mut Live {
        self.bar.take_if(|bar| bar.length() != Some(length));
        self.bar.get_or_insert_with(|| {
            let counted = format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left");
            let template = format!("{0}{{msg}}\n{0}{counted}", self.indent);
            Live::new(ProgressBar::new(length), &template)
        })
    }
}
