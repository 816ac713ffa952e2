/// Holm's correction: the p-values of several tests made so that the chance
/// of any false alarm among all of them keeps the level. In the given order.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut corrected = vec![0.0; count];
    let mut least: f64 = 0.0;
    for (rank, &test) in order.iter().enumerate() {
        least = least.max((count - rank) as f64 * p_values[test]).min(1.0);
        corrected[test] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrected_values_keep_the_order_of_the_tests() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, expected) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - expected).abs() < 1e-12, "{corrected:?}");
        }
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
