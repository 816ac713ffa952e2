use super::groups::{WIDE_START, carrier};
use super::instances::Instances;
use super::{GROUPS, Group, PATTERNS};

/// A pattern whose value a group's lookups bring along.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// Number of the pattern.
    pub pattern: usize,
    /// For each of its squares the place among those of the group's pattern.
    places: Vec<usize>,
    /// How much of it each lookup brings: a half if the group has twice as many
    /// instances.
    pub share: f32,
}

impl Part {
    fn new(pattern: usize, group: &Group) -> Part {
        let place = |square| group.pattern().squares.iter().position(|&own| own == square);
        let places = PATTERNS[pattern].squares.iter().map(|&square| place(square));
        let places: Option<Vec<usize>> = places.collect();
        let own = Instances::of(&PATTERNS[pattern]).len;
        let places = places.expect("squares of the group's pattern");
        Part { pattern, places, share: own as f32 / group.lanes as f32 }
    }

    /// Do its squares come first, so that its configurations repeat in order?
    fn comes_first(&self) -> bool {
        self.places.iter().enumerate().all(|(at, &place)| at == place)
    }

    /// Adds its share of the values of its configurations to a table of the
    /// group's.
    pub(crate) fn add(&self, group: &Group, values: &[f32], table: &mut [f32]) {
        let share = |(entry, value): (&mut f32, &f32)| *entry += self.share * value;
        if self.comes_first() {
            table
                .chunks_exact_mut(values.len())
                .for_each(|run| run.iter_mut().zip(values).for_each(share));
        } else if values.iter().any(|&value| value != 0.0) {
            let own = self.configurations(group).into_iter().map(|own| &values[own as usize]);
            table.iter_mut().zip(own).for_each(share);
        }
    }

    /// For every configuration of the group's pattern, in order, that of this
    /// one.
    fn configurations(&self, group: &Group) -> Vec<u32> {
        let mut all = vec![0];
        for place in 0..group.pattern().squares.len() {
            let power = self.places.iter().position(|&own| own == place);
            let worth = power.map_or(0, |power| 3u32.pow(power as u32));
            all = (0..3).flat_map(|digit| all.iter().map(move |low| low + digit * worth)).collect();
        }
        all
    }
}

impl Group {
    /// The patterns that the lookups of this group bring along: its own, the one
    /// it extends and, in the widest evaluators, those of groups that are left
    /// out.
    pub(crate) fn parts(&self, wide: bool) -> Vec<Part> {
        let left_out = GROUPS.iter().filter(|other| wide && other.first_lane < WIDE_START);
        let carried = left_out.flat_map(Group::patterns).filter(|&pattern| {
            carrier(pattern).is_some_and(|group| GROUPS[group].pattern == self.pattern)
        });
        self.patterns().chain(carried).map(|pattern| Part::new(pattern, self)).collect()
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::random_discs;

    use super::*;
    use crate::patterns::{AllIndices, Occurrence, WideIndices};

    #[test]
    fn what_wide_lookups_bring_along_is_every_pattern_once() {
        for board in random_discs(61, 200) {
            let mut shares = vec![std::collections::BTreeMap::new(); PATTERNS.len()];
            for (group, lanes) in WideIndices::of(&board).groups() {
                for part in group.parts(true) {
                    let configurations = part.configurations(group);
                    for &lane in lanes {
                        let own = group.pattern().centre().wrapping_add_signed(lane.into());
                        let found = configurations[own] as usize;
                        *shares[part.pattern].entry(least(part.pattern, found)).or_insert(0.0) +=
                            part.share;
                    }
                }
            }
            AllIndices::of(&board).occurrences(|Occurrence { pattern, configuration }| {
                let share = shares[pattern].get_mut(&least(pattern, configuration));
                *share.expect("a configuration that is brought along") -= 1.0;
            });
            assert!(shares.iter().flat_map(|found| found.values()).all(|&share| share == 0.0));
        }
    }

    /// One name for configurations that the pattern's own symmetry maps on each
    /// other.
    fn least(pattern: usize, configuration: usize) -> (usize, bool) {
        let orbits = crate::patterns::Orbits::of(pattern);
        let swapped = orbits.class(configuration).is_some_and(|signed| signed.swapped);
        (orbits.even_class(configuration), swapped)
    }
}
