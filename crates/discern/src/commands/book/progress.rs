use std::time::{Duration, Instant};

use discern_board::{Board, Game, Move, Position};
use discern_book::{Growing, Grown, Paths, best_line, opening_of};
use indicatif::{ProgressBar, ProgressStyle};

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
        let style = ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template");
        let bar = ProgressBar::new_spinner().with_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        let start = Instant::now();
        Progress { bar, searches: 0, last: None, now: String::new(), start }
    }

    /// Hears how far it is.
    pub fn tell(&mut self, growing: Growing) {
        self.searches += u64::from(growing.done > 0);
        let pause = if self.bar.is_hidden() { PLAIN } else { LIVE };
        if growing.done == 0 && self.last.is_none_or(|last| last.elapsed() >= pause) {
            self.last = Some(Instant::now());
            self.now = picture(&growing);
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

/// What the book thinks of the start, its best line, and where it grows.
fn picture(growing: &Growing) -> String {
    let graph = growing.graph;
    let value = graph.get(&Board::START).and_then(|node| node.worths());
    let value = value.map_or("?".to_owned(), |worths| worths.even.to_string());
    let best = named(&best_line(graph, &Position::START));
    let now = growing.tasks.first().and_then(|task| {
        let paths = Paths::new(graph, &[Board::START], 0, true);
        let (_, moves) = paths.line(&task.board)?;
        Some(format!("; now {} ({:.1} % off)", named(&moves), task.cost as f64 / 1e3))
    });
    format!("black wins {value}, best {best}{}", now.unwrap_or_default())
}

/// The end of a line and what players call it.
fn named(moves: &[Move]) -> String {
    let mut game = Game::default();
    for &mv in moves {
        let _ = game.play(mv);
    }
    let text = game.transcript();
    let name = opening_of(&game).map(|opening| format!(" ({})", opening.name));
    let plies = text.len() / 2;
    let shown = match text.len() {
        0..=24 => text,
        length => format!("…{}", &text[length - 20..]),
    };
    format!("{shown}{} [{plies}]", name.unwrap_or_default())
}
