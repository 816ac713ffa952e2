use discern_eval::Value;

/// Discs that a logit is worth.
const DISCS_PER_LOGIT: f64 = 4.0;

/// The score that a value promises, in whole discs: the proven one, or about
/// four discs per logit.
pub fn expected_discs(value: Value) -> i32 {
    match value.proven_score() {
        Some(score) => score.discs(),
        None => (DISCS_PER_LOGIT * value.log_odds()).clamp(-64.0, 64.0).round() as i32,
    }
}
