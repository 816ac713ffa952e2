//! Who is connected, and who has to make room.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};
use std::time::Instant;

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// A fixed number of places. When all are taken, a newcomer gets the place of
/// whoever has been idle for the longest time: connections that say nothing
/// keep nobody out.
#[derive(Debug)]
pub struct Connections {
    free: Arc<Semaphore>,
    places: Mutex<Places>,
}

#[derive(Debug, Default)]
struct Places {
    next: u64,
    taken: BTreeMap<u64, Arc<Visit>>,
}

/// One connection.
#[derive(Debug)]
pub struct Visit {
    /// Requests under way, up to the last byte of their answers.
    busy: AtomicUsize,
    idle_since: Mutex<Instant>,
    leave: Notify,
}

impl Connections {
    /// No place is taken.
    pub fn new(most: usize) -> Arc<Connections> {
        Arc::new(Connections { free: Arc::new(Semaphore::new(most)), places: Mutex::default() })
    }

    /// Waits for a place, which an idle connection may have to give up.
    pub async fn enter(self: &Arc<Connections>) -> Place {
        let permit = match self.free.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                self.send_one_away();
                self.free.clone().acquire_owned().await.expect("never closed")
            }
        };
        let visit = Arc::new(Visit {
            busy: AtomicUsize::new(0),
            idle_since: Mutex::new(Instant::now()),
            leave: Notify::new(),
        });
        let mut places = self.places();
        let number = places.next;
        places.next += 1;
        places.taken.insert(number, visit.clone());
        Place { connections: self.clone(), number, visit, _permit: permit }
    }

    fn send_one_away(&self) {
        let places = self.places();
        let idle = places.taken.iter().filter(|(_, visit)| !visit.is_busy());
        if let Some((_, longest)) = idle.min_by_key(|(_, visit)| *lock(&visit.idle_since)) {
            longest.leave.notify_one();
        }
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        lock(&self.places)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// A connection's place, given back when it is dropped.
#[derive(Debug)]
pub struct Place {
    connections: Arc<Connections>,
    number: u64,
    visit: Arc<Visit>,
    _permit: OwnedSemaphorePermit,
}

impl Place {
    /// The connection that has it.
    pub fn visit(&self) -> Arc<Visit> {
        self.visit.clone()
    }

    /// Waits until somebody else needs it.
    pub async fn is_needed(&self) {
        self.visit.leave.notified().await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.places().taken.remove(&self.number);
    }
}

impl Visit {
    fn is_busy(&self) -> bool {
        self.busy.load(Ordering::SeqCst) > 0
    }

    /// A request has come: the connection is busy as long as the result lives.
    pub fn begin(self: &Arc<Visit>) -> Busy {
        self.busy.fetch_add(1, Ordering::SeqCst);
        Busy(self.clone())
    }
}

/// A request under way.
#[derive(Debug)]
pub struct Busy(Arc<Visit>);

impl Busy {
    /// An answer that is under way up to its last byte.
    pub fn until_sent(self, response: Response) -> Response {
        response.map(|body| Body::new(Answer { body, _busy: self }))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        *lock(&self.0.idle_since) = Instant::now();
        self.0.busy.fetch_sub(1, Ordering::SeqCst);
    }
}

struct Answer {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_longest_idle_one_leaves_and_the_busy_ones_stay() {
        let connections = Connections::new(3);
        let (first, second) = (connections.enter().await, connections.enter().await);
        let third = connections.enter().await;
        let busy = first.visit().begin();
        let newcomer = {
            let connections = connections.clone();
            tokio::spawn(async move { connections.enter().await })
        };
        second.is_needed().await;
        drop(second);
        let newcomer = newcomer.await.unwrap();
        drop(busy);
        // Now the third has been idle for longest, and the first has just
        // become so.
        connections.send_one_away();
        third.is_needed().await;
        assert_eq!(connections.places().taken.len(), 3);
        drop((first, third, newcomer));
        assert_eq!(connections.places().taken.len(), 0);
    }
}
