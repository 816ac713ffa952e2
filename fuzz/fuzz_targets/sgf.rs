#![no_main]

use discern_records::sgf::{SgfReader, game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for record in SgfReader::new(bytes).flatten() {
        let text = game(&record);
        let back = SgfReader::new(text.as_bytes()).next().expect("a game");
        let back = back.expect("our own text");
        assert_eq!(back.game, record.game);
        assert_eq!(game(&back), text);
    }
});
