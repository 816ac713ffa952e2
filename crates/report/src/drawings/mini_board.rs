//! A board the size of a letter that shows where a pattern lies.

use crate::svg::Svg;

/// The board with these squares, as (column, row) from 0, filled. It repeats
/// what its title says and is not read out.
pub(crate) fn mini_board(squares: &[(usize, usize)]) -> String {
    const SIDE: f64 = 4.0;
    let mut svg = Svg::new(33.0, 33.0, "where the pattern lies", "");
    svg.rect("empty", (0.5, 0.5), (8.0 * SIDE, 8.0 * SIDE), 0.0);
    for &(column, row) in squares {
        let corner = (0.5 + SIDE * column as f64, 0.5 + SIDE * row as f64);
        svg.rect("target", corner, (SIDE, SIDE), 0.0);
    }
    svg.finish().replacen("role=\"img\"", "aria-hidden=\"true\"", 1)
}
