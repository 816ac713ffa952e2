//! A studio for the time of a test.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use discern_board::Game;
use discern_book::{BookFile, Deviation, Entry, Grade, Graph, Manifest, Results, Worth, to_bytes};
use discern_eval::Weights;
use discern_library::Library;
use discern_records::{GameRecord, Player};
use discern_web::{Bounds, Settings, Studio, serve};
use tokio::sync::oneshot;

use crate::client::{Answer, Client};

/// A running server; it stops when dropped.
pub struct Server {
    pub address: SocketAddr,
    pub studio: Arc<Studio>,
    log: Arc<Mutex<Vec<String>>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// Small and quick, but with everything on offer.
pub fn bounds() -> Bounds {
    Bounds {
        threads: 2,
        table_mebibytes: 8,
        search: Duration::from_secs(20),
        reading: Duration::from_millis(500),
        burst: 10_000,
        ..Bounds::default()
    }
}

impl Server {
    /// With the sample weights.
    pub fn start() -> Server {
        Server::with(bounds(), Vec::new())
    }

    pub fn with(bounds: Bounds, runs: Vec<PathBuf>) -> Server {
        let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../eval/tests/data/sample.weights");
        let weights = Weights::load(weights).expect("the committed sample");
        Server::serving(bounds, runs, Some(Arc::new(weights)))
    }

    pub fn serving(bounds: Bounds, runs: Vec<PathBuf>, weights: Option<Arc<Weights>>) -> Server {
        let log = Arc::new(Mutex::new(Vec::new()));
        let heard = log.clone();
        let settings = Settings {
            address: [127, 0, 0, 1].into(),
            weights,
            book: Some(Arc::new(book())),
            library: Some(Arc::new(library())),
            runs,
            bounds,
            log: Arc::new(move |line| heard.lock().unwrap().push(line.to_owned())),
        };
        let studio = Studio::new(settings);
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let served = studio.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stop = async { drop(stopped.await) };
                serve(served, listener, stop).await.unwrap();
            });
        });
        let address = told.recv().expect("the server starts");
        Server { address, studio, log, stop: Some(stop), thread: Some(thread) }
    }

    pub fn client(&self) -> Client {
        Client::connect(self.address).with_token(self.studio.token())
    }

    pub fn get(&self, target: &str) -> Answer {
        self.client().get(target)
    }

    /// The lines of complaint so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Waits until a condition holds; fails after ten seconds.
    #[track_caller]
    pub fn until(&self, what: &str, holds: impl Fn(&Server) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            assert!(begun.elapsed() < Duration::from_secs(10), "{what}: still not so");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[track_caller]
    pub fn until_idle(&self) {
        self.until("no search is running", |server| server.studio.running() == 0);
    }

    /// Stops it as Ctrl-C would and waits for its end.
    pub fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().expect("the server ends without a panic");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A book of the start and one line of the Tiger, with a few games.
fn book() -> BookFile {
    let mut graph = Graph::new();
    let game: Game = "f5d6c3d3c4".parse().unwrap();
    for board in game.boards() {
        let board = board.canonical();
        let square = board.moves().squares().last().unwrap();
        let deviation = Deviation { square, worth: Worth::estimate(-100), grade: Grade::Depth(8) };
        let mut entry = Entry { deviation: Some(deviation), ..Entry::new(board) };
        entry.games.human = Results { wins: 3, draws: 1, losses: 2 };
        assert!(graph.put(entry));
    }
    graph.settle();
    BookFile::from_bytes(to_bytes(&graph, &Manifest::new())).unwrap()
}

/// Three games of three players.
fn library() -> Library {
    let mut library = Library::default();
    for (moves, black, white, event, date) in [
        ("f5d6c3d3c4", "Anna", "Bert", "Lund Open", "1999"),
        ("f5d6c3d3c4f4f6f3", "Bert", "Anna", "Lund Open", "2001"),
        ("d3c3c4c5", "Clara", "<b>Bert\u{1b}</b>", "", ""),
    ] {
        let mut record = GameRecord::new(moves.parse().unwrap());
        record.players.black = Player::named(black);
        record.players.white = Player::named(white);
        (record.event, record.date) = (event.into(), date.into());
        library.add(&record).unwrap();
    }
    library.settle();
    library
}
