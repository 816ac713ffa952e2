use std::fmt;
use std::str::FromStr;

use crate::patterns::PATTERNS;

/// How many features there are: 13 in the paper.
pub const FEATURES: usize = {
    let (mut count, mut i) = (2, 0);
    while i < PATTERNS.len() {
        count += PATTERNS[i].scored as usize;
        i += 1;
    }
    count
};

/// The pattern of each feature; the first two are the mobility measures.
const FEATURE_PATTERNS: [Option<usize>; FEATURES] = {
    let mut patterns = [None; FEATURES];
    let (mut next, mut i) = (2, 0);
    while i < PATTERNS.len() {
        if PATTERNS[i].scored {
            patterns[next] = Some(i);
            next += 1;
        }
        i += 1;
    }
    patterns
};

/// One of the features X₁ … X₁₃ of a board, all from the mover's view: line
/// mobility, potential mobility, and a sum of table values for each scored
/// pattern.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature(u8);

impl Feature {
    /// MOB: moves counted line by line, mine less his.
    pub const MOBILITY: Feature = Feature(0);
    /// PMOB: squares from which a move may become possible, mine less his.
    pub const POTENTIAL_MOBILITY: Feature = Feature(1);

    /// All features in their fixed order.
    pub const ALL: [Feature; FEATURES] = {
        let mut all = [Feature(0); FEATURES];
        let mut i = 0;
        while i < FEATURES {
            all[i] = Feature(i as u8);
            i += 1;
        }
        all
    };

    /// The place in feature vectors, from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The number of its pattern; `None` for the mobility measures.
    pub const fn pattern(self) -> Option<usize> {
        FEATURE_PATTERNS[self.0 as usize]
    }

    /// The feature of a pattern, if it is scored.
    pub fn of_pattern(pattern: usize) -> Option<Feature> {
        Feature::ALL.into_iter().find(|feature| feature.pattern() == Some(pattern))
    }

    /// Short name: `MOB`, `PMOB`, `R1`, … `E2X`.
    pub const fn name(self) -> &'static str {
        match self.pattern() {
            Some(pattern) => PATTERNS[pattern].name,
            None if self.0 == Feature::MOBILITY.0 => "MOB",
            None => "PMOB",
        }
    }

    /// What it looks at, for people: `edges`.
    pub const fn title(self) -> &'static str {
        match self.pattern() {
            Some(pattern) => PATTERNS[pattern].title,
            None if self.0 == Feature::MOBILITY.0 => "moves, by line",
            None => "potential moves",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Some of the features: what a model may use. The rest keep weight 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FeatureSet(u32);

impl FeatureSet {
    /// Every feature.
    pub const ALL: FeatureSet = FeatureSet((1 << FEATURES) - 1);

    /// Is the feature in the set?
    pub const fn contains(self, feature: Feature) -> bool {
        self.0 >> feature.0 & 1 != 0
    }

    /// The set without one feature.
    pub const fn without(self, feature: Feature) -> FeatureSet {
        FeatureSet(self.0 & !(1 << feature.0))
    }

    /// The features in order.
    pub fn features(self) -> impl Iterator<Item = Feature> + Clone {
        Feature::ALL.into_iter().filter(move |&feature| self.contains(feature))
    }
}

impl Default for FeatureSet {
    fn default() -> FeatureSet {
        FeatureSet::ALL
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.features().map(Feature::name).collect();
        f.pad(&names.join(","))
    }
}

/// The text names no feature, or no feature would be left.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseFeatureSetError {
    /// Not a name of a feature.
    #[error("'{0}' is not a feature; there are {all}", all = FeatureSet::ALL)]
    Unknown(String),
    /// Nothing left to fit.
    #[error("no feature is left")]
    Empty,
}

impl FromStr for FeatureSet {
    type Err = ParseFeatureSetError;

    /// Reads `MOB,R1,E2X` (these) or `-MOB,-C2x5` (all but these).
    fn from_str(text: &str) -> Result<FeatureSet, ParseFeatureSetError> {
        let mut set = if text.trim_start().starts_with('-') { FeatureSet::ALL.0 } else { 0 };
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let name = word.strip_prefix('-').unwrap_or(word);
            let feature = Feature::ALL
                .into_iter()
                .find(|feature| feature.name().eq_ignore_ascii_case(name))
                .ok_or_else(|| ParseFeatureSetError::Unknown(name.to_owned()))?;
            if word.starts_with('-') {
                set &= !(1 << feature.0);
            } else {
                set |= 1 << feature.0;
            }
        }
        if set == 0 { Err(ParseFeatureSetError::Empty) } else { Ok(FeatureSet(set)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_the_thirteen_features_of_the_paper() {
        assert_eq!(FeatureSet::ALL.to_string(), "MOB,PMOB,R1,R2,R3,R4,D8,D7,D6,D5,C2x4,C2x5,E2X");
        for feature in Feature::ALL {
            let pattern = feature.pattern();
            assert!(pattern.is_none_or(|p| Feature::of_pattern(p) == Some(feature)));
        }
    }

    #[test]
    fn sets_are_read_by_name() {
        assert_eq!("mob, r1".parse::<FeatureSet>().unwrap().to_string(), "MOB,R1");
        let without = FeatureSet::ALL.without(Feature::MOBILITY);
        assert_eq!("-MOB".parse(), Ok(without));
        assert_eq!(without.to_string().parse(), Ok(without));
        assert_eq!("X1".parse::<FeatureSet>(), Err(ParseFeatureSetError::Unknown("X1".into())));
        assert_eq!("".parse::<FeatureSet>(), Err(ParseFeatureSetError::Empty));
        assert_eq!("MOB,-MOB".parse::<FeatureSet>(), Err(ParseFeatureSetError::Empty));
    }
}
