//! What the paper says against what we found, judged by the intervals alone.

use discern_report::reproduction::{
    EqualStrength, Finding, MatchRow, PhaseFit, Quality, QualityGap, Reproduction, Speed, Verdict,
};
use discern_report::{decimal, factor_range};
use discern_stats::share_interval;

use super::paper::{self, Claim, TABLE};

/// Class covariances that differ by less count as almost equal; by more than
/// the second, as different.
const ALMOST_EQUAL: f64 = 0.10;
const DIFFERENT: f64 = 0.25;
/// Disc counts at which covariances are compared: later ones are separated by
/// the discs themselves, earlier ones have few positions.
const COVARIANCE_DISCS: std::ops::RangeInclusive<usize> = 14..=50;
/// How far from the paper's "about 20 %" a speed may be and still agree.
const SPEED_SLACK: f64 = 0.05;
/// An interval of a percentage that reaches further from 50 leaves the
/// question of equality open.
const EQUAL_SLACK: f64 = 10.0;
/// A calibrated bin is no further from the diagonal than this.
const CALIBRATION_SLACK: f64 = 0.05;
/// Bins with a smaller share of their phase's positions, or with fewer of
/// them, are not judged.
const LEAST_SHARE: f64 = 0.01;
const LEAST_POSITIONS: f64 = 100.0;

/// All findings, in the order of the story.
pub fn findings(found: &Reproduction) -> Vec<Finding> {
    let mut findings: Vec<Finding> = found.quality.gaps.iter().map(discrimination).collect();
    findings.extend(covariances(&found.fits));
    findings.extend(calibration(&found.quality));
    findings.extend(found.speed.iter().find(|speed| speed.model == "QUAD").map(slowdown));
    findings.extend(found.table.iter().zip(&TABLE).map(|(row, paper)| strength(row, paper.claim)));
    findings.extend(found.equal_strength.iter().map(time_factor));
    findings.push(balanced(found.balanced_openings, found.run.openings));
    findings
}

/// A difference that should be above 0.
fn above_zero(low: f64, high: f64) -> Verdict {
    match () {
        () if low > 0.0 => Verdict::Agrees,
        () if high < 0.0 => Verdict::Differs,
        () => Verdict::Open,
    }
}

fn discrimination(gap: &QualityGap) -> Finding {
    let [first, second] = &gap.models;
    let (value, error) = (gap.discordance.value, 1.96 * gap.discordance.standard_error);
    Finding {
        claim: format!("{first} tells won from lost positions better than {second}"),
        paper: match (first.as_str(), second.as_str()) {
            ("LOG", "FISHER") => "LOG outperforms FISHER".to_owned(),
            _ => "quadratic terms discriminate no better".to_owned(),
        },
        ours: format!(
            "{second} orders {} ± {} points more pairs of held-out positions wrongly",
            decimal(100.0 * value, 2),
            decimal(100.0 * error, 2)
        ),
        verdict: above_zero(value - error, value + error),
    }
}

fn covariances(fits: &[PhaseFit]) -> Option<Finding> {
    let mut differences: Vec<f64> = fits
        .iter()
        .filter(|fit| COVARIANCE_DISCS.contains(&fit.discs))
        .filter_map(|fit| fit.covariances.as_ref())
        .map(|covariances| covariances.relative_difference)
        .collect();
    differences.sort_by(f64::total_cmp);
    let (first, last) = (*differences.first()?, *differences.last()?);
    let median = differences[differences.len() / 2];
    Some(Finding {
        claim: "the covariances of won and lost positions are almost equal".to_owned(),
        paper: "almost equal".to_owned(),
        ours: format!(
            "they differ by {} % (median of {} to {} discs; {} to {} %)",
            decimal(100.0 * median, 0),
            COVARIANCE_DISCS.start(),
            COVARIANCE_DISCS.end(),
            decimal(100.0 * first, 0),
            decimal(100.0 * last, 0)
        ),
        verdict: match median {
            _ if median < ALMOST_EQUAL => Verdict::Agrees,
            _ if median > DIFFERENT => Verdict::Differs,
            _ => Verdict::Open,
        },
    })
}

