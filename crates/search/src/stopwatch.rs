use std::time::{Duration, Instant};

/// Which clock a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Timing {
    /// The clock on the wall: what a game against others goes by.
    #[default]
    Wall,
    /// The time the searching thread had a processor. What else the machine
    /// does takes nothing from the player, so that matches by the clock are
    /// fair on a busy machine, too. A search of several threads has no such
    /// clock, nor have systems other than Unix: there it is the wall's.
    Processor,
}

/// Time since a moment, by one of the clocks. With [`Timing::Processor`] it
/// belongs to the thread that started it.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Start);

#[derive(Debug, Clone, Copy)]
enum Start {
    Wall(Instant),
    #[cfg(unix)]
    Processor(Duration),
}

impl Stopwatch {
    /// Starts now.
    pub fn start(timing: Timing) -> Stopwatch {
        Stopwatch(match timing {
            #[cfg(unix)]
            Timing::Processor => Start::Processor(processor_time()),
            _ => Start::Wall(Instant::now()),
        })
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        match self.0 {
            Start::Wall(start) => start.elapsed(),
            #[cfg(unix)]
            Start::Processor(start) => processor_time().saturating_sub(start),
        }
    }
}

/// What this thread has had of a processor so far. Asking takes a system call
/// of some 200 ns; a search asks once in a thousand nodes.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_passes_on_the_wall_only() {
        let [wall, processor] = [Timing::Wall, Timing::Processor].map(Stopwatch::start);
        std::thread::sleep(Duration::from_millis(40));
        assert!(wall.elapsed() >= Duration::from_millis(40));
        if cfg!(unix) {
            assert!(processor.elapsed() < Duration::from_millis(20), "{:?}", processor.elapsed());
        }
    }

    #[test]
    fn work_passes_on_both() {
        let [wall, processor] = [Timing::Wall, Timing::Processor].map(Stopwatch::start);
        let mut sum = 0u64;
        while processor.elapsed() < Duration::from_millis(5) {
            sum = std::hint::black_box(sum + 1);
        }
        // Another thread's work, or none, makes the wall's clock run ahead.
        assert!(wall.elapsed() >= Duration::from_millis(4));
    }
}
