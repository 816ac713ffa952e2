use crate::Features;
use crate::patterns::{Orbits, PATTERNS};
use crate::phases::{FIRST_PHASE, LAST_PHASE};

/// The value of a configuration: how much more often than not the mover wins
/// where it occurs, V = P(W | configuration) − ½, in steps of 1/8192.
///
/// The step costs nothing in quality, and eight values add up within 16 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableValue(i16);

impl TableValue {
    /// Steps in 1.
    pub const STEPS: f64 = 8192.0;
    const MAX: i16 = 4095;

    /// The nearest value to P(W) − ½.
    pub fn nearest(value: f64) -> TableValue {
        let max = f64::from(TableValue::MAX);
        TableValue((value * TableValue::STEPS).round().clamp(-max, max) as i16)
    }

    /// A number of steps; `None` if P(W) would not be between 0 and 1.
    pub fn from_steps(steps: i16) -> Option<TableValue> {
        (-TableValue::MAX..=TableValue::MAX).contains(&steps).then_some(TableValue(steps))
    }

    /// The number of steps.
    pub const fn steps(self) -> i16 {
        self.0
    }

    /// P(W) − ½.
    pub fn value(self) -> f64 {
        f64::from(self.0) / TableValue::STEPS
    }
}

/// The tables of some patterns for one stage of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSet {
    /// For each pattern the steps of each class of its configurations; none
    /// for a pattern without a table.
    steps: Vec<Vec<i16>>,
}

impl TableSet {
    /// Asks for the value of every class of configurations of the patterns
    /// among the features: `value(pattern, class)`.
    pub fn from_fn(
        features: &Features,
        mut value: impl FnMut(usize, usize) -> TableValue,
    ) -> TableSet {
        let step = |pattern, class| value(pattern, class).0;
        TableSet { steps: class_steps(features, Orbits::classes, step) }
    }

    /// Is there a table for this pattern?
    pub fn has(&self, pattern: usize) -> bool {
        !self.steps[pattern].is_empty()
    }

    /// The value of a configuration of a pattern; 0 if it has no table.
    pub fn value(&self, pattern: usize, configuration: usize) -> TableValue {
        let value = |signed: crate::patterns::Signed| {
            let steps = *self.steps[pattern].get(signed.class)?;
            Some(TableValue(if signed.swapped { -steps } else { steps }))
        };
        Orbits::of(pattern).class(configuration).and_then(value).unwrap_or_default()
    }

    /// For each pattern the steps of each class of its configurations.
    pub(crate) fn steps(&self) -> &[Vec<i16>] {
        &self.steps
    }

    /// The steps of each class of a pattern's configurations.
    pub fn classes(&self, pattern: usize) -> &[i16] {
        &self.steps[pattern]
    }
}

/// For each pattern a number for each of its classes, `classes` of them; none
/// for one that is not among the features. Asks pattern by pattern in their
/// order.
pub(crate) fn class_steps(
    features: &Features,
    classes: impl Fn(&Orbits) -> usize,
    mut step: impl FnMut(usize, usize) -> i16,
) -> Vec<Vec<i16>> {
    let mut all = vec![Vec::new(); PATTERNS.len()];
    for (pattern, steps) in all.iter_mut().enumerate() {
        if features.patterns().any(|own| own == pattern) {
            let classes = classes(Orbits::of(pattern));
            *steps = (0..classes).map(|class| step(pattern, class)).collect();
        }
    }
    all
}

/// The steps of every configuration of a pattern from those of its classes;
/// zeros if there are none.
pub(crate) fn expanded(pattern: usize, classes: &[i16]) -> Vec<i16> {
    if classes.is_empty() {
        vec![0; PATTERNS[pattern].configurations()]
    } else {
        Orbits::of(pattern).expand(classes)
    }
}

/// Table sets for the whole game, each for a few adjacent disc counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tables {
    stage: Stages,
    sets: Vec<TableSet>,
}

/// How the game is cut into stages with a table set each: the first begins
/// with four discs, the last takes what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stages {
    discs: usize,
}

impl Stages {
    /// Stages of this many disc counts, 1 to 61; `None` beyond.
    pub const fn new(discs: usize) -> Option<Stages> {
        if discs >= 1 && discs <= LAST_PHASE - FIRST_PHASE + 1 {
            Some(Stages { discs })
        } else {
            None
        }
    }

    /// Disc counts in a stage.
    pub const fn discs(self) -> usize {
        self.discs
    }

    /// How many stages there are. A rest of fewer disc counts than half a
    /// stage belongs to the last one.
    pub const fn count(self) -> usize {
        let phases = LAST_PHASE - FIRST_PHASE + 1;
        let rounded = (phases + self.discs / 2) / self.discs;
        if rounded == 0 { 1 } else { rounded }
    }

    /// The stage of a disc count.
    #[inline(always)]
    pub const fn at(self, discs: usize) -> usize {
        let stage = discs.saturating_sub(FIRST_PHASE) / self.discs;
        let last = self.count() - 1;
        if stage < last { stage } else { last }
    }

    /// The disc count in the middle of a stage.
    pub fn middle(self, stage: usize) -> f64 {
        let first = FIRST_PHASE + stage * self.discs;
        let last = if stage + 1 == self.count() { LAST_PHASE } else { first + self.discs - 1 };
        (first + last) as f64 / 2.0
    }
}

impl Default for Stages {
    /// Four disc counts, as the author of the paper had them.
    fn default() -> Stages {
        Stages { discs: 4 }
    }
}

impl Tables {
    /// Tables with one set per stage.
    ///
    /// # Panics
    /// If there are more or fewer sets than stages.
    pub fn new(stage: Stages, sets: Vec<TableSet>) -> Tables {
        assert_eq!(sets.len(), stage.count(), "one set per stage");
        Tables { stage, sets }
    }

    /// The stages of the sets.
    pub fn stages(&self) -> Stages {
        self.stage
    }

    /// The sets in the order of the stages.
    pub fn sets(&self) -> &[TableSet] {
        &self.sets
    }

    /// The set for a disc count.
    pub fn at(&self, discs: usize) -> &TableSet {
        &self.sets[self.stage.at(discs)]
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_board::testing::Seeded;

    use super::*;

    /// A table set of arbitrary values.
    pub(crate) fn arbitrary(features: &Features, seed: u64) -> TableSet {
        let mut random = Seeded::new(seed);
        let mut value = || TableValue::from_steps(random.below(8191) as i16 - 4095).unwrap();
        TableSet::from_fn(features, |_, _| value())
    }

    #[test]
    fn stages_cover_all_phases_in_order() {
        for discs in 1..=61 {
            let stages = Stages::new(discs).unwrap();
            let found: Vec<usize> = (FIRST_PHASE..=LAST_PHASE).map(|d| stages.at(d)).collect();
            assert!(found.is_sorted());
            assert_eq!((found[0], found[60] + 1), (0, stages.count()));
        }
        assert_eq!(Stages::default().count(), 15);
        assert_eq!([4, 7, 8, 59, 60, 64].map(|d| Stages::default().at(d)), [0, 0, 1, 13, 14, 14]);
        assert_eq!(Stages::default().middle(14), 62.0);
    }
}
