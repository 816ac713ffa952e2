//! A person at a terminal who types anything.
#![no_main]

use discern_board::{Dice, Game, Position};
use discern_eval::evaluator;
use discern_players::serve::{GameTable, PlainPrompt};
use discern_search::{Limits, Options, engine};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    // People may write their own files.
    if bytes.windows(4).any(|word| word.eq_ignore_ascii_case(b"save")) {
        return;
    }
    let options = Options { threads: 1, table_mebibytes: 1 };
    let evaluator = evaluator("material", None).expect("needs no weights");
    let table = GameTable {
        game: Game::new(Position::START),
        engine: engine(evaluator, options).expect("a mebibyte"),
        opponent: "material",
        book: None,
        limits: Limits { nodes: Some(20), ..Limits::depth(1) },
        randomness: None,
        dice: Dice::new(&[]),
        persons: [true, false],
        colors: false,
    };
    let mut out = Vec::new();
    table.play(&mut PlainPrompt { input: bytes, echo: true }, &mut out).expect("memory to memory");
    String::from_utf8(out).expect("text");
});
