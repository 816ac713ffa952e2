//! Mobility on a single line, the ground of the features MOB and PMOB.

use super::{Line, Pattern};

/// One square of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Mine,
    His,
    Empty,
}

/// Moves and potential moves on a line, the mover's less the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineMobility {
    /// Empty squares from which a run on this line can be turned over.
    pub moves: i32,
    /// Empty squares next to a run that ends at another empty square: it may
    /// be turned over later, but not now. Only on inner lines, as on the rim
    /// such runs are no liability.
    pub potential: i32,
}

impl LineMobility {
    /// The mobility of a configuration; none if the pattern is not a line.
    pub fn of(pattern: &Pattern, configuration: usize) -> LineMobility {
        if pattern.line == Line::No {
            return LineMobility::default();
        }
        let mut rest = configuration;
        let cells: Vec<Cell> = pattern
            .squares
            .iter()
            .map(|_| {
                let digit = rest % 3;
                rest /= 3;
                [Cell::His, Cell::Empty, Cell::Mine][digit]
            })
            .collect();
        let (moves, potential) = count(&cells, Cell::Mine, Cell::His);
        let (his_moves, his_potential) = count(&cells, Cell::His, Cell::Mine);
        LineMobility {
            moves: moves - his_moves,
            potential: if pattern.line == Line::Inner { potential - his_potential } else { 0 },
        }
    }
}

/// Moves and potential moves of `side` against `other`.
fn count(cells: &[Cell], side: Cell, other: Cell) -> (i32, i32) {
    let (mut moves, mut potential) = (0, 0);
    for (i, _) in cells.iter().enumerate().filter(|&(_, &cell)| cell == Cell::Empty) {
        // What stands behind the run on each side of the square, if there is one.
        let up = behind_run(cells[i + 1..].iter(), other);
        let down = behind_run(cells[..i].iter().rev(), other);
        if [up, down].contains(&Some(side)) {
            moves += 1;
        }
        if [up, down].contains(&Some(Cell::Empty)) {
            potential += 1;
        }
    }
    (moves, potential)
}

/// The first cell behind a run of `other` that begins at once; `None` without
/// a run, or when it ends at the rim.
fn behind_run<'a>(cells: impl Iterator<Item = &'a Cell>, other: Cell) -> Option<Cell> {
    let (length, &cell) = cells.enumerate().find(|&(_, &cell)| cell != other)?;
    (length > 0).then_some(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::PATTERNS;

    fn of(name: &str, text: &str) -> (i32, i32) {
        let pattern = PATTERNS.iter().find(|pattern| pattern.name == name).unwrap();
        let configuration = text.bytes().rev().fold(0, |sum, byte| {
            3 * sum
                + match byte {
                    b'X' => 2,
                    b'O' => 0,
                    _ => 1,
                }
        });
        let mobility = LineMobility::of(pattern, configuration);
        (mobility.moves, mobility.potential)
    }

    #[test]
    fn moves_count_once_per_line() {
        assert_eq!(of("R4", "--OX----"), (0, 0));
        assert_eq!(of("R4", "--OOX---"), (0, 0));
        assert_eq!(of("R4", "--OXO---"), (2, 0));
        // b4 turns over runs to both sides but is one square.
        assert_eq!(of("R4", "XO-OX---").0, 1 - 1);
        assert_eq!(of("D4", "XO--"), (1, 0));
        assert_eq!(of("R4", "XXXXOOOO"), (0, 0));
    }

    #[test]
    fn a_run_between_empty_squares_is_a_later_move_from_both_sides() {
        assert_eq!(of("R4", "--OO----"), (0, 2));
        assert_eq!(of("R4", "--XX----"), (0, -2));
        assert_eq!(of("R4", "OO------"), (0, 0), "a run at the rim is safe on this line");
        assert_eq!(of("R1", "--OO----"), (0, 0), "the rim does not count");
    }
}
