//! Positions as sparse rows: the configurations on the board as indices of
//! weights, for logistic regression on all of them at once.

use std::io::{self, BufWriter, Write};

use discern_board::Board;
use discern_eval::patterns::{AllIndices, Occurrence, Orbits, PATTERNS};
use discern_eval::{Features, Stages};

use crate::ClassifiedPosition;

/// Which weight a configuration has: one for each class of configurations of
/// each pattern among the features, and that in each stage of the game.
#[derive(Debug, Clone)]
pub struct PatternRows {
    stages: Stages,
    /// Where the classes of each pattern begin.
    offsets: [Option<usize>; PATTERNS.len()],
    /// Weights of a stage.
    places: usize,
}

impl PatternRows {
    /// Rows of the patterns among some features.
    pub fn new(features: &Features, stages: Stages) -> PatternRows {
        let mut offsets = [None; PATTERNS.len()];
        let mut places = 0;
        for pattern in features.patterns() {
            offsets[pattern] = Some(places);
            places += Orbits::of(pattern).classes();
        }
        PatternRows { stages, offsets, places }
    }

    /// Number of weights.
    pub fn weights(&self) -> usize {
        self.places * self.stages.count()
    }

    /// Writes the weights of a board and their values into `row`, ascending
    /// and each once. A configuration with the colours swapped counts −1; what
    /// cancels out is left out.
    pub fn row(&self, board: &Board, row: &mut Vec<(u32, f64)>) {
        let first = self.places * self.stages.at(board.discs() as usize);
        row.clear();
        AllIndices::of(board).occurrences(|Occurrence { pattern, configuration }| {
            let Some(offset) = self.offsets[pattern] else { return };
            if let Some(signed) = Orbits::of(pattern).class(configuration) {
                let index = (first + offset + signed.class) as u32;
                row.push((index, if signed.swapped { -1.0 } else { 1.0 }));
            }
        });
        row.sort_unstable_by_key(|entry| entry.0);
        row.dedup_by(|next, sum| {
            let same = next.0 == sum.0;
            if same {
                sum.1 += next.1;
            }
            same
        });
        row.retain(|entry| entry.1 != 0.0);
    }

    /// Writes positions as LIBSVM text, within zstd if `compressed`: outcome,
    /// `qid:` the group, `discs:` the phase, and the weights from 1 on. Positions
    /// that groups share, or in which the game is over, are left out.
    ///
    /// # Errors
    /// If the output refuses the bytes.
    pub fn write<'p>(
        &self,
        output: impl Write,
        compressed: bool,
        positions: impl Iterator<Item = &'p ClassifiedPosition>,
    ) -> io::Result<()> {
        if compressed {
            let mut frame = zstd::Encoder::new(output, 3)?;
            // So that a reader notices what is missing or was changed.
            frame.include_checksum(true)?;
            self.write_text(&mut frame, positions)?;
            frame.finish()?.flush()
        } else {
            self.write_text(output, positions)
        }
    }

    fn write_text<'p>(
        &self,
        output: impl Write,
        positions: impl Iterator<Item = &'p ClassifiedPosition>,
    ) -> io::Result<()> {
        let mut output = BufWriter::with_capacity(1 << 18, output);
        let mut row = Vec::new();
        for position in positions.filter(|p| !p.shared && !p.board.is_over()) {
            let (group, discs) = (position.group, position.board.discs());
            write!(output, "{} qid:{group} discs:{discs}", position.points())?;
            self.row(&position.board, &mut row);
            for (index, value) in &row {
                write!(output, " {}:{value}", index + 1)?;
            }
            output.write_all(b"\n")?;
        }
        output.flush()
    }
}

impl Default for PatternRows {
    /// The patterns of the paper's features in three stages of twenty discs:
    /// some 150,000 weights.
    fn default() -> PatternRows {
        let stages = Stages::new(20).expect("a length of stages");
        PatternRows::new(&Features::default(), stages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::classified_random_games;

    /// Swapping the colours negates every value: the rows know no side.
    #[test]
    fn the_same_board_with_swapped_colours_has_the_negative_row() {
        let rows = PatternRows::default();
        let (mut row, mut swapped) = (Vec::new(), Vec::new());
        for position in classified_random_games(53, 20) {
            let board = position.board;
            rows.row(&board, &mut row);
            rows.row(&board.pass(), &mut swapped);
            let negative: Vec<_> = row.iter().map(|&(index, value)| (index, -value)).collect();
            assert_eq!(swapped, negative);
            assert!(row.windows(2).all(|pair| pair[0].0 < pair[1].0), "{row:?}");
            assert!(row.iter().all(|entry| (entry.0 as usize) < rows.weights()));
        }
    }

    #[test]
    fn text_has_outcome_group_phase_and_weights_from_one_on() {
        let positions = classified_random_games(54, 30);
        let rows = PatternRows::default();
        let mut text = Vec::new();
        rows.write(&mut text, false, positions.iter()).unwrap();
        let mut packed = Vec::new();
        rows.write(&mut packed, true, positions.iter()).unwrap();
        assert_eq!(zstd::decode_all(&packed[..]).unwrap(), text);
        let text = String::from_utf8(text).unwrap();
        let used: Vec<_> = positions.iter().filter(|p| !p.shared && !p.board.is_over()).collect();
        assert_eq!(text.lines().count(), used.len());
        // The first board has no entry: all of it cancels out.
        let (line, position) = (text.lines().nth(20).unwrap(), used[20]);
        let mut row = Vec::new();
        rows.row(&position.board, &mut row);
        let (index, value) = row[0];
        let start = format!(
            "{} qid:{} discs:{} {}:{value}",
            position.points(),
            position.group,
            position.board.discs(),
            index + 1
        );
        assert!(line.starts_with(&start), "{line} {start}");
    }
}
