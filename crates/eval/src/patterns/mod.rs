//! The geometry behind the features: patterns as data, their places on the
//! board, what their configurations have in common, and mobility on lines.

mod groups;
mod indices;
pub(crate) mod instances;
mod mobility;
mod orbits;
mod pattern;

pub(crate) use groups::LANE_CENTRES;
pub use groups::{ENTRIES, GROUP_COUNT, GROUPS, Group, LANES};
pub use indices::Indices;
pub use mobility::LineMobility;
pub use orbits::{Orbits, Signed};
pub use pattern::{Line, PATTERNS, Pattern};
