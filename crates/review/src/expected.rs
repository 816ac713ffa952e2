use discern_eval::Value;

/// The score that a value promises, in whole discs.
pub fn expected_discs(value: Value) -> i32 {
    value.discs().round() as i32
}
