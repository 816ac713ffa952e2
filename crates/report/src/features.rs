//! What the features are called and where on the board they look.

use discern_eval::Feature;
use discern_eval::patterns::PATTERNS;

/// A title for a short name; a name we do not know is its own title.
pub(crate) fn title(name: &str) -> &str {
    match name {
        "(intercept)" => "Constant",
        "MOB" => "Mobility",
        "PMOB" => "Potential mobility",
        "R1" => "Edge",
        "R2" => "Second line",
        "R3" => "Third line",
        "R4" => "Fourth line",
        "D8" => "Diagonal of 8",
        "D7" => "Diagonal of 7",
        "D6" => "Diagonal of 6",
        "D5" => "Diagonal of 5",
        "C2x4" => "Corner 2 × 4",
        "C2x5" => "Corner 2 × 5",
        "E2X" => "Edge and X squares",
        other => other,
    }
}

/// `Edge (R1)`, or the bare name if there is no other.
pub(crate) fn title_and_name(name: &str) -> String {
    match title(name) {
        same if same == name => name.to_string(),
        title if name == "(intercept)" => title.to_string(),
        title => format!("{title} ({name})"),
    }
}

/// The squares of one instance as (column, row) from 0; none for mobility.
pub(crate) fn squares(name: &str) -> Vec<(usize, usize)> {
    let feature = Feature::ALL.into_iter().find(|feature| feature.name() == name);
    let Some(pattern) = feature.and_then(Feature::pattern) else { return Vec::new() };
    PATTERNS[pattern].squares.iter().map(|square| (square.column(), square.row())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_of_the_program_has_a_title() {
        for feature in Feature::ALL {
            assert_ne!(title(feature.name()), feature.name());
        }
        assert_eq!(title_and_name("R1"), "Edge (R1)");
        assert_eq!(title_and_name("(intercept)"), "Constant");
        assert_eq!(title_and_name("height"), "height");
    }

    #[test]
    fn patterns_lie_where_the_program_puts_them() {
        assert_eq!(squares("D5"), [(3, 0), (4, 1), (5, 2), (6, 3), (7, 4)]);
        assert!(squares("MOB").is_empty());
        assert!(squares("height").is_empty());
    }
}
