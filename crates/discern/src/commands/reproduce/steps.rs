use std::time::Instant;

/// Tells on standard error where the reproduction is.
pub struct Steps {
    number: usize,
    count: usize,
    since: Instant,
}

impl Steps {
    pub fn new(count: usize) -> Steps {
        Steps { number: 0, count, since: Instant::now() }
    }

    /// The next step begins.
    pub fn begin(&mut self, title: &str) {
        self.number += 1;
        self.since = Instant::now();
        eprintln!("[{}/{}] {title} …", self.number, self.count);
    }

    /// The step is over, with this result.
    pub fn done(&self, result: &str) {
        eprintln!("      {result} ({})", duration(self.since.elapsed().as_secs_f64()));
    }

    /// A step that an earlier part of the run has finished.
    pub fn was_done(&mut self, title: &str) {
        self.begin(title);
        eprintln!("      was there already");
    }
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
