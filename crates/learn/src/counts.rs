use discern_board::Board;
use discern_eval::patterns::{AllIndices, Indices, Occurrence, Orbits, PATTERNS, Signed};
use discern_eval::{Features, TableSet, TableValue, Tables};

use crate::{ClassifiedPosition, TableSettings};

/// How often each class of configurations occurred, and with what outcome,
/// in every stage of the game.
///
/// All numbers are integers, so that the evidence of some positions can be
/// taken out and put back exactly.
#[derive(Debug, Clone)]
pub(crate) struct Counts {
    settings: TableSettings,
    /// How many stages there are: asked for every occurrence, too often for the
    /// division behind it.
    stages: usize,
    /// Where the classes of each pattern begin; `None` if it is not counted.
    offsets: [Option<usize>; PATTERNS.len()],
    /// Patterns beyond the paper's are counted, too.
    wide: bool,
    /// The stages of a class lie side by side, since an estimate is smoothed
    /// over them.
    tallies: Vec<Tally>,
}

/// Evidence for one class of configurations.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    /// Occurrences N.
    seen: i32,
    /// Of these the won ones less the lost ones: Y = (N + balance)/2.
    balance: i32,
}

impl Counts {
    /// Counts the patterns of these features and those they extend.
    pub(crate) fn new(settings: TableSettings, features: &Features) -> Counts {
        let mut offsets = [None; PATTERNS.len()];
        let mut classes = 0;
        let extended = features.patterns().filter_map(|pattern| PATTERNS[pattern].extends);
        for pattern in features.patterns().chain(extended) {
            if offsets[pattern].is_none() {
                offsets[pattern] = Some(classes);
                classes += Orbits::of(pattern).classes();
            }
        }
        let stages = settings.stages.count();
        let tallies = vec![Tally::default(); classes * stages];
        Counts { settings, stages, offsets, wide: features.is_wide(), tallies }
    }

    /// The configurations on a board that are counted.
    fn occurrences(&self, board: &Board, mut visit: impl FnMut(Occurrence)) {
        let counted = |occurrence: Occurrence| {
            if self.offsets[occurrence.pattern].is_some() {
                visit(occurrence);
            }
        };
        match self.wide {
            true => AllIndices::of(board).occurrences(counted),
            false => Indices::of(board).occurrences(counted),
        }
    }

    /// Adds the evidence of a position.
    pub(crate) fn add(&mut self, position: &ClassifiedPosition) {
        self.change(position, 1);
    }

    /// Takes the evidence of a position out again.
    pub(crate) fn remove(&mut self, position: &ClassifiedPosition) {
        self.change(position, -1);
    }

    fn change(&mut self, position: &ClassifiedPosition, times: i32) {
        let stage = self.settings.stages.at(position.board.discs() as usize);
        let balance = times * position.balance();
        let mut tallies = std::mem::take(&mut self.tallies);
        self.occurrences(&position.board, |Occurrence { pattern, configuration }| {
            if let Some(signed) = Orbits::of(pattern).class(configuration) {
                let start = self.start(pattern, signed.class);
                let tally = &mut tallies[start + stage];
                tally.seen += times;
                tally.balance += if signed.swapped { -balance } else { balance };
            }
        });
        self.tallies = tallies;
    }

    /// Adds the evidence of other positions.
    pub(crate) fn merge(&mut self, other: &Counts) {
        for (mine, theirs) in self.tallies.iter_mut().zip(&other.tallies) {
            mine.seen += theirs.seen;
            mine.balance += theirs.balance;
        }
    }

    /// Where the stages of a class begin.
    fn start(&self, pattern: usize, class: usize) -> usize {
        let offset = self.offsets[pattern].expect("a pattern that is counted");
        (offset + class) * self.stages
    }

    /// The evidence for a class around a stage: Σ of the stages, each times
    /// its weight in the kernel.
    fn smoothed(&self, pattern: usize, class: usize, stage: usize) -> Tally {
        let start = self.start(pattern, class);
        let kernel = &self.settings.kernel;
        // Stages further away have no weight.
        let near =
            (stage + 1).saturating_sub(kernel.len())..(stage + kernel.len()).min(self.stages);
        let tallies = &self.tallies[start..][near.clone()];
        let mut sum = Tally::default();
        for (near, tally) in near.zip(tallies) {
            let weight = kernel[near.abs_diff(stage)];
            sum.seen += weight * tally.seen;
            sum.balance += weight * tally.balance;
        }
        sum
    }

    /// The pattern features of a board by the evidence as it stands: calls
    /// `add(pattern, value)` for each instance.
    pub(crate) fn evaluate(&self, board: &Board, mut add: impl FnMut(usize, f64)) {
        let stage = self.settings.stages.at(board.discs() as usize);
        self.occurrences(board, |Occurrence { pattern, configuration }| {
            if let Some(signed) = Orbits::of(pattern).class(configuration) {
                let value = self.value(pattern, configuration, signed, stage);
                add(pattern, if signed.swapped { -value } else { value });
            }
        });
    }

