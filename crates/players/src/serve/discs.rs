use discern_eval::Value;

/// Discs for one logit. A rule of thumb: Othello programs tell evaluations in
/// expected discs, ours are odds of winning, and in the middle of the game a
/// lead of four discs wins about e times as often as it loses.
const DISCS_PER_LOGIT: f64 = 4.0;

/// A value in discs for programs that want discs: the score where it is
/// proven, otherwise roughly four discs per logit, at most 64.
pub fn discs_of(value: Value) -> f64 {
    match value.proven_score() {
        Some(score) => f64::from(score.discs()),
        None => (DISCS_PER_LOGIT * value.log_odds()).clamp(-64.0, 64.0),
    }
}

#[cfg(test)]
mod tests {
    use discern_board::Score;

    use super::*;

    #[test]
    fn proven_scores_are_exact_and_estimates_bounded() {
        assert_eq!(discs_of(Value::proven(Score::new(-12).unwrap())), -12.0);
        assert_eq!(discs_of(Value::from_log_odds(0.5)), 2.0);
        assert_eq!(discs_of(Value::MAX_ESTIMATE), 60.0);
    }
}
