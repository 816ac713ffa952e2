//! Files that appear whole or not at all, and files read within bounds.
//!
//! * [`NewFile`] is written beside its place and renamed at the end;
//!   [`write`] does that in one call, [`finish_together`] with several files.
//!   Nothing is replaced unasked, and nothing at all while another process
//!   holds the lock of a writer on it.
//! * [`lock`] is the lock of a file's only writer.
//! * [`sweep`] removes what killed processes left half-written.
//! * [`open`] and [`read`] take regular files only, and `read` no more of
//!   them than the caller can use.
//! * [`check_memory`] refuses what the machine has no room for, before it is
//!   taken.
//! * [`printable`] makes text from a file fit for a terminal.
//!
//! This crate refuses to know what is in a file. Its errors are those of the
//! operating system or read like them; they do not name the path.
//!
//! ```
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("result.txt");
//! discern_files::write(&path, b"42\n", false)?;
//! assert_eq!(discern_files::read(&path, 1 << 20)?, b"42\n");
//! let again = discern_files::write(&path, b"43\n", false).unwrap_err();
//! assert_eq!(again.kind(), std::io::ErrorKind::AlreadyExists);
//! # Ok::<(), std::io::Error>(())
//! ```

mod input;
mod lock;
mod memory;
mod new_file;
mod printable;
mod sweep;

pub use input::{open, read, read_text};
pub use lock::{lock, remove};
pub use memory::{check_memory, free_memory};
pub use new_file::{NewFile, check_free, finish_together, write};
pub use printable::printable;
pub use sweep::sweep;
