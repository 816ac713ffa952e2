use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long a lock may be held before it counts as another writer's. A child
/// process that is just being started shares the locks of its parent until it
/// runs its own program, so a lock that was given back can seem held for some
/// milliseconds more.
const PATIENCE: Duration = Duration::from_millis(500);

/// Takes the lock of a file's only writer. The lock goes with the file.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] if another writer has it; any other error of
/// the operating system, as on file systems without locks.
pub fn lock(file: &File) -> io::Result<()> {
    patiently(|| file.try_lock())
}

fn patiently(lock: impl Fn() -> Result<(), TryLockError>) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                let busy = "another process is writing to it";
                return Err(io::Error::new(ErrorKind::ResourceBusy, busy));
            }
        }
    }
}

/// Proof that no other process is writing to a file; none begins to as long as
/// it lives.
pub(crate) struct Unwritten(#[allow(dead_code, reason = "it holds the lock")] Option<File>);

/// Refuses a file that another process holds the lock of a writer on.
pub(crate) fn refuse_written(path: &Path) -> io::Result<Unwritten> {
    // What is not there is not written to. What we may not read, we cannot
    // ask; nor on file systems without locks.
    let Ok(file) = File::open(path) else { return Ok(Unwritten(None)) };
    match patiently(|| file.try_lock_shared()) {
        Err(error) if error.kind() == ErrorKind::ResourceBusy => Err(error),
        _ => Ok(Unwritten(Some(file))),
    }
}

/// Removes a file, unless another process is writing to it.
pub fn remove(path: impl AsRef<Path>) -> io::Result<()> {
    let path = path.as_ref();
    let _lock = match fs::metadata(path)?.is_file() {
        true => Some(refuse_written(path)?),
        false => None,
    };
    fs::remove_file(path)
}