fn calibration(quality: &Quality) -> Option<Finding> {
    let log = quality.models.iter().find(|model| model.model == "LOG")?;
    let (mut bins, mut off) = (0, 0);
    let mut worst: Option<(f64, [usize; 2])> = None;
    for phase in &log.phases {
        let least = LEAST_POSITIONS.max(LEAST_SHARE * phase.positions as f64);
        for bin in phase.calibration.iter().filter(|bin| bin.positions >= least) {
            bins += 1;
            let [low, high] = bin.interval;
            let beyond =
                low > bin.predicted + CALIBRATION_SLACK || high < bin.predicted - CALIBRATION_SLACK;
            off += usize::from(beyond);
            let distance = (bin.observed - bin.predicted).abs();
            if worst.is_none_or(|(most, _)| distance > most) {
                worst = Some((distance, phase.discs));
            }
        }
    }
    let (distance, [first, last]) = worst?;
    Some(Finding {
        claim: "LOG's values are winning probabilities in every phase".to_owned(),
        paper: "values of different phases can be compared".to_owned(),
        ours: format!(
            "{off} of {bins} bins are beyond doubt more than {} points off the diagonal; the worst \
             is {} points off ({first}–{last} discs)",
            decimal(100.0 * CALIBRATION_SLACK, 0),
            decimal(100.0 * distance, 1)
        ),
        verdict: if off == 0 { Verdict::Agrees } else { Verdict::Differs },
    })
}

fn slowdown(quad: &Speed) -> Finding {
    let [low, high] = quad.relative_interval;
    let (least, most) = (paper::QUAD_SPEED - SPEED_SLACK, paper::QUAD_SPEED + SPEED_SLACK);
    let fewer = |speed: f64| decimal(100.0 * (1.0 - speed), 0);
    Finding {
        claim: "the search is slower with QUAD".to_owned(),
        paper: format!("{} % fewer nodes a second", fewer(paper::QUAD_SPEED)),
        ours: format!(
            "{} % fewer nodes a second ({} to {} %)",
            fewer(quad.relative),
            fewer(high),
            fewer(low)
        ),
        verdict: match () {
            () if low > most || high < least => Verdict::Differs,
            () if low >= least && high <= most => Verdict::Agrees,
            () => Verdict::Open,
        },
    }
}

fn strength(row: &MatchRow, claim: Claim) -> Finding {
    let ([first, second], [a, b], [low, high]) = (&row.players, row.minutes, row.interval);
    let text = match claim {
        Claim::Stronger if a == b => format!("{first} is stronger than {second}"),
        Claim::Stronger => format!("{first} is stronger than {second} even at {a}–{b}"),
        Claim::Equal => format!("{first} and {second} are equal at {a}–{b}"),
    };
    Finding {
        claim: text,
        paper: format!("{} %", decimal(row.paper.percentage, 1)),
        ours: format!(
            "{} % ({} to {} %)",
            decimal(row.ours.percentage, 1),
            decimal(low, 1),
            decimal(high, 1)
        ),
        verdict: match claim {
            Claim::Stronger => above_zero(low - 50.0, high - 50.0),
            Claim::Equal if low > 50.0 || high < 50.0 => Verdict::Differs,
            Claim::Equal if low >= 50.0 - EQUAL_SLACK && high <= 50.0 + EQUAL_SLACK => {
                Verdict::Agrees
            }
            Claim::Equal => Verdict::Open,
        },
    }
}

fn time_factor(equal: &EqualStrength) -> Finding {
    let [low, high] = equal.interval;
    let outside =
        low.is_some_and(|low| equal.paper < low) || high.is_some_and(|high| equal.paper > high);
    Finding {
        claim: format!("{} equals {} with more time", equal.weaker, equal.stronger),
        paper: format!("factor {}", decimal(equal.paper, 2)),
        ours: match equal.factor {
            Some(factor) => {
                format!("factor {} ({})", decimal(factor, 2), factor_range(equal.interval))
            }
            None => "the matches do not tell".to_owned(),
        },
        verdict: match () {
            () if outside => Verdict::Differs,
            () if low.is_some() && high.is_some() => Verdict::Agrees,
            () => Verdict::Open,
        },
    }
}

fn balanced(openings: usize, all: usize) -> Finding {
    let (low, high) = share_interval(openings as f64 / all as f64, all as f64, 0.95);
    let paper = paper::BALANCED_OPENINGS as f64 / paper::OPENINGS as f64;
    Finding {
        claim: "few openings always lead to balanced pairs".to_owned(),
        paper: format!("{} of {}", paper::BALANCED_OPENINGS, paper::OPENINGS),
        ours: format!(
            "{openings} of {all} ({} to {} %)",
            decimal(100.0 * low, 0),
            decimal(100.0 * high, 0)
        ),
        verdict: if (low..=high).contains(&paper) { Verdict::Agrees } else { Verdict::Differs },
    }
}

