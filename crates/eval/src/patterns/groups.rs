use super::instances::Instances;
use super::{PATTERNS, Pattern};

/// Lookups that share a table: the instances of a pattern that no other
/// extends. The pattern it extends, and mobility if either is a line, are
/// functions of the same configuration and ride along.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Number of the pattern.
    pub pattern: usize,
    /// The lane of its first instance.
    pub first_lane: usize,
    /// How many instances.
    pub lanes: usize,
    /// Where its table begins when the tables of all groups lie in a row.
    pub offset: usize,
}

impl Group {
    /// The pattern looked up.
    pub const fn pattern(&self) -> &'static Pattern {
        &PATTERNS[self.pattern]
    }

    /// The pattern and the one it extends.
    pub fn patterns(&self) -> impl Iterator<Item = usize> + use<> {
        [Some(self.pattern), self.pattern().extends].into_iter().flatten()
    }
}

/// How many groups of lookups there are.
pub const GROUP_COUNT: usize = {
    let (mut count, mut i) = (0, 0);
    while i < PATTERNS.len() {
        count += !is_extended(i) as usize;
        i += 1;
    }
    count
};

/// All groups, in the order of their patterns.
pub const GROUPS: [Group; GROUP_COUNT] = {
    let mut groups = [Group { pattern: 0, first_lane: 0, lanes: 0, offset: 0 }; GROUP_COUNT];
    let (mut g, mut lane, mut offset, mut i) = (0, 0, 0, 0);
    while i < PATTERNS.len() {
        if !is_extended(i) {
            let lanes = Instances::of(&PATTERNS[i]).len;
            groups[g] = Group { pattern: i, first_lane: lane, lanes, offset };
            lane += lanes;
            offset += PATTERNS[i].configurations();
            g += 1;
        }
        i += 1;
    }
    groups
};

/// Lookups of an evaluation: one per instance of each group.
pub const LANES: usize = {
    let last = GROUPS[GROUP_COUNT - 1];
    last.first_lane + last.lanes
};

/// Entries of the tables of all groups in a row.
pub const ENTRIES: usize = {
    let last = GROUPS[GROUP_COUNT - 1];
    last.offset + last.pattern().configurations()
};

/// Does another pattern extend this one?
const fn is_extended(pattern: usize) -> bool {
    let mut i = 0;
    while i < PATTERNS.len() {
        match PATTERNS[i].extends {
            Some(base) if base == pattern => return true,
            _ => i += 1,
        }
    }
    false
}

/// For each lane, the entry of the empty pattern in the tables in a row.
pub(crate) const LANE_CENTRES: [usize; LANES] = {
    let mut centres = [0; LANES];
    let mut g = 0;
    while g < GROUP_COUNT {
        let mut i = 0;
        while i < GROUPS[g].lanes {
            centres[GROUPS[g].first_lane + i] = GROUPS[g].offset + GROUPS[g].pattern().centre();
            i += 1;
        }
        g += 1;
    }
    centres
};
