use std::sync::Arc;

use discern_search::{Engine, StopFlag};

use tokio::sync::Semaphore;

use crate::engines::{Engines, Purpose};
use crate::hosts::Hosts;
use crate::models::Models;
use crate::rate::RateLimit;
use crate::runs::Runs;
use crate::seats::{Seat, Seats};
use crate::settings::{Bounds, Settings};

/// Streams of running tournaments at the same time.
const SPECTATORS: usize = 64;

/// Uploads at the same time: they are held in memory.
const UPLOADS: usize = 32;

/// All that requests share.
#[derive(Debug)]
pub struct Studio {
    settings: Settings,
    hosts: Hosts,
    rate: RateLimit,
    models: Models,
    seats: Arc<Seats>,
    engines: Engines,
    runs: Runs,
    spectators: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    readers: Arc<Semaphore>,
    token: String,
}

impl Studio {
    /// A studio that nobody has entered yet.
    pub fn new(settings: Settings) -> Arc<Studio> {
        Arc::new(Studio {
            hosts: Hosts::new(settings.address),
            rate: RateLimit::new(settings.bounds.burst),
            models: Models::new(settings.weights.clone()),
            seats: Seats::new(&settings.bounds),
            engines: Engines::new(&settings.bounds),
            runs: Runs::new(settings.runs.clone()),
            spectators: Arc::new(Semaphore::new(SPECTATORS)),
            uploads: Arc::new(Semaphore::new(UPLOADS)),
            readers: Arc::new(Semaphore::new(settings.bounds.threads.max(1))),
            token: token(),
            settings,
        })
    }

    /// Searches running now.
    pub fn running(&self) -> usize {
        self.seats.running()
    }

    /// Ends all searches; no further one begins.
    pub fn close(&self) {
        self.seats.close();
    }

    /// Lends an engine to somebody who has a seat. Blocks.
    pub(crate) fn search<T>(
        &self,
        seat: &Seat,
        client: &str,
        model: &str,
        threads: usize,
        work: impl FnOnce(&mut dyn Engine, &StopFlag) -> T,
    ) -> std::io::Result<T> {
        let purpose = Purpose { client: client.to_owned(), model: model.to_owned(), threads };
        self.engines.with(&self.models, &purpose, |engine| work(engine, seat.stop()))
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.seats.is_closed()
    }

    /// Places to watch tournaments from.
    pub(crate) fn spectators(&self) -> Arc<Semaphore> {
        self.spectators.clone()
    }

    /// Places to upload to.
    pub(crate) fn uploads(&self) -> &Arc<Semaphore> {
        &self.uploads
    }

    /// Places to read files at.
    pub(crate) fn readers(&self) -> &Arc<Semaphore> {
        &self.readers
    }

    /// What requests for work must know: it is in `/api/info`, which pages of
    /// other origins cannot read.
    pub fn token(&self) -> &str {
        &self.token
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(crate) fn bounds(&self) -> &Bounds {
        &self.settings.bounds
    }

    pub(crate) fn hosts(&self) -> Hosts {
        self.hosts
    }

    pub(crate) fn rate(&self) -> &RateLimit {
        &self.rate
    }

    pub(crate) fn models(&self) -> &Models {
        &self.models
    }

    pub(crate) fn seats(&self) -> &Arc<Seats> {
        &self.seats
    }

    pub(crate) fn runs(&self) -> &Runs {
        &self.runs
    }
}

/// 128 random bits of the operating system's, through the keys of a hasher.
fn token() -> String {
    use std::hash::{BuildHasher, RandomState};
    let secret = RandomState::new();
    format!("{:016x}{:016x}", secret.hash_one(1), secret.hash_one(2))
}
