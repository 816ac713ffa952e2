use std::time::Duration;

/// Reports now and then how a long search is getting on.
pub(crate) struct Ticker<'a> {
    pub every: Duration,
    /// When to report next, by the search's own clock.
    pub next: Duration,
    /// Is given the nodes and the time so far.
    pub report: Box<dyn FnMut(u64, Duration) + 'a>,
}

impl Ticker<'_> {
    /// Reports if it is time to.
    pub fn look(&mut self, nodes: u64, time: Duration) {
        if time >= self.next {
            (self.report)(nodes, time);
            self.next = time + self.every;
        }
    }
}
