//! The sections of the report, one file each, in the order of the story.

mod agreement;
pub(crate) mod calibration;
mod covariances;
mod densities;
mod discordance;
mod equal_strength;
mod findings;
mod matches;
mod opening;
mod positions;
mod quadratic;
mod run;
mod short;
pub(crate) mod shorter;
mod speed;
mod story;
pub(crate) mod study;
mod weights;
mod winning_curve;

use discern_experiment::Reproduction;

use crate::page::Section;

pub use opening::facts;
pub(crate) use opening::opening;

/// Every section in order.
pub(crate) const ALL: [fn(&Reproduction) -> Section; 16] = [
    short::section,
    story::section,
    positions::section,
    densities::section,
    winning_curve::section,
    weights::section,
    covariances::section,
    quadratic::section,
    calibration::section,
    discordance::section,
    agreement::section,
    speed::section,
    matches::section,
    equal_strength::section,
    findings::section,
    run::section,
];
