//! What the paper says against what we found, judged by the intervals alone.

use discern_arena::stats::holm;
use discern_stats::{Measured, Reference, share_interval};
use serde::{Deserialize, Serialize};

use crate::diagonal::{Judged, SLACK};
use crate::paper::{self, Conclusion, TABLE};
use crate::{
    HeldOut, MatchRow, PhaseFit, QualityGap, Reproduction, SingleDiscs, Speed, TimeFactor,
};

/// Class covariances that differ by less count as almost equal; by more than
/// the second, as different.
const ALMOST_EQUAL: f64 = 0.10;
const DIFFERENT: f64 = 0.25;
/// Disc counts at which covariances are compared: later ones are separated by
/// the discs themselves, earlier ones have few positions.
const COVARIANCE_DISCS: std::ops::RangeInclusive<usize> = 14..=50;
/// How far from the paper's "about 20 %" a speed may be and still agree.
const SPEED_SLACK: f64 = 0.05;
/// Two players whose percentage is no further from 50 than this are equal for
/// all that matters in practice: the margin of equivalence. Fixed before any game
/// was played.
pub const EQUIVALENCE_MARGIN: f64 = 5.0;

/// A claim of the paper against our numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The claim, with the paper's figure and ours.
    pub claim: Claim,
    /// Does it hold here?
    pub verdict: Verdict,
}

/// Does our result agree with the paper's?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It does.
    Agrees,
    /// It does not, beyond the uncertainty.
    Differs,
    /// The uncertainty is larger than the difference that matters.
    Open,
}

impl Verdict {
    /// The verdict in one word, as in `numbers.json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Open => "open",
        }
    }
}

/// A claim, with the paper's figure and ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The first of two models orders won and lost positions better.
    Discrimination(QualityGap),
    /// The covariances of won and lost positions are almost equal.
    EqualCovariances {
        /// First and last disc count.
        discs: [usize; 2],
        /// Relative difference: the median of these disc counts.
        median: f64,
        /// The least one.
        least: f64,
        /// The greatest one.
        most: f64,
    },
    /// The values of a model are winning probabilities in every phase.
    Calibration {
        /// The model.
        model: String,
        /// How far from the diagonal a bin may lie.
        slack: f64,
        /// Bins that lie further beyond doubt.
        off: usize,
        /// Bins judged.
        bins: usize,
        /// How far the worst one lies off.
        worst: f64,
        /// Its disc counts.
        discs: [usize; 2],
    },
    /// The search is slower with a model.
    Slowdown {
        /// The paper's nodes a second over LOG's.
        paper: f64,
        /// Ours.
        ours: Speed,
    },
    /// A row of Table 1.
    Strength {
        /// The two models.
        players: [String; 2],
        /// The paper's minutes.
        minutes: [f64; 2],
        /// What the paper concludes.
        conclusion: Conclusion,
        /// The paper's percentage.
        paper: f64,
        /// Ours.
        ours: f64,
        /// Its interval.
        interval: [f64; 2],
    },
    /// The weaker model equals the stronger one with more time.
    TimeFactor(TimeFactor),
    /// Few openings always lead to balanced pairs.
    BalancedOpenings {
        /// The paper's, of how many.
        paper: [usize; 2],
        /// Ours, of how many.
        ours: [usize; 2],
        /// Interval of our share.
        interval: [f64; 2],
    },
}

/// All findings, in the order of the story.
pub fn findings(found: &Reproduction) -> Vec<Finding> {
    let mut findings: Vec<Finding> = found.quality.gaps.iter().map(discrimination).collect();
    findings.extend(covariances(&found.fits));
    findings.extend(calibration(&found.quality));
    // The first model is the yardstick of speed, the last one the slow one.
    findings.extend(found.speed.get(1..).and_then(<[Speed]>::last).map(slowdown));
    let rows = found.table.iter().zip(&TABLE);
    findings.extend(rows.map(|(row, paper)| strength(row, paper.conclusion)));
    findings.extend(found.equal_strength.iter().map(time_factor));
    findings.push(balanced(found.balanced_openings, found.run.openings));
    findings
}

