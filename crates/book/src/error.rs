use std::io;

/// Why a book cannot be used or changed. Messages do not name the file.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The operating system refused.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Something else than a book.
    #[error("not a book: it does not begin with 'discern book'")]
    Foreign,
    /// A book of another version of the format.
    #[error("a book of version {0}; this program reads version 1")]
    Version(String),
    /// Cut off, or something is behind its end.
    #[error("a book of {expected} bytes, but the file has {found}: it was cut off or added to")]
    Length {
        /// Bytes by its own account.
        expected: u64,
        /// Bytes of the file.
        found: u64,
    },
    /// Bytes were changed.
    #[error("damaged {what} at byte {at}: {how}")]
    Damaged {
        /// The part of the file.
        what: &'static str,
        /// Where it begins.
        at: u64,
        /// What is wrong with it.
        how: &'static str,
    },
    /// A journal of unfinished work that does not fit the book beside it.
    #[error("the journal beside it belongs to another book; move it away to start over")]
    ForeignJournal,
    /// Something to be imported is not what it should be.
    #[error("byte {at}: {how}")]
    Import {
        /// Where.
        at: u64,
        /// What is wrong.
        how: String,
    },
}
