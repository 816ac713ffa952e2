//! A finding in words.

use discern_experiment::paper::Conclusion;
use discern_experiment::{Claim, Finding, QualityGap};

use crate::numbers::{decimal, discs, factor_range};

/// What the paper claims, its figure, and ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wording {
    /// The claim in a few words.
    pub claim: String,
    /// The paper's figure.
    pub paper: String,
    /// Ours with its uncertainty.
    pub ours: String,
}

impl Wording {
    /// The words for a finding.
    pub fn of(finding: &Finding) -> Wording {
        let (claim, paper, ours) = words(&finding.claim);
        Wording { claim, paper, ours }
    }
}

fn words(claim: &Claim) -> (String, String, String) {
    match claim {
        Claim::Discrimination(QualityGap { models: [first, second], discordance }) => (
            format!("{first} separates won from lost positions better than {second}"),
            match (first.as_str(), second.as_str()) {
                ("LOG", "FISHER") => "LOG outperforms FISHER".to_owned(),
                _ => "quadratic terms discriminate no better".to_owned(),
            },
            format!(
                "{second} orders {} ± {} points more pairs of held-out positions wrongly",
                decimal(100.0 * discordance.value, 2),
                decimal(196.0 * discordance.standard_error, 2)
            ),
        ),
        Claim::EqualCovariances { discs: [first, last], median, least, most } => (
            "the covariances of won and lost positions are almost equal".to_owned(),
            "almost equal".to_owned(),
            format!(
                "they differ by {} % (median of {first} to {last} discs; {} to {} %)",
                decimal(100.0 * median, 0),
                decimal(100.0 * least, 0),
                decimal(100.0 * most, 0)
            ),
        ),
        Claim::Calibration { model, slack, off, bins, worst, discs: of } => (
            format!("{model}'s values are winning probabilities in every phase"),
            "values of different phases can be compared".to_owned(),
            format!(
                "{off} of {bins} bins are beyond doubt more than {} points off the diagonal; the \
                 worst is {} points off ({})",
                decimal(100.0 * slack, 0),
                decimal(100.0 * worst, 1),
                discs(*of)
            ),
        ),
        Claim::Slowdown { paper, ours } => {
            let fewer = |speed: f64| decimal(100.0 * (1.0 - speed), 0);
            let [low, high] = ours.relative_interval;
            (
                format!("the search is slower with {}", ours.model),
                format!("{} % fewer nodes a second", fewer(*paper)),
                format!(
                    "{} % fewer nodes a second ({} to {} %)",
                    fewer(ours.relative),
                    fewer(high),
                    fewer(low)
                ),
            )
        }
        Claim::Strength {
            players: [first, second],
            minutes: [a, b],
            conclusion,
            paper,
            ours,
            interval,
        } => (
            match conclusion {
                Conclusion::Stronger if a == b => format!("{first} is stronger than {second}"),
                Conclusion::Stronger => {
                    format!("{first} is stronger than {second} even at {a}–{b}")
                }
                Conclusion::Equal => format!("{first} and {second} are equal at {a}–{b}"),
            },
            format!("{} %", decimal(*paper, 1)),
            format!(
                "{} % ({} to {} %)",
                decimal(*ours, 1),
                decimal(interval[0], 1),
                decimal(interval[1], 1)
            ),
        ),
        Claim::TimeFactor(factor) => (
            format!("{} equals {} with more time", factor.weaker, factor.stronger),
            format!("factor {}", decimal(factor.paper, 2)),
            match factor.found {
                Some(found) => {
                    format!(
                        "factor {} ({})",
                        decimal(found.factor, 2),
                        factor_range(found.interval)
                    )
                }
                None => "the matches do not decide it".to_owned(),
            },
        ),
        Claim::BalancedOpenings {
            paper: [few, of],
            ours: [openings, all],
            interval: [low, high],
        } => (
            "few openings always lead to balanced pairs".to_owned(),
            format!("{few} of {of}"),
            format!(
                "{openings} of {all} ({} to {} %)",
                decimal(100.0 * low, 0),
                decimal(100.0 * high, 0)
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use discern_arena::stats::EqualStrength;
    use discern_experiment::{TimeFactor, Verdict};

    use super::*;

    fn worded(claim: Claim) -> Wording {
        Wording::of(&Finding { claim, verdict: Verdict::Open })
    }

    #[test]
    fn halves_are_rounded_as_in_the_paper() {
        let wording = worded(Claim::Strength {
            players: ["LOG", "QUAD"].map(str::to_owned),
            minutes: [30.0, 38.0],
            conclusion: Conclusion::Stronger,
            paper: 55.25,
            ours: 61.75,
            interval: [51.25, 59.25],
        });
        assert_eq!(wording.claim, "LOG is stronger than QUAD even at 30–38");
        assert_eq!(wording.paper, "55.3 %");
        assert_eq!(wording.ours, "61.8 % (51.3 to 59.3 %)");
    }

    #[test]
    fn a_factor_says_which_of_its_limits_are_known() {
        let ours = |interval: [Option<f64>; 2]| {
            let found = EqualStrength { factor: 1.4, interval, intercept: 0.1, slope: -0.3 };
            let (stronger, weaker) = ("LOG".to_owned(), "QUAD".to_owned());
            let factor = TimeFactor { stronger, weaker, paper: 1.5, found: Some(found) };
            worded(Claim::TimeFactor(factor)).ours
        };
        assert_eq!(ours([None, Some(2.0)]), "factor 1.40 (2.00 or less)");
        assert!(ours([None, None]).contains("no limits"));
    }
}
