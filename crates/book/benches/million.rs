//! A book of a million positions: how long it takes to write, to open, to look
//! a position up, and to choose where to grow. Plain timings, since each step
//! is long or repeated often enough: `cargo bench -p discern-book`.

use std::hint::black_box;
use std::time::Instant;

use discern_board::testing::random_games;
use discern_board::{Bitboard, Board, Dice};
use discern_book::{BookFile, Deviation, Entry, Grade, Graph, Growth, Manifest, Worth, to_bytes};

fn opinion(board: &Board) -> Option<Deviation> {
    let mut dice = Dice::new(&[board.mover().0, board.opponent().0]);
    let moves = board.moves();
    let square = moves.squares().nth(dice.below(moves.count().into()) as usize)?;
    let worth = Worth::estimate(dice.below(2001) as i32 - 1000);
    Some(Deviation { square, worth, grade: Grade::Depth(8) })
}

fn main() {
    let positions = std::env::var("POSITIONS").ok().and_then(|n| n.parse().ok());
    let positions: usize = positions.unwrap_or(1_000_000);
    let timed = |what: &str, start: Instant| {
        println!("{what:<44} {:>10.3} ms", 1e3 * start.elapsed().as_secs_f64());
    };
    let start = Instant::now();
    let mut graph = Graph::new();
    'games: for game in random_games(1995, usize::MAX) {
        for board in game.boards().take(40).filter(|board| board.moves().any()) {
            let board = board.canonical();
            if graph.get(&board).is_none() {
                graph.put(Entry { deviation: opinion(&board), ..Entry::new(board) });
            }
            if graph.len() >= positions {
                break 'games;
            }
        }
    }
    graph.settle();
    timed("build the graph from random games", start);
    let start = Instant::now();
    black_box(Growth::default().tasks(&graph));
    timed("choose the tasks of a round", start);
    let start = Instant::now();
    let bytes = to_bytes(&graph, &Manifest::new());
    timed("encode", start);
    println!(
        "{:<44} {:>10.1} bytes",
        "size of a position",
        bytes.len() as f64 / graph.len() as f64
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("million.book");
    std::fs::write(&path, &bytes).expect("room on the disk");
    drop(bytes);
    let boards: Vec<Board> = graph.nodes().map(|node| node.entry().board).collect();
    println!("{:<44} {:>10} MiB", "memory at most so far", peak_mebibytes());
    drop(graph);
    let start = Instant::now();
    let book = BookFile::open(&path).expect("our own book");
    timed("open", start);
    let mut dice = Dice::new(&[7]);
    let mut pick = || boards[dice.below(boards.len() as u64) as usize];
    let mut look_up = |what: &str, count: u32| {
        let questions: Vec<Board> = (0..count).map(|_| pick()).collect();
        let start = Instant::now();
        for board in &questions {
            assert!(black_box(book.find(board).expect("not damaged")).is_some());
        }
        let each = start.elapsed().as_secs_f64() / f64::from(count);
        println!("{what:<44} {:>10.3} µs", 1e6 * each);
    };
    look_up("look-up, the first thousand", 1_000);
    look_up("look-up, the next million", 1_000_000);
    let start = Instant::now();
    let absent = Board::new_unchecked(Bitboard(1), Bitboard(2));
    (0..100_000).for_each(|_| assert!(black_box(book.find(&absent)).is_ok()));
    timed("100,000 look-ups of what is not there", start);
    let start = Instant::now();
    let graph = book.graph().expect("not damaged");
    timed("load to grow", start);
    drop(graph);
    let start = Instant::now();
    book.verify().expect("not damaged");
    timed("verify", start);
}

/// The most memory this process has used.
fn peak_mebibytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}
