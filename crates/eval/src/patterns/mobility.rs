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
    /// Empty squares next to a run that cannot be turned over now, but may be
    /// later: what stands behind it is empty, or the rim, where its last disc
    /// may change hands on another line. Only on inner lines, as on the rim
    /// such runs are no liability.
    ///
    /// Leaving runs at the rim out costs up to .003 of discordance.
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
        let (moves, potential) = count(&cells, Cell::Mine);
        let (his_moves, his_potential) = count(&cells, Cell::His);
        LineMobility {
            moves: moves - his_moves,
            potential: if pattern.line == Line::Inner { potential - his_potential } else { 0 },
        }
    }
}

/// Moves and potential moves of one side.
fn count(cells: &[Cell], side: Cell) -> (i32, i32) {
    let (mut moves, mut potential) = (0, 0);
    for (i, _) in cells.iter().enumerate().filter(|&(_, &cell)| cell == Cell::Empty) {
        let sides = [run(cells[i + 1..].iter(), side), run(cells[..i].iter().rev(), side)];
        moves += i32::from(sides.contains(&Run::Caught));
        potential += i32::from(sides.contains(&Run::Open));
    }
    (moves, potential)
}

/// What lies next to an empty square in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    /// No disc of the other side.
    None,
    /// Discs of the other side, then one of the own side.
    Caught,
    /// Discs of the other side, then an empty square or the rim.
    Open,
}

/// The run of the other side's discs that begins at once.
fn run<'a>(cells: impl Iterator<Item = &'a Cell>, side: Cell) -> Run {
    let mut run = Run::None;
    for &cell in cells {
        if cell == Cell::Empty {
            break;
        }
        if cell == side {
            return if run == Run::None { Run::None } else { Run::Caught };
        }
        run = Run::Open;
    }
    run
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
        assert_eq!(of("R4", "OO------"), (0, 1), "a run at the rim from one side");
        assert_eq!(of("R4", "-OX-----"), (0, 0), "what can be turned over now is a move");
        assert_eq!(of("R4", "O-OX----").1, 1, "one square beside an open and a caught run");
        assert_eq!(of("R1", "--OO----"), (0, 0), "the rim does not count");
    }
}
