//! Ctrl-C, and when to stop: the first signal asks for an end, the second makes it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use discern_players::Halt;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Calls `heard` with how many signals came before and the number of this one.
pub fn on_signals(mut heard: impl FnMut(u32, i32) + Send + 'static) -> Result<()> {
    let mut signals =
        Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot listen for Ctrl-C")?;
    std::thread::spawn(move || {
        (0..).zip(signals.forever()).for_each(|(before, signal)| heard(before, signal));
    });
    Ok(())
}

/// First signal: finish what is in hand; second: abort.
pub fn halt_on_signals(halt: Arc<Halt>, unit: &'static str) -> Result<()> {
    on_signals(move |before, _| {
        if before > 0 {
            eprintln!("aborting; the {unit} in hand are dropped");
            halt.abort();
        } else {
            eprintln!("finishing the {unit} in hand; once more to abort");
            halt.finish();
        }
    })
}

/// Asked whether to stop: after this long, or when somebody presses Ctrl-C. The
/// first time finishes the searches in hand, the second ends the program at
/// once; nothing in a journal is lost.
pub fn stop_after(time: Option<Duration>) -> Result<impl Fn() -> bool + Sync> {
    static PRESSED: AtomicBool = AtomicBool::new(false);
    static LISTENING: AtomicBool = AtomicBool::new(false);
    if !LISTENING.swap(true, Ordering::Relaxed) {
        on_signals(|before, _| {
            if before > 0 {
                eprintln!("ended; the same command resumes");
                std::process::exit(1);
            }
            PRESSED.store(true, Ordering::Relaxed);
            eprintln!("finishing the searches in hand; once more to end at once");
        })?;
    }
    let deadline = time.map(|time| Instant::now() + time);
    let late = move || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    Ok(move || late() || PRESSED.load(Ordering::Relaxed))
}
