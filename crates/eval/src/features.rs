use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use crate::Feature;
use crate::patterns::PAPER_PATTERNS;

/// A list of features, each once: what the numbers of a model stand for, in
/// this order. The default are the 13 of the paper.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Features(Vec<Feature>);

impl Features {
    /// The features of the paper, X₁ … X₁₃.
    pub const PAPER: &str = "MOB,PMOB,R1,R2,R3,R4,D8,D7,D6,D5,C2x4,C2x5,E2X";

    /// Every feature that this program knows.
    pub fn all() -> Features {
        Feature::all().collect()
    }

    /// The features with these short names in this order; the first name that
    /// is unknown or comes twice if there is one.
    pub(crate) fn of_names(names: &[String]) -> Result<Features, &str> {
        let mut list = Features(Vec::with_capacity(names.len()));
        for name in names {
            match Feature::named(name) {
                Some(feature) if !list.contains(&feature) => list.0.push(feature),
                _ => return Err(name),
            }
        }
        Ok(list)
    }

    /// The place of a feature in the list.
    pub fn place(&self, feature: Feature) -> Option<usize> {
        self.iter().position(|&other| other == feature)
    }

    /// The short names.
    pub fn names(&self) -> Vec<&'static str> {
        self.iter().map(|feature| feature.name()).collect()
    }

    /// The patterns of the features that have one.
    pub fn patterns(&self) -> impl Iterator<Item = usize> {
        self.iter().filter_map(|feature| feature.pattern())
    }

    /// The features that are scalars.
    pub fn scalars(&self) -> impl Iterator<Item = Feature> {
        self.iter().copied().filter(|feature| feature.pattern().is_none())
    }

    /// Do some of them need patterns beyond the paper's?
    pub fn is_wide(&self) -> bool {
        self.patterns().any(|pattern| pattern >= PAPER_PATTERNS)
    }

    /// The list without one feature.
    pub fn without(&self, feature: Feature) -> Features {
        self.iter().copied().filter(|&other| other != feature).collect()
    }
}

impl FromIterator<Feature> for Features {
    fn from_iter<I: IntoIterator<Item = Feature>>(features: I) -> Features {
        let mut list = Vec::new();
        for feature in features {
            if !list.contains(&feature) {
                list.push(feature);
            }
        }
        Features(list)
    }
}

impl Deref for Features {
    type Target = [Feature];

    fn deref(&self) -> &[Feature] {
        &self.0
    }
}

impl Default for Features {
    fn default() -> Features {
        Features::PAPER.parse().expect("names of features")
    }
}

impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.names().join(","))
    }
}

/// The text names no feature, or no feature would be left.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseFeaturesError {
    /// Not a name of a feature.
    #[error("'{0}' is not a feature; there are {all}", all = Features::all())]
    Unknown(String),
    /// Nothing left to fit.
    #[error("no feature is left")]
    Empty,
}

impl FromStr for Features {
    type Err = ParseFeaturesError;

    /// Reads `MOB,R1,E2X` (these), `-MOB,-C2x5` (the paper's but these) or
    /// `+LAST` (the paper's and this). The list is in the program's order.
    fn from_str(text: &str) -> Result<Features, ParseFeaturesError> {
        let mut list = match text.trim_start().chars().next() {
            Some('-' | '+') => Features::default().0,
            _ => Vec::new(),
        };
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let name = word.strip_prefix(['-', '+']).unwrap_or(word);
            let feature =
                Feature::named(name).ok_or_else(|| ParseFeaturesError::Unknown(name.to_owned()))?;
            list.retain(|&other| other != feature);
            if !word.starts_with('-') {
                list.push(feature);
            }
        }
        list.sort();
        if list.is_empty() { Err(ParseFeaturesError::Empty) } else { Ok(Features(list)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_has_thirteen_features() {
        assert_eq!(Features::default().to_string(), Features::PAPER);
        assert_eq!(Features::default().len(), 13);
        for feature in Feature::all() {
            let pattern = feature.pattern();
            assert!(pattern.is_none_or(|p| Feature::of_pattern(p) == Some(feature)));
            let words = [feature.name(), feature.title(), feature.explanation()];
            assert!(words.iter().all(|text| !text.is_empty()), "{words:?}");
        }
    }

    #[test]
    fn lists_are_read_by_name() {
        let names = |text: &str| text.parse::<Features>().unwrap().to_string();
        assert_eq!(names("r1, mob"), "MOB,R1");
        let without = Features::default().without(Feature::named("MOB").unwrap());
        assert_eq!("-MOB".parse(), Ok(without.clone()));
        assert_eq!(without.to_string().parse(), Ok(without));
        let beyond = "+MOVES,+REPLIES,+LAST,+D4,+TRI,+C3x3D,+E2x4,+I3x3C,+M2x4,+R2C,+R3X,+R4I,+D8C,+D7C,+D6X,+D5B";
        assert_eq!(names(beyond).parse(), Ok(Features::all()));
        assert_eq!("X1".parse::<Features>(), Err(ParseFeaturesError::Unknown("X1".into())));
        assert_eq!("".parse::<Features>(), Err(ParseFeaturesError::Empty));
        assert_eq!("MOB,-MOB".parse::<Features>(), Err(ParseFeaturesError::Empty));
    }
}
