use serde::{Deserialize, Serialize};

use crate::build::Build;
use crate::fingerprint::Fingerprint;

/// Says that a shard is whole and which one it is. It is written after the
/// shard's games: games without a valid seal do not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seal {
    /// Format and version.
    pub format: String,
    /// The plan.
    pub plan: Fingerprint,
    /// The build that made it.
    pub build: Build,
    /// Which shard, from 0.
    pub shard: u32,
    /// Of how many.
    pub shards: u32,
    /// Games in it.
    pub games: u64,
    /// Size of the archive.
    pub bytes: u64,
    /// Its content.
    pub blake3: Fingerprint,
}

impl Seal {
    pub(crate) const FORMAT: &'static str = "discern shard 2";
}
