//! Books, and their records under the right checksums: whatever is accepted
//! can be looked up in, becomes a graph and is checked.
#![no_main]

use discern_board::Board;
use discern_book::{BookFile, Manifest, to_bytes};
use libfuzzer_sys::fuzz_target;

const BLOCK: usize = 4096;

/// A book whose blocks have these bytes; the first says how many positions and
/// games it claims to have.
fn sealed(content: &[u8]) -> Vec<u8> {
    let (&claim, content) = content.split_first().unwrap_or((&0, &[]));
    let manifest = serde_json::to_vec(&Manifest::new()).expect("plain text");
    let (mut index, mut blocks) = (Vec::new(), Vec::new());
    for part in content.chunks(BLOCK) {
        let start = blocks.len();
        blocks.extend(part);
        blocks.resize(start + BLOCK, 0);
        index.extend(&blocks[start..start + 16]);
        index.extend(crc32fast::hash(&blocks[start..]).to_le_bytes());
    }
    let games = vec![claim; 8 * usize::from(claim / 64)];
    let mut head = b"discern book 1\n\0".to_vec();
    head.extend(u64::from(claim).to_le_bytes());
    head.extend((games.len() as u64 / 8).to_le_bytes());
    let sizes = [blocks.len() / BLOCK, manifest.len()].map(|size| size as u32);
    let checks = [&manifest, &index, &games].map(|part| crc32fast::hash(part));
    sizes.iter().chain(&checks).for_each(|word| head.extend(word.to_le_bytes()));
    head.resize(60, 0);
    head.extend(crc32fast::hash(&head).to_le_bytes());
    let mut file = [head, manifest, index].concat();
    file.resize(file.len().next_multiple_of(BLOCK), 0);
    [file, blocks, games].concat()
}

fn look_into(bytes: Vec<u8>) {
    let Ok(book) = BookFile::from_bytes(bytes) else { return };
    let _ = book.find(&Board::START);
    for entry in book.entries().take(50).flatten() {
        let found = book.find(&entry.board);
        if let Ok(Some(found)) = found {
            assert!(found.moves.iter().all(|mv| entry.board.moves().contains(mv.square)));
        }
    }
    let _ = book.games();
    if let Ok(graph) = book.graph() {
        let again = BookFile::from_bytes(to_bytes(&graph, book.manifest())).expect("our own book");
        again.verify().expect("our own book");
    }
    let _ = book.verify();
}

fuzz_target!(|bytes: &[u8]| {
    look_into(bytes.to_vec());
    look_into(sealed(bytes));
});
