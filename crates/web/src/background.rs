//! Work that takes a while gives way to the answers of the server.

use std::cell::Cell;

use tokio::task::{JoinHandle, spawn_blocking};

/// How much nicer than the server its long work is. A processor that both
/// want is the server's for seven parts in ten; much more would starve an
/// analysis beside other programs, and people wait for it, too.
#[cfg(target_os = "linux")]
const NICER: i32 = 4;

/// Runs `work` where it holds up nobody: on a thread for such work, which
/// waits when the server wants its processor. The threads that `work` starts
/// wait, too.
pub fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> JoinHandle<T> {
    spawn_blocking(|| {
        give_way();
        work()
    })
}

/// Makes this thread give way, once. Where this cannot be had for a thread
/// alone, everything stays as it is.
fn give_way() {
    thread_local!(static DONE: Cell<bool> = const { Cell::new(false) });
    if DONE.replace(true) {
        return;
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{getpriority_process, setpriority_process};
        // On Linux this is the thread that asks, not its process.
        let _ = getpriority_process(None)
            .and_then(|nice| setpriority_process(None, (nice + NICER).min(19)));
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    #[tokio::test]
    async fn work_gives_way_and_the_server_does_not() {
        let nice = || getpriority_process(None).unwrap();
        let before = nice();
        let both = in_background(move || (nice(), std::thread::spawn(nice).join().unwrap()));
        let expected = (before + NICER).min(19);
        assert_eq!(both.await.unwrap(), (expected, expected));
        assert_eq!(nice(), before);
        // The next work of the same thread is no nicer.
        assert_eq!(in_background(nice).await.unwrap(), expected);
    }
}
