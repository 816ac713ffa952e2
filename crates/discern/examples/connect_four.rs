//! Plays games of Connect Four and prints their positions as sparse rows for
//! `discern fit --sparse`; the data of `docs/worked-example-connect-four.md`.
//!
//! Connect Four: seven columns of six cells. A disc falls to the lowest free
//! cell of its column; four of one colour in a line win.
//!
//! Both players win if they can and else mostly prevent the other's win; the
//! rest is chance, so that there are good and bad positions of every kind.
//!
//! A pattern is a line of four cells, 69 in all; lines that are mirror images
//! share their weights. Each of the 36 kinds that are left has one weight for
//! each of its 81 configurations; index 1 + 81·kind + configuration.

use std::collections::BTreeMap;
use std::io::{self, Write};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const COLUMNS: i32 = 7;
const ROWS: i32 = 6;
/// Of ten threats that can be parried this many are.
const ATTENTION: u32 = 8;

/// Four cells in a line, and the number of its kind.
struct Line {
    kind: usize,
    cells: [usize; 4],
}

fn cell(column: i32, row: i32) -> usize {
    (COLUMNS * row + column) as usize
}

/// Every line of four; the cells of mirrored ones in mirrored order.
fn lines() -> Vec<Line> {
    let mut kinds: BTreeMap<[usize; 4], usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for (right, up) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
        for row in 0..ROWS {
            for column in 0..COLUMNS {
                let (last_column, last_row) = (column + 3 * right, row + 3 * up);
                if !(0..COLUMNS).contains(&last_column) || last_row >= ROWS {
                    continue;
                }
                let along = |step: i32| (column + step * right, row + step * up);
                let cells = [0, 1, 2, 3].map(|step| {
                    let (column, row) = along(step);
                    cell(column, row)
                });
                let mirrored = [0, 1, 2, 3].map(|step| {
                    let (column, row) = along(step);
                    cell(COLUMNS - 1 - column, row)
                });
                // The mirror image of a level line begins at its other end.
                let backwards = [3, 2, 1, 0].map(|at| mirrored[at]);
                let image = if up == 0 { backwards } else { mirrored };
                let next = kinds.len();
                let (cells, kind) = match kinds.get(&image) {
                    Some(&kind) if up == 0 => ([3, 2, 1, 0].map(|at| cells[at]), kind),
                    Some(&kind) => (cells, kind),
                    None => (cells, *kinds.entry(cells).or_insert(next)),
                };
                lines.push(Line { kind, cells });
            }
        }
    }
    lines
}

/// A position: 1 is a disc of the mover, 2 one of the opponent.
#[derive(Clone)]
struct Position {
    cells: [usize; 42],
    discs: usize,
}

impl Position {
    fn moves(&self) -> Vec<usize> {
        let lowest = |column| (0..ROWS).map(|row| cell(column, row)).find(|&c| self.cells[c] == 0);
        (0..COLUMNS).filter_map(lowest).collect()
    }

    /// Whether a disc of this side in a cell makes four in a line.
    fn wins(&self, lines: &[Line], side: usize, at: usize) -> bool {
        lines
            .iter()
            .filter(|line| line.cells.contains(&at))
            .any(|line| line.cells.iter().all(|&cell| cell == at || self.cells[cell] == side))
    }

    /// A disc of the mover, and the board as the opponent sees it.
    fn play(&self, at: usize) -> Self {
        let mut next = self.clone();
        next.cells[at] = 1;
        for cell in &mut next.cells {
            *cell = (3 - *cell) % 3;
        }
        next.discs += 1;
        next
    }

    /// Indices of the configurations that are not empty, and how often.
    fn entries(&self, lines: &[Line]) -> BTreeMap<usize, u32> {
        let mut entries = BTreeMap::new();
        for line in lines {
            let configuration =
                line.cells.iter().fold(0, |code, &cell| 3 * code + self.cells[cell]);
            if configuration > 0 {
                *entries.entry(1 + 81 * line.kind + configuration).or_default() += 1;
            }
        }
        entries
    }
}

/// Plays one game; its positions, and who won: the side to move at an even (0)
/// or odd (1) number of discs, or nobody.
fn play_game(lines: &[Line], rng: &mut Xoshiro256PlusPlus) -> (Vec<Position>, Option<usize>) {
    let mut position = Position { cells: [0; 42], discs: 0 };
    let mut positions = Vec::new();
    loop {
        let moves = position.moves();
        if moves.is_empty() {
            return (positions, None);
        }
        positions.push(position.clone());
        if moves.iter().any(|&at| position.wins(lines, 1, at)) {
            return (positions, Some(position.discs % 2));
        }
        let threat = moves.iter().copied().find(|&at| position.wins(lines, 2, at));
        let at = match threat {
            Some(at) if rng.random_range(0..10) < ATTENTION => at,
            _ => moves[rng.random_range(0..moves.len())],
        };
        position = position.play(at);
    }
}

/// Writes the positions of some games, one row each.
pub fn write_games(out: &mut impl Write, games: usize) -> io::Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1988);
    let lines = lines();
    for game in 0..games {
        let (positions, winner) = play_game(&lines, &mut rng);
        for position in positions {
            let label = match winner {
                None => "0.5",
                Some(side) if side == position.discs % 2 => "1",
                Some(_) => "0",
            };
            write!(out, "{label} qid:{game} phase:{}", position.discs / 6)?;
            for (index, times) in position.entries(&lines) {
                write!(out, " {index}:{times}")?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_games(&mut out, 1000)?;
    out.flush()
}
