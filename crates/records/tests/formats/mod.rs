//! Records, and every format by itself: what is written is read again, and what
//! cannot be read is named with its place.

mod format;
mod identity;
mod obf;
mod record;
mod sgf;
mod transcript;
mod wthor;
