//! The benchmark visits the same nodes on every machine and with every kernel.

use discern_eval::Rev;
use discern_search::{Benchmark, Options, engine};

/// A change of the search changes the number, and the commit says so. The
/// evaluation is the hand-set one, so that new weights are not a change.
#[test]
fn the_signature_is_unchanged() {
    let mut engine = engine(Rev::default().into(), Options::default()).unwrap();
    let signature = Benchmark::run(&mut *engine, 9).signature();
    assert_eq!(signature.to_string(), include_str!("signature.txt").trim());
}
