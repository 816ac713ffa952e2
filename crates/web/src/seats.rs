//! Who may search: as many threads as the machine has, a waiting room of
//! fixed size, and one search for each client.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use axum::http::StatusCode;
use discern_search::StopFlag;
use serde::Serialize;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

use crate::refusal::{Reason, Refusal};
use crate::settings::Bounds;

/// The places for searches.
#[derive(Debug)]
pub struct Seats {
    threads: usize,
    free: Arc<Semaphore>,
    /// For moves, which people wait for: no analysis takes these.
    for_moves: Arc<Semaphore>,
    most_waiting: usize,
    patience: Duration,
    waiting: AtomicUsize,
    running: AtomicUsize,
    clients: Mutex<Clients>,
}

#[derive(Debug, Default)]
struct Clients {
    searching: HashMap<String, Arc<Search>>,
    closed: bool,
}

/// What ends a search from outside.
#[derive(Debug, Default)]
struct Search {
    stop: StopFlag,
    ended: OnceLock<Ended>,
    /// Wakes it while it waits.
    wake: Notify,
}

/// Why a search did not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// Its client asked for something else.
    Replaced,
    /// Its turn did not come in time.
    Busy,
    /// The server is closing.
    Stopped,
}

impl Search {
    fn end(&self, why: Ended) {
        let _ = self.ended.set(why);
        self.stop.stop();
        self.wake.notify_one();
    }
}

impl Seats {
    /// Empty seats.
    pub fn new(bounds: &Bounds) -> Arc<Seats> {
        let threads = bounds.threads.max(1);
        Arc::new(Seats {
            threads,
            free: Arc::new(Semaphore::new(threads)),
            for_moves: Arc::new(Semaphore::new(threads)),
            most_waiting: bounds.waiting,
            patience: bounds.patience,
            waiting: AtomicUsize::new(0),
            running: AtomicUsize::new(0),
            clients: Mutex::default(),
        })
    }

    /// Searches running now.
    pub fn running(&self) -> usize {
        self.running.load(Ordering::SeqCst)
    }

    /// Searches waiting for their turn.
    pub fn waiting(&self) -> usize {
        self.waiting.load(Ordering::SeqCst)
    }

    /// Threads for somebody who does not say how many: all if nobody else is
    /// here, otherwise one.
    pub fn unused(&self) -> usize {
        match self.running() + self.waiting() {
            0 => self.threads,
            _ => 1,
        }
    }

    /// Puts a client in the queue and ends its search so far. Refuses when
    /// too many wait already.
    pub fn enter(self: &Arc<Seats>, client: &str, threads: usize) -> Result<Turn, Refusal> {
        self.enter_for(&self.free, client, threads)
    }

    /// The same for somebody who wants a move.
    pub fn enter_for_move(
        self: &Arc<Seats>,
        client: &str,
        threads: usize,
    ) -> Result<Turn, Refusal> {
        self.enter_for(&self.for_moves, client, threads)
    }

    fn enter_for(
        self: &Arc<Seats>,
        free: &Arc<Semaphore>,
        client: &str,
        threads: usize,
    ) -> Result<Turn, Refusal> {
        let mut clients = self.clients();
        let later = |sentence: &str| {
            Refusal::later(StatusCode::SERVICE_UNAVAILABLE, Duration::from_secs(5), sentence)
        };
        if clients.closed {
            return Err(later("the server is closing").because(Reason::Closing));
        }
        // Who only changes his mind takes nobody's place.
        let full = self.waiting() >= self.most_waiting && free.available_permits() < threads;
        if full && !clients.searching.contains_key(client) {
            return Err(later("all places for analyses are taken, please try again in a moment"));
        }
        let search = Arc::new(Search::default());
        if let Some(old) = clients.searching.insert(client.to_owned(), search.clone()) {
            old.end(Ended::Replaced);
        }
        self.waiting.fetch_add(1, Ordering::SeqCst);
        let (seats, free, client) = (self.clone(), free.clone(), client.to_owned());
        Ok(Turn { seats, free, client, threads, search, waits: true })
    }

    /// Ends all searches and admits no more.
    pub fn close(&self) {
        let mut clients = self.clients();
        clients.closed = true;
        clients.searching.values().for_each(|search| search.end(Ended::Stopped));
    }

    /// Have all searches been ended for good?
    pub fn is_closed(&self) -> bool {
        self.clients().closed
    }

    fn clients(&self) -> MutexGuard<'_, Clients> {
        self.clients.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A client's turn. When it is dropped, because the client went away or has
/// its answer, the search ends.
#[derive(Debug)]
pub struct Turn {
    seats: Arc<Seats>,
    free: Arc<Semaphore>,
    client: String,
    threads: usize,
    search: Arc<Search>,
    waits: bool,
}

impl Turn {
    /// Waits for a seat.
    pub async fn seat(&mut self) -> Result<Seat, Ended> {
        let threads = self.threads.min(self.seats.threads) as u32;
        let free = self.free.clone().acquire_many_owned(threads);
        let seat = tokio::select! {
            biased;
            () = self.search.wake.notified() => Err(self.ended().unwrap_or(Ended::Stopped)),
            permit = free => Ok(permit.expect("seats are never closed")),
            () = tokio::time::sleep(self.seats.patience) => Err(Ended::Busy),
        };
        self.stop_waiting();
        let permit = seat?;
        self.seats.running.fetch_add(1, Ordering::SeqCst);
        Ok(Seat { seats: self.seats.clone(), stop: self.search.stop.clone(), _permit: permit })
    }

    /// Would a seat be free at once?
    pub fn is_free(&self) -> bool {
        self.free.available_permits() >= self.threads.min(self.seats.threads)
    }

    /// Others that wait.
    pub fn ahead(&self) -> usize {
        self.seats.waiting().saturating_sub(1)
    }

    /// Why the search was ended from outside, if it was.
    pub fn ended(&self) -> Option<Ended> {
        self.search.ended.get().copied()
    }

    fn stop_waiting(&mut self) {
        if std::mem::take(&mut self.waits) {
            self.seats.waiting.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.search.stop.stop();
        self.stop_waiting();
        let mut clients = self.seats.clients();
        // A later search of the client stays.
        if clients.searching.get(&self.client).is_some_and(|s| Arc::ptr_eq(s, &self.search)) {
            clients.searching.remove(&self.client);
        }
    }
}

/// The right to search, held by the thread that does until it is done.
#[derive(Debug)]
pub struct Seat {
    seats: Arc<Seats>,
    stop: StopFlag,
    _permit: OwnedSemaphorePermit,
}

impl Seat {
    /// What ends the search.
    pub fn stop(&self) -> &StopFlag {
        &self.stop
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.running.fetch_sub(1, Ordering::SeqCst);
    }
}