/// A claim that one model is better than another, with its p-value alone and
/// after Holm's correction for all such claims of the run together.
#[derive(Debug, Clone, PartialEq)]
pub struct Superiority {
    /// The better one and the other, with the minutes if it is a match.
    pub claim: String,
    /// Two-sided p-value of no difference.
    pub p: f64,
    /// After Holm's correction.
    pub holm: f64,
}

/// All claims of superiority of a reproduction: the more of them, the likelier
/// is one of them by chance.
pub fn superiorities(found: &Reproduction) -> Vec<Superiority> {
    let mut claims: Vec<(String, f64)> = Vec::new();
    for QualityGap { models: [first, second], discordance } in &found.quality.gaps {
        let z = discordance.value / discordance.standard_error;
        let p = if z.is_nan() { 1.0 } else { Reference::Normal.p_value(z) };
        claims.push((format!("{first} orders positions better than {second}"), p));
    }
    for (row, paper) in found.table.iter().zip(&TABLE) {
        if paper.conclusion == Conclusion::Stronger {
            let ([first, second], [a, b]) = (&row.players, row.minutes);
            claims.push((format!("{first} beats {second} at {a}–{b}"), row.ours.label_swap));
        }
    }
    let corrected = holm(&claims.iter().map(|(_, p)| *p).collect::<Vec<_>>());
    let claims = claims.into_iter().zip(corrected);
    claims.map(|((claim, p), holm)| Superiority { claim, p, holm }).collect()
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
    let Measured { value, standard_error } = gap.discordance;
    let error = 1.96 * standard_error;
    let verdict = above_zero(value - error, value + error);
    Finding { claim: Claim::Discrimination(gap.clone()), verdict }
}

fn covariances(fits: &[PhaseFit]) -> Option<Finding> {
    let mut differences: Vec<f64> = fits
        .iter()
        .filter(|fit| COVARIANCE_DISCS.contains(&fit.discs))
        .filter_map(|fit| fit.covariances.as_ref())
        .map(|covariances| covariances.relative_difference)
        .collect();
    differences.sort_by(f64::total_cmp);
    let (least, most) = (*differences.first()?, *differences.last()?);
    let median = differences[differences.len() / 2];
    let discs = [*COVARIANCE_DISCS.start(), *COVARIANCE_DISCS.end()];
    Some(Finding {
        claim: Claim::EqualCovariances { discs, median, least, most },
        verdict: match median {
            _ if median < ALMOST_EQUAL => Verdict::Agrees,
            _ if median > DIFFERENT => Verdict::Differs,
            _ => Verdict::Open,
        },
    })
}

/// Of the first model, whose values the paper compares across phases: by single
/// disc counts, or by ranges where an older program recorded only those.
fn calibration(held_out: &HeldOut) -> Option<Finding> {
    let (model, off, bins, worst, discs) = match held_out.singles.first() {
        Some(SingleDiscs { model, own, .. }) if own.bins > 0 => {
            (model, own.off, own.bins, own.worst, [own.worst_discs; 2])
        }
        _ => {
            let quality = &held_out.models.first()?.quality;
            let mut judged = Judged::default();
            for phase in &quality.phases {
                let discs = [*phase.discs.start(), *phase.discs.end()];
                judged.add(discs, phase.metrics.rows, &phase.calibration);
            }
            let (worst, discs) = judged.worst?;
            (&quality.name, judged.off, judged.bins, worst, discs)
        }
    };
    let model = model.clone();
    Some(Finding {
        claim: Claim::Calibration { model, slack: SLACK, off, bins, worst, discs },
        verdict: if off == 0 { Verdict::Agrees } else { Verdict::Differs },
    })
}

