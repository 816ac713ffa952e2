//! The geometry behind the features: patterns as data, their places on the
//! board, what their configurations have in common, and mobility on lines.

mod groups;
mod indices;
mod instances;
mod mobility;
mod occurrences;
mod orbits;
mod parts;
mod pattern;

pub(crate) use groups::{
    CENTRE_OF_QUAD, GROUP_OF_QUAD, PAPER_ENTRIES, PAPER_GROUPS, QUAD, WIDE_START,
};
pub use groups::{ENTRIES, GROUP_COUNT, GROUPS, Group, LANES, PAPER_LANES};
pub use indices::{AllIndices, Indices, Lanes, NARROW, WIDE, WideIndices};
pub(crate) use instances::configurations;
pub use mobility::LineMobility;
pub use occurrences::Occurrence;
pub(crate) use occurrences::mobility_table;
pub use orbits::{Orbits, Signed};
pub(crate) use pattern::PAPER_PATTERNS;
pub use pattern::{Line, PATTERNS, Pattern};
