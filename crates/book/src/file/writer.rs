use super::layout::{BLOCK, Head};
use super::manifest::Manifest;
use super::record::Record;
use crate::graph::{Graph, Node};

/// The file of a book. The same entries and manifest give the same bytes,
/// whatever the order in which the book grew. The graph must be settled.
pub fn to_bytes(graph: &Graph, manifest: &Manifest) -> Vec<u8> {
    let manifest = serde_json::to_vec(manifest).expect("plain text");
    let (mut index, mut blocks): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let mut block: Vec<u8> = Vec::with_capacity(BLOCK);
    let mut record = Vec::new();
    let mut close = |block: &mut Vec<u8>| {
        if !block.is_empty() {
            index.extend(&block[..16]);
            block.resize(BLOCK, 0);
            index.extend(crc32fast::hash(block).to_le_bytes());
            blocks.append(block);
        }
    };
    for node in graph.sorted() {
        record.clear();
        self::record(graph, node).encode(&mut record);
        if block.len() + record.len() > BLOCK {
            close(&mut block);
        }
        block.extend(&record);
    }
    close(&mut block);
    let games: Vec<u8> = graph.learned().iter().flat_map(|id| id.to_le_bytes()).collect();
    let mut head = Head {
        positions: graph.len() as u64,
        games: graph.learned().len() as u64,
        blocks: (blocks.len() / BLOCK) as u32,
        manifest_bytes: manifest.len() as u32,
        manifest_crc: crc32fast::hash(&manifest),
        index_crc: 0,
        games_crc: crc32fast::hash(&games),
    };
    // Zeros fill up to the first block; they are checked, too.
    index.resize(head.blocks_at() - head.index_at(), 0);
    head.index_crc = crc32fast::hash(&index);
    let mut file = Vec::with_capacity(head.games_at() + games.len());
    file.extend(head.to_bytes());
    file.extend(&manifest);
    file.extend(&index);
    file.extend(&blocks);
    file.extend(&games);
    file
}

fn record(graph: &Graph, node: &Node) -> Record {
    let links = node.links().iter().map(|link| (link.square, graph.link_value(link)));
    Record {
        entry: *node.entry(),
        value: node.worths().map(|worths| (worths, node.grade())),
        links: links.collect(),
    }
}