fn slowdown(ours: &Speed) -> Finding {
    let [low, high] = ours.relative_interval;
    let (least, most) = (paper::QUAD_SPEED - SPEED_SLACK, paper::QUAD_SPEED + SPEED_SLACK);
    Finding {
        claim: Claim::Slowdown { paper: paper::QUAD_SPEED, ours: ours.clone() },
        verdict: match () {
            () if low > most || high < least => Verdict::Differs,
            () if low >= least && high <= most => Verdict::Agrees,
            () => Verdict::Open,
        },
    }
}

fn strength(row: &MatchRow, conclusion: Conclusion) -> Finding {
    let interval = row.percentage_interval();
    Finding {
        claim: Claim::Strength {
            players: row.players.clone(),
            minutes: row.minutes,
            conclusion,
            paper: row.paper.percentage(),
            ours: row.ours.percentage(),
            interval,
        },
        verdict: verdict_on_strength(interval, conclusion),
    }
}

fn verdict_on_strength([low, high]: [f64; 2], conclusion: Conclusion) -> Verdict {
    match conclusion {
        Conclusion::Stronger => above_zero(low - 50.0, high - 50.0),
        // Two one-sided tests: the interval lies within the margin, or beyond it.
        Conclusion::Equal => {
            let (least, most) = (50.0 - EQUIVALENCE_MARGIN, 50.0 + EQUIVALENCE_MARGIN);
            match () {
                () if low >= least && high <= most => Verdict::Agrees,
                () if low > most || high < least => Verdict::Differs,
                () => Verdict::Open,
            }
        }
    }
}

fn time_factor(factor: &TimeFactor) -> Finding {
    let [low, high] = factor.found.map_or([None, None], |found| found.interval);
    let outside =
        low.is_some_and(|low| factor.paper < low) || high.is_some_and(|high| factor.paper > high);
    Finding {
        claim: Claim::TimeFactor(factor.clone()),
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
        claim: Claim::BalancedOpenings {
            paper: [paper::BALANCED_OPENINGS, paper::OPENINGS],
            ours: [openings, all],
            interval: [low, high],
        },
        verdict: if (low..=high).contains(&paper) { Verdict::Agrees } else { Verdict::Differs },
    }
}

#[cfg(test)]
mod tests {
    use discern_arena::stats::EqualStrength;

    use super::*;

    #[test]
    fn a_match_agrees_differs_or_leaves_the_question_open() {
        for (interval, conclusion, expected) in [
            ([51.0, 60.0], Conclusion::Stronger, Verdict::Agrees),
            ([48.0, 60.0], Conclusion::Stronger, Verdict::Open),
            ([40.0, 49.0], Conclusion::Stronger, Verdict::Differs),
            ([46.0, 53.0], Conclusion::Equal, Verdict::Agrees),
            ([51.0, 54.0], Conclusion::Equal, Verdict::Agrees),
            ([44.0, 56.0], Conclusion::Equal, Verdict::Open),
            ([51.0, 56.0], Conclusion::Equal, Verdict::Open),
            ([56.0, 60.0], Conclusion::Equal, Verdict::Differs),
        ] {
            assert_eq!(verdict_on_strength(interval, conclusion), expected, "{interval:?}");
        }
    }

    #[test]
    fn a_factor_agrees_only_if_it_is_bounded() {
        let verdict = |interval: [Option<f64>; 2]| {
            let found = EqualStrength { factor: 1.4, interval, intercept: 0.1, slope: -0.3 };
            let (stronger, weaker) = ("LOG".to_owned(), "QUAD".to_owned());
            time_factor(&TimeFactor { stronger, weaker, paper: 1.5, found: Some(found) }).verdict
        };
        assert_eq!(verdict([Some(1.1), Some(1.9)]), Verdict::Agrees);
        assert_eq!(verdict([Some(1.1), None]), Verdict::Open);
        assert_eq!(verdict([Some(1.6), None]), Verdict::Differs);
        assert_eq!(verdict([None, None]), Verdict::Open);
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
