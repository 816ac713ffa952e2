//! What comes with Discern: games, weights and openings, part of the program
//! so that it works from any directory. How each was made is in
//! `manifest.json`. This crate computes nothing and refuses to know how its
//! files were made.
//!
//! ```
//! use discern_board::Board;
//! use discern_eval::Evaluator;
//!
//! let log = discern_data::weights().model("log")?.evaluator();
//! assert!((log.evaluate(&Board::START).probability() - 0.5).abs() < 0.2);
//! # Ok::<(), discern_eval::MissingModel>(())
//! ```

use std::sync::LazyLock;

use discern_eval::Weights;

// Statics, not constants: of a constant every crate that names it gets a copy.

/// The game database, an archive.
pub static GAMES: &[u8] = include_bytes!("othello.games");

/// Nearly even openings, as `discern openings` writes them.
pub static OPENINGS: &[u8] = include_bytes!("openings.txt");

/// The weight file.
pub static WEIGHTS: &[u8] = include_bytes!("default.weights");

/// The opening book, if one comes with the program: `default.book` in this
/// folder when the program is built.
#[cfg(shipped_book)]
pub static BOOK: Option<&[u8]> = Some(include_bytes!("default.book"));

/// The opening book, if one comes with the program.
#[cfg(not(shipped_book))]
pub static BOOK: Option<&[u8]> = None;

/// The weights, decoded at the first call.
pub fn weights() -> &'static Weights {
    static SHIPPED: LazyLock<Weights> =
        LazyLock::new(|| Weights::from_bytes(WEIGHTS).expect("a test decodes the file"));
    &SHIPPED
}

#[cfg(test)]
mod tests {
    use discern_board::{Board, Position};
    use discern_eval::{Evaluator, FIRST_PHASE, LAST_PHASE, Value};

    use super::*;

    #[test]
    fn the_weights_decode_and_say_where_they_come_from() {
        assert_eq!(&Weights::from_bytes(&weights().to_bytes()).unwrap(), weights());
        let names: Vec<_> = weights().models().iter().map(|model| model.name()).collect();
        assert_eq!(names, ["log", "fisher", "quad", "direct"]);
        for model in weights().models() {
            let manifest = &model.manifest;
            assert!(manifest.positions > 100_000 && manifest.groups > 1000, "{manifest:?}");
            assert_eq!(manifest.data.len(), 64, "a BLAKE3 hash");
        }
    }

    #[test]
    fn every_phase_was_fitted() {
        // At 4 discs there is one position; with all 64 there is no move.
        for discs in FIRST_PHASE + 4..LAST_PHASE {
            for (name, key) in [("log", "coefficients"), ("fisher", "coefficients")] {
                let described = weights().model(name).unwrap().describe(discs);
                let used = described[key].as_object().unwrap().len();
                assert!(used > 6, "{name} at {discs} discs");
            }
            let quad = weights().model("quad").unwrap().describe(discs);
            let used = quad["linear"].as_array().unwrap().iter().filter(|w| *w != 0.0).count();
            assert!(used > 5, "QUAD at {discs} discs");
        }
    }

    /// White has nothing but bad moves: black owns three corners and the edges.
    const LOST_FOR_WHITE: &str =
        "XXXXXXXXXXOOOOXXXOXOOXOXXOOXXOOXXOOXXOOXXOXOOXO-XXOOOO--XXXX---- O";

    #[test]
    fn the_models_tell_a_lost_position_from_an_even_one() {
        let lost: Position = LOST_FOR_WHITE.parse().unwrap();
        let values = |board: &Board| -> Vec<Value> {
            weights().models().iter().map(|model| model.evaluator().evaluate(board)).collect()
        };
        assert!(values(&Board::START).iter().all(|v| (0.3..0.7).contains(&v.probability())));
        let lost = values(&lost.board);
        assert!(lost.iter().all(|value| value.probability() < 0.1), "{lost:?}");
    }
}
