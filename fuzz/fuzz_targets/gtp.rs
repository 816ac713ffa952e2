//! Commands of the Go Text Protocol: whatever comes in, every answer begins
//! with `=` or `?` and ends with a blank line.
#![no_main]

use discern_eval::evaluator;
use discern_players::serve::{GtpServer, TimeMeaning};
use discern_search::{Limits, Options, engine};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // Files are named by people who may read them anyway.
    if bytes.windows(7).any(|word| word == b"loadsgf") {
        return;
    }
    let evaluator = evaluator("material", None).expect("needs no weights");
    let options = Options { threads: 1, table_mebibytes: 1 };
    let engine = engine(evaluator, options).expect("a mebibyte");
    let limits = Limits { nodes: Some(20), ..Limits::depth(1) };
    let mut server = GtpServer::new(engine, limits, TimeMeaning::default(), "fuzz");
    let mut answers = Vec::new();
    server.serve(bytes, &mut answers).expect("memory to memory");
    let answers = String::from_utf8(answers).expect("text");
    let mut rest = answers.as_str();
    while !rest.is_empty() {
        assert!(rest.starts_with(['=', '?']), "{rest:?}");
        rest = rest.split_once("\n\n").expect("a blank line").1;
    }
});
