use super::instances::Instances;
use super::pattern::PAPER_PATTERNS;
use super::{PATTERNS, Pattern};

/// Lookups that share a table: the instances of a pattern that no other
/// extends. The pattern it extends, and mobility if either is a line, are
/// functions of the same configuration and ride along.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// Number of the pattern.
    pub pattern: usize,
    /// The lane of its first instance. Each group begins at a multiple of
    /// [`QUAD`], so that its lookups can be added four by four.
    pub first_lane: usize,
    /// How many instances; lanes up to the next multiple of [`QUAD`] stay 0.
    pub lanes: usize,
    /// Where its table begins when the tables of all groups lie in a row.
    pub offset: usize,
}

impl Group {
    /// The pattern looked up.
    pub const fn pattern(&self) -> &'static Pattern {
        &PATTERNS[self.pattern]
    }

    /// The lane after its last instance.
    pub(super) const fn end(&self) -> usize {
        self.first_lane + self.lanes
    }

    /// The pattern and the one it extends.
    pub fn patterns(&self) -> impl Iterator<Item = usize> + use<> {
        [Some(self.pattern), self.pattern().extends].into_iter().flatten()
    }
}

/// Lanes are added up in quads of one group.
pub(crate) const QUAD: usize = 4;

/// Lanes of a 256-bit vector. The patterns beyond the paper's begin with a new
/// one, so that evaluators without them do without their vectors.
pub(super) const VECTOR: usize = 16;

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
    let (mut g, mut lane, mut offset, mut i) = (0, 0usize, 0, 0);
    while i < PATTERNS.len() {
        if i == PAPER_PATTERNS {
            lane = lane.next_multiple_of(VECTOR);
        }
        if !is_extended(i) {
            let lanes = Instances::of(&PATTERNS[i]).len;
            groups[g] = Group { pattern: i, first_lane: lane, lanes, offset };
            lane += lanes.next_multiple_of(QUAD);
            offset += PATTERNS[i].configurations();
            g += 1;
        }
        i += 1;
    }
    groups
};

/// Lanes of all lookups: one per instance of each group, and those that fill
/// quads and vectors with the empty pattern; evaluators take off what it is
/// worth.
pub const LANES: usize = {
    let last = GROUPS[GROUP_COUNT - 1];
    last.first_lane + last.lanes.next_multiple_of(QUAD)
};

/// How many groups the patterns of the paper's features have.
pub(crate) const PAPER_GROUPS: usize = {
    let mut count = 0;
    while count < GROUP_COUNT && GROUPS[count].pattern < PAPER_PATTERNS {
        count += 1;
    }
    count
};

/// The lanes of an evaluation that needs only the patterns of the paper's
/// features.
pub const PAPER_LANES: usize = {
    let last = GROUPS[PAPER_GROUPS - 1];
    last.first_lane + last.lanes.next_multiple_of(QUAD)
};

/// The first lane of the widest evaluators, at a whole vector: the squares of
/// every group before it belong to one behind, whose configurations tell its
/// own.
pub(crate) const WIDE_START: usize = {
    let mut g = 0;
    while g < GROUP_COUNT && carrier(GROUPS[g].pattern).is_some() {
        g += 1;
    }
    GROUPS[g].first_lane / VECTOR * VECTOR
};

/// The first group that is no group of this pattern and has all of its squares.
pub(super) const fn carrier(pattern: usize) -> Option<usize> {
    let squares = PATTERNS[pattern].set();
    let mut g = 0;
    while g < GROUP_COUNT {
        let other = GROUPS[g].pattern;
        if other != pattern && squares & !PATTERNS[other].set() == 0 {
            return Some(g);
        }
        g += 1;
    }
    None
}

/// Entries of the tables of the paper's groups in a row.
pub(crate) const PAPER_ENTRIES: usize = {
    let last = GROUPS[PAPER_GROUPS - 1];
    last.offset + last.pattern().configurations()
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

/// For each quad of lanes its group; those that only fill a vector belong to
/// the group before them.
pub(crate) const GROUP_OF_QUAD: [usize; LANES / QUAD] = {
    let mut groups = [0; LANES / QUAD];
    let (mut g, mut quad) = (0, 0);
    while quad < LANES / QUAD {
        if g + 1 < GROUP_COUNT && GROUPS[g + 1].first_lane <= QUAD * quad {
            g += 1;
        }
        groups[quad] = g;
        quad += 1;
    }
    groups
};

/// For each quad the entry of the empty pattern in the tables in a row.
pub(crate) const CENTRE_OF_QUAD: [usize; LANES / QUAD] = {
    let mut centres = [0; LANES / QUAD];
    let mut quad = 0;
    while quad < LANES / QUAD {
        let group = GROUPS[GROUP_OF_QUAD[quad]];
        centres[quad] = group.offset + group.pattern().centre();
        quad += 1;
    }
    centres
};
