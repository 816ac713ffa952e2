//! Commands of the NBoard protocol.
#![no_main]

use std::io::Cursor;

use discern_eval::evaluator;
use discern_players::serve::NBoardServer;
use discern_search::{Limits, Options, engine};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let evaluator = evaluator("material", None).expect("needs no weights");
    let options = Options { threads: 1, table_mebibytes: 1 };
    let engine = engine(evaluator, options).expect("a mebibyte");
    let limits = Limits { nodes: Some(20), ..Limits::depth(1) };
    let mut server = NBoardServer::new(engine, limits, 1, None);
    let mut answers = Vec::new();
    server.serve(Cursor::new(bytes.to_vec()), &mut answers).expect("memory to memory");
    String::from_utf8(answers).expect("text");
});