    /// The value of a class: V = (Y + ½)/(N + 1) − ½, mixed with the value of
    /// the part it extends where evidence is thin: α V + (1 − α) V_sub with
    /// α = min(1, N/`back_off`).
    fn value(&self, pattern: usize, configuration: usize, signed: Signed, stage: usize) -> f64 {
        let unit = f64::from(self.settings.kernel[0]);
        let own = |tally: Tally| {
            let n = f64::from(tally.seen) / unit;
            // Y + ½ − (N + 1)/2 = balance/2
            (f64::from(tally.balance) / (2.0 * unit) / (n + 1.0), n)
        };
        let (value, n) = own(self.smoothed(pattern, signed.class, stage));
        let alpha = (n / self.settings.back_off).min(1.0);
        let Some(base) = PATTERNS[pattern].extends.filter(|_| alpha < 1.0) else {
            return value;
        };
        let part = configuration % PATTERNS[base].configurations();
        // A part that is its own opposite is worth nothing.
        let other = Orbits::of(base).class(part).map_or(0.0, |part| {
            let (value, _) = own(self.smoothed(base, part.class, stage));
            if part.swapped == signed.swapped { value } else { -value }
        });
        alpha * value + (1.0 - alpha) * other
    }

    /// The tables of some features by the evidence as it stands.
    pub(crate) fn tables(&self, features: &Features) -> Tables {
        let stages = self.settings.stages;
        let set = |stage| {
            TableSet::from_fn(features, |pattern, class| {
                let member = Orbits::of(pattern).member(class);
                let signed = Signed { class, swapped: false };
                TableValue::nearest(self.value(pattern, member, signed, stage))
            })
        };
        Tables::new(stages, (0..stages.count()).map(set).collect())
    }
}

#[cfg(test)]
mod tests {
    use discern_board::{Board, Outcome};
    use discern_eval::{Basis, Feature};

    use super::*;
    use crate::testing::classified_random_games;

    fn count(positions: &[ClassifiedPosition], settings: TableSettings) -> Counts {
        let mut counts = Counts::new(settings, &Features::default());
        positions.iter().for_each(|position| counts.add(position));
        counts
    }

    #[test]
    fn evidence_taken_out_leaves_what_the_others_gave() {
        let positions = classified_random_games(21, 30);
        let (out, rest) = positions.split_at(700);
        let mut counts = count(&positions, TableSettings::default());
        out.iter().for_each(|position| counts.remove(position));
        assert_eq!(counts.tallies, count(rest, TableSettings::default()).tallies);
        let mut halves = count(out, TableSettings::default());
        halves.merge(&count(rest, TableSettings::default()));
        assert_eq!(halves.tallies, count(&positions, TableSettings::default()).tallies);
    }

    #[test]
    fn features_by_counts_are_those_of_the_tables() {
        let positions = classified_random_games(22, 40);
        let counts = count(&positions, TableSettings::default());
        let features = Features::default();
        let basis = Basis::new(features.clone(), counts.tables(&features));
        for position in positions.iter().step_by(17) {
            let board = &position.board;
            let mut by_pattern = [0.0; PATTERNS.len()];
            counts.evaluate(board, |pattern, v| by_pattern[pattern] += v);
            for (feature, value) in features.iter().zip(basis.values(board)) {
                if let Some(pattern) = feature.pattern() {
                    // Eight roundings of half a step at most.
                    assert!(
                        (by_pattern[pattern] - value).abs() < 8.0 * 0.5 / TableValue::STEPS + 1e-9
                    );
                }
            }
        }
    }

    /// The value of the configuration that `board` has on its diagonal a1–h8.
    fn diagonal_value(basis: &Basis, board: &Board) -> f64 {
        let on = Feature::named("D8").unwrap();
        basis
            .instances(board)
            .iter()
            .find(|i| i.feature == on && i.squares.0 & 1 != 0)
            .unwrap()
            .value
    }

    #[test]
    fn a_value_is_the_estimator_of_the_counts() {
        let settings = TableSettings { kernel: [1, 0, 0, 0, 0], ..TableSettings::default() };
        let won = ClassifiedPosition {
            board: Board::START,
            games: 1,
            group: 0,
            shared: false,
            outcome: Outcome::Win,
            score: None,
        };
        let lost = ClassifiedPosition { outcome: Outcome::Loss, ..won };
        // At the start one long diagonal holds two own discs and the other
        // two of the opponent's: seen twice, once as it is and once swapped.
        let basis = |positions: [ClassifiedPosition; 4]| {
            let features = Features::default();
            Basis::new(features.clone(), count(&positions, settings).tables(&features))
        };
        let value = diagonal_value(&basis([won, won, won, lost]), &Board::START);
        assert!(value.abs() < 1e-9, "won as often as lost, seen from both sides: {value}");

        // With the discs of one diagonal only: 3 won, 1 lost, (3 + ½)/(4 + 1) − ½.
        let board = Board::new_unchecked(Board::START.mover(), discern_board::Bitboard::EMPTY);
        let (won, lost) =
            (ClassifiedPosition { board, ..won }, ClassifiedPosition { board, ..lost });
        let own = basis([won, won, won, lost]).instances(&board);
        let values: Vec<f64> =
            own.iter().filter(|i| i.feature.name() == "D8").map(|i| i.value).collect();
        assert!(values.iter().any(|v| (v - 0.2).abs() < 1.0 / 8192.0), "{values:?}");
        assert!(values.contains(&0.0), "the empty diagonal: {values:?}");
    }
}
