//! The book on disk: one block of a few thousand bytes is all that a look-up
//! reads, and it is checked each time. `docs/formats.md` has the bytes.

mod layout;
mod manifest;
mod reader;
mod record;
mod writer;

pub use manifest::Manifest;
pub use reader::{BookFile, Found};
pub(crate) use record::{decode_entry, encode_entry};
pub use writer::to_bytes;
