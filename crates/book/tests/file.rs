//! Books on disk: look-ups, damage, foreign files, the committed sample.

use crate::common::{graph_of, random_entries};
use discern_board::{Board, Game, Symmetry};
use discern_book::{
    BookError, BookFile, Entry, Manifest, Results, read_edax, to_bytes, write_edax,
};

fn sample() -> Vec<u8> {
    let mut entries = random_entries(3, 20);
    for (number, entry) in entries.iter_mut().enumerate().skip(5).step_by(3) {
        entry.games.human = Results { wins: number as u32 * 37, draws: 1, losses: 0 };
        entry.games.engine.losses = 1 << (number % 32);
    }
    let mut graph = graph_of(&entries);
    (0..50).for_each(|id| assert!(graph.learn(id * 77)));
    let mut manifest = Manifest::new();
    manifest.note("opinions");
    to_bytes(&graph, &manifest)
}

#[test]
fn what_is_written_is_found_in_every_image() {
    let bytes = sample();
    let book = BookFile::from_bytes(bytes.clone()).unwrap();
    let graph = book.graph().unwrap();
    assert_eq!(book.len(), graph.len() as u64);
    assert_eq!(book.manifest().steps, ["opinions"]);
    assert_eq!(book.games().unwrap(), graph.learned());
    book.verify().unwrap();
    for node in graph.nodes() {
        for symmetry in Symmetry::ALL {
            let board = symmetry.board(node.entry().board);
            let found = book.find(&board).unwrap().expect("it is in the book");
            assert_eq!(found.worths, node.worths());
            assert_eq!(found.grade, node.grade());
            assert_eq!(found.games, node.entry().games);
            assert!(found.moves.iter().all(|mv| board.moves().contains(mv.square)));
            let values = |moves: &[discern_book::BookMove]| -> Vec<_> {
                moves.iter().map(|mv| (mv.worths, mv.grade, mv.examined)).collect()
            };
            assert_eq!(values(&found.moves), values(&graph.moves(node)));
        }
    }
    let other: Game = "f5f4g3g4f3e6f7".parse().unwrap();
    let unknown = other.position().board;
    assert_eq!(book.find(&unknown).unwrap().is_some(), graph.get(&unknown).is_some());
    assert_eq!(to_bytes(&graph, book.manifest()), bytes);
}

#[test]
fn an_empty_book_is_a_book() {
    let book =
        BookFile::from_bytes(to_bytes(&discern_book::Graph::new(), &Manifest::new())).unwrap();
    assert!(book.is_empty() && book.find(&Board::START).unwrap().is_none());
    book.verify().unwrap();
}

#[test]
fn every_changed_byte_is_found_with_its_place() {
    let bytes = sample();
    assert!((1 << 13..1 << 17).contains(&bytes.len()));
    for place in (0..bytes.len()).step_by(29) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        match BookFile::from_bytes(damaged).and_then(|book| book.verify()) {
            Err(BookError::Damaged { at, .. }) => assert!(at as usize <= place),
            Err(BookError::Foreign | BookError::Version(_)) => assert!(place < 16),
            other => panic!("byte {place}: {other:?}"),
        }
    }
}

#[test]
fn cut_and_foreign_files_get_one_sentence() {
    let bytes = sample();
    for length in [1, 15, 16, 63, 64, 100, 5000, bytes.len() - 1] {
        let error = BookFile::from_bytes(bytes[..length].to_vec()).unwrap_err().to_string();
        assert!(!error.contains('\n') && error.len() > 10, "{length}: {error}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(BookFile::from_bytes(longer), Err(BookError::Length { .. })));
    let mut newer = bytes.clone();
    newer[13] = b'7';
    let error = BookFile::from_bytes(newer).unwrap_err().to_string();
    assert_eq!(error, "a book of version 7; this program reads version 1");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.book");
    std::fs::write(&path, b"").unwrap();
    assert!(matches!(BookFile::open(&path), Err(BookError::Foreign)));
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(BookFile::open(&path).unwrap().len(), BookFile::from_bytes(bytes).unwrap().len());
}

#[test]
fn values_that_are_not_negamax_are_found() {
    // A file with right checksums and a wrong value.
    let bytes = sample();
    let book = BookFile::from_bytes(bytes).unwrap();
    let graph = book.graph().unwrap();
    let mut other = graph_of(&graph.nodes().map(|node| *node.entry()).collect::<Vec<_>>());
    let leaf =
        graph.nodes().find(|node| node.links().is_empty() && node.worths().is_some()).unwrap();
    other.put(Entry { deviation: None, ..*leaf.entry() });
    // Not settled: the values are those from before.
    let wrong = BookFile::from_bytes(to_bytes(&other, &Manifest::new())).unwrap();
    let error = wrong.verify().unwrap_err().to_string();
    assert!(error.contains("NegaMax"), "{error}");
}

#[test]
fn a_book_of_edax_is_read_and_its_faults_have_a_place() {
    let graph = graph_of(&random_entries(5, 8));
    let bytes = write_edax(&graph, 21);
    let entries = read_edax(&bytes).unwrap();
    assert_eq!(entries.len(), graph.len());
    for entry in &entries {
        let ours = graph.get(&entry.board).unwrap().entry();
        assert_eq!(entry.deviation.map(|d| d.square), ours.deviation.map(|d| d.square));
    }
    assert_eq!(graph_of(&entries).len(), graph.len());
    for length in [0, 7, 20, 41, 60, bytes.len() - 1] {
        let error = read_edax(&bytes[..length]).unwrap_err().to_string();
        assert!(error.starts_with("byte "), "{error}");
    }
    let mut wrong = bytes.clone();
    wrong.push(1);
    assert!(read_edax(&wrong).unwrap_err().to_string().contains("follows"));
}
