use std::sync::LazyLock;

use super::Weights;

/// The file, byte for byte: whoever has the program has the weights.
static FILE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/default.weights"));

impl Weights {
    /// The weights that are part of the program, decoded at the first call.
    pub fn shipped() -> &'static Weights {
        static SHIPPED: LazyLock<Weights> =
            LazyLock::new(|| Weights::from_bytes(FILE).expect("a test decodes the file"));
        &SHIPPED
    }

    /// The file of the shipped weights.
    pub fn shipped_file() -> &'static [u8] {
        FILE
    }
}

#[cfg(test)]
mod tests {
    use discern_board::{Board, Position};

    use super::*;
    use crate::{Evaluator, FIRST_PHASE, LAST_PHASE, Value};

    #[test]
    fn shipped_weights_decode_and_say_where_they_come_from() {
        let weights = Weights::shipped();
        assert_eq!(&Weights::from_bytes(&weights.to_bytes()).unwrap(), weights);
        let manifest = &weights.manifest;
        assert!(manifest.positions > 100_000 && manifest.groups > 1000, "{manifest:?}");
        assert_eq!(manifest.data.len(), blake3::Hash::from([0; 32]).to_hex().len());
    }

    #[test]
    fn every_phase_was_fitted() {
        let weights = Weights::shipped();
        // At 4 discs there is one position; with all 64 there is no move.
        for discs in FIRST_PHASE + 4..LAST_PHASE {
            let used = |weights: &[f64]| weights.iter().filter(|w| **w != 0.0).count();
            assert!(used(&weights.log.at(discs).weights) > 5, "LOG at {discs} discs");
            assert!(used(&weights.fisher.at(discs).weights) > 5, "FISHER at {discs} discs");
            assert!(used(&weights.quad.at(discs).linear) > 5, "QUAD at {discs} discs");
        }
    }

    /// White has nothing but bad moves: black owns three corners and the edges.
    const LOST_FOR_WHITE: &str =
        "XXXXXXXXXXOOOOXXXOXOOXOXXOOXXOOXXOOXXOOXXOXOOXO-XXOOOO--XXXX---- O";

    #[test]
    fn shipped_models_tell_a_lost_position_from_an_even_one() {
        let lost: Position = LOST_FOR_WHITE.parse().unwrap();
        let weights = Weights::shipped();
        let values = |board: &Board| -> Vec<Value> {
            vec![
                weights.log().evaluate(board),
                weights.fisher().evaluate(board),
                weights.quad().evaluate(board),
            ]
        };
        assert!(values(&Board::START).iter().all(|v| (0.3..0.7).contains(&v.probability())));
        let lost = values(&lost.board);
        assert!(lost.iter().all(|value| value.probability() < 0.1), "{lost:?}");
    }
}
