use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use discern_book::BookFile;
use discern_eval::Weights;
use discern_library::Library;

/// Hears one line about everything that was refused.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// What a studio offers and to whom.
#[derive(Clone)]
pub struct Settings {
    /// The address people reach it at; requests that name another host are
    /// refused.
    pub address: IpAddr,
    /// What the learned models know; without them only `rev` is offered.
    pub weights: Option<Arc<Weights>>,
    /// The opening book to explore, if there is one.
    pub book: Option<Arc<BookFile>>,
    /// Games to search, if there are some.
    pub library: Option<Arc<Library>>,
    /// Folders of reproductions and tournaments.
    pub runs: Vec<PathBuf>,
    /// How much it gives.
    pub bounds: Bounds,
    /// Hears what was refused.
    pub log: Log,
}

/// How much of the machine requests may use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Threads of all searches together.
    pub threads: usize,
    /// Memory of all transposition tables together, in MiB.
    pub table_mebibytes: usize,
    /// The longest search for one request.
    pub search: Duration,
    /// Searches that may wait for their turn.
    pub waiting: usize,
    /// How long they may wait.
    pub patience: Duration,
    /// Connections at the same time.
    pub connections: usize,
    /// How long the head of a request may take, and then its body.
    pub reading: Duration,
    /// How long a client may take no byte of an answer.
    pub writing: Duration,
    /// Requests of one address at once; a quarter of them come back every
    /// second.
    pub burst: u32,
    /// The largest upload in bytes.
    pub import_bytes: usize,
    /// The most games told of an upload.
    pub import_games: usize,
}

impl Default for Bounds {
    /// All cores, 256 MiB, a minute.
    fn default() -> Bounds {
        Bounds {
            threads: discern_players::cores(),
            table_mebibytes: 256,
            search: Duration::from_secs(60),
            waiting: 32,
            patience: Duration::from_secs(30),
            connections: 512,
            reading: Duration::from_secs(10),
            writing: Duration::from_secs(30),
            burst: 400,
            import_bytes: 4 << 20,
            import_games: 20_000,
        }
    }
}

impl Bounds {
    /// The table of one search, when as many analyses and as many moves are under way as there are
    /// threads.
    pub(crate) fn table_of_one(&self) -> usize {
        (self.table_mebibytes / (2 * self.threads.max(1))).max(1)
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("address", &self.address)
            .field("weights", &self.weights.is_some())
            .field("book", &self.book.as_ref().map(|book| book.id()))
            .field("library", &self.library.as_ref().map(|library| library.len()))
            .field("runs", &self.runs)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}