#[cfg(test)]
mod tests {
    use discern_report::reproduction::{Measured, Tally};

    use super::*;

    fn row(interval: [f64; 2]) -> MatchRow {
        let tally = Tally { wins: 0, draws: 0, losses: 0, percentage: 55.0 };
        MatchRow {
            players: ["LOG", "QUAD"].map(str::to_owned),
            minutes: [30.0, 38.0],
            seconds: [1.0, 1.3],
            paper: tally,
            ours: tally,
            interval,
            p_conservative: 1.0,
            p_paired: 1.0,
            pentanomial: [0; 5],
            balanced_pairs: 0,
            elo: 0.0,
            elo_error: 0.0,
            margin: 0.0,
            nodes_per_game: [0.0; 2],
            depth: [0.0; 2],
            time_losses: [0; 2],
        }
    }

    #[test]
    fn a_match_agrees_differs_or_leaves_the_question_open() {
        for (interval, claim, expected) in [
            ([51.0, 60.0], Claim::Stronger, Verdict::Agrees),
            ([48.0, 60.0], Claim::Stronger, Verdict::Open),
            ([40.0, 49.0], Claim::Stronger, Verdict::Differs),
            ([44.0, 56.0], Claim::Equal, Verdict::Agrees),
            ([30.0, 56.0], Claim::Equal, Verdict::Open),
            ([51.0, 56.0], Claim::Equal, Verdict::Differs),
        ] {
            assert_eq!(strength(&row(interval), claim).verdict, expected, "{interval:?}");
        }
    }

    #[test]
    fn halves_are_rounded_as_in_the_paper() {
        let mut row = row([51.25, 59.25]);
        (row.paper.percentage, row.ours.percentage) = (55.25, 61.75);
        let finding = strength(&row, Claim::Stronger);
        assert_eq!(finding.paper, "55.3 %");
        assert_eq!(finding.ours, "61.8 % (51.3 to 59.3 %)");
    }

    #[test]
    fn a_factor_agrees_only_if_it_is_bounded() {
        let equal = |interval: [Option<f64>; 2]| EqualStrength {
            stronger: "LOG".to_owned(),
            weaker: "QUAD".to_owned(),
            paper: 1.5,
            factor: Some(1.4),
            interval,
            points: Vec::new(),
            curve: Vec::new(),
        };
        assert_eq!(time_factor(&equal([Some(1.1), Some(1.9)])).verdict, Verdict::Agrees);
        assert_eq!(time_factor(&equal([Some(1.1), None])).verdict, Verdict::Open);
        assert_eq!(time_factor(&equal([Some(1.6), None])).verdict, Verdict::Differs);
        assert_eq!(time_factor(&equal([None, Some(2.0)])).ours, "factor 1.40 (2.00 or less)");
        let unknown = time_factor(&equal([None, None]));
        assert_eq!(unknown.verdict, Verdict::Open);
        assert!(unknown.ours.contains("no limits"), "{}", unknown.ours);
    }

    #[test]
    fn a_gap_is_judged_by_its_interval() {
        let gap = |value: f64| QualityGap {
            models: ["LOG", "FISHER"].map(str::to_owned),
            discordance: Measured { value, standard_error: 0.001 },
        };
        let verdicts = [0.003, 0.001, -0.003].map(|value| discrimination(&gap(value)).verdict);
        assert_eq!(verdicts, [Verdict::Agrees, Verdict::Open, Verdict::Differs]);
    }

    #[test]
    fn a_speed_within_the_paper_s_rounding_agrees() {
        let speed = |relative_interval| Speed {
            model: "QUAD".to_owned(),
            nodes_per_second: 1.0,
            relative: 0.8,
            relative_interval,
        };
        assert_eq!(slowdown(&speed([0.77, 0.82])).verdict, Verdict::Agrees);
        assert_eq!(slowdown(&speed([0.70, 0.82])).verdict, Verdict::Open);
        assert_eq!(slowdown(&speed([0.86, 0.92])).verdict, Verdict::Differs);
    }

    #[test]
    fn six_of_a_hundred_openings_agree_and_forty_do_not() {
        assert_eq!(balanced(6, 100).verdict, Verdict::Agrees);
        assert_eq!(balanced(40, 100).verdict, Verdict::Differs);
    }
}
