//! Requests to the studio past its front door: address, query and body. The
//! first line is the address, the rest the body; one without a body is a GET.
#![no_main]

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use discern_board::Board;
use discern_book::{BookFile, Entry, Graph, Manifest, to_bytes};
use discern_library::Library;
use discern_records::GameRecord;
use discern_web::{Bounds, Settings, Studio, testing};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().expect("a runtime")
});

static STUDIO: LazyLock<Arc<Studio>> = LazyLock::new(|| {
    let bounds = Bounds {
        threads: 1,
        table_mebibytes: 1,
        search: Duration::from_millis(2),
        burst: u32::MAX,
        ..Bounds::default()
    };
    let log = Arc::new(|line: &str| assert!(!line.contains(char::is_control), "{line:?}"));
    let address = [127, 0, 0, 1].into();
    let (weights, book) = (None, Some(Arc::new(book())));
    let mut library = Library::default();
    for moves in ["f5d6c3d3c4", "f5f6e6f4", "f5d6c5f4e3"] {
        library.add(&GameRecord::new(moves.parse().expect("a game"))).expect("room for three");
    }
    library.settle();
    let library = Some(Arc::new(library));
    Studio::new(Settings { address, weights, book, library, runs: Vec::new(), bounds, log })
});

/// A book of two positions.
fn book() -> BookFile {
    let mut graph = Graph::new();
    graph.put(Entry::new(Board::START.canonical()));
    let next = Board::START.play("f5".parse().expect("a move")).expect("a legal move");
    graph.put(Entry::new(next.canonical()));
    graph.settle();
    BookFile::from_bytes(to_bytes(&graph, &Manifest::new())).expect("our own book")
}

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (address, body) = (parts.next().unwrap_or_default(), parts.next());
    let Ok(address) = std::str::from_utf8(address) else { return };
    let answered = testing::answer(STUDIO.clone(), address, body.map(<[u8]>::to_vec));
    if let Some((status, body)) = RUNTIME.block_on(answered) {
        assert!([200, 304, 400, 403, 404, 405, 413, 414, 415, 503].contains(&status), "{status}");
        if status >= 400 {
            let said = String::from_utf8(body).expect("text");
            assert!(said.starts_with("{\"error\":\""), "{said}");
        }
    }
});
