//! Squares, moves, positions and transcripts as text.
#![no_main]

use discern_board::{Game, Move, Position, Square};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(position) = text.parse::<Position>() {
        assert_eq!(position.to_string().parse(), Ok(position));
    }
    if let Ok(game) = text.parse::<Game>() {
        let shown = game.to_string().parse::<Game>().expect("our own notation");
        assert_eq!(shown.transcript(), game.transcript());
    }
    let _ = (text.parse::<Square>(), text.parse::<Move>());
});
