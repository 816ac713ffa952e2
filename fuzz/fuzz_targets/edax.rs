//! Books of Edax: what is accepted becomes a book of ours, which can be
//! written as one of Edax again.
#![no_main]

use discern_book::{Graph, read_edax, write_edax};
use libfuzzer_sys::fuzz_target;

/// The same with a head that fits, and as many positions as there is room for.
fn headed(positions: &[u8]) -> Vec<u8> {
    let mut bytes = write_edax(&Graph::new(), 12);
    let at = bytes.len() - 4;
    bytes[at..].copy_from_slice(&(positions.len() as u32 / 42).to_le_bytes());
    [&bytes, positions].concat()
}

fuzz_target!(|bytes: &[u8]| {
    for file in [bytes, &headed(bytes)] {
        let Ok(entries) = read_edax(file) else { continue };
        let mut graph = Graph::new();
        for entry in entries {
            graph.put(entry);
        }
        graph.settle();
        let again = read_edax(&write_edax(&graph, 12)).expect("our own file");
        assert_eq!(again.len(), graph.len());
    }
});
