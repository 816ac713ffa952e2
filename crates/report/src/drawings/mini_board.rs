//! A board the size of a letter that shows where a pattern lies.

use discern_eval::Feature;
use discern_eval::patterns::PATTERNS;

use crate::svg::Svg;

/// The board with one instance of a feature's pattern filled; nothing if it has
/// none. It repeats what its title says and is not read out.
pub(crate) fn mini_board(feature: &str) -> String {
    let Some(pattern) = Feature::named(feature).and_then(Feature::pattern) else {
        return String::new();
    };
    const SIDE: f64 = 4.0;
    let mut svg = Svg::new(33.0, 33.0, "where the pattern lies", "");
    svg.rect("empty", (0.5, 0.5), (8.0 * SIDE, 8.0 * SIDE), 0.0);
    for square in PATTERNS[pattern].squares {
        let corner = (0.5 + SIDE * square.column() as f64, 0.5 + SIDE * square.row() as f64);
        svg.rect("target", corner, (SIDE, SIDE), 0.0);
    }
    svg.finish().replacen("role=\"img\"", "aria-hidden=\"true\"", 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_lie_where_the_program_puts_them() {
        let board = mini_board("D5");
        assert_eq!(board.matches("target").count(), 5);
        assert!(board.contains("x=\"12.5\" y=\".5\"") && board.contains("x=\"28.5\" y=\"16.5\""));
        assert!(mini_board("MOB").is_empty() && mini_board("height").is_empty());
    }
}
