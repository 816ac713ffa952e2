//! One table entry per lane: the inner loop of the fast evaluators.

use std::fmt::Debug;
use std::ops::Add;

use crate::patterns::{CENTRE_OF_QUAD, ENTRIES, GROUP_OF_QUAD, GROUPS, Group, LANES, Lanes, QUAD};

/// Room before and after the entries: wherever a lane's 16 bits point, it is
/// inside, so that the compiler needs no checks. Nobody ever touches it.
const MARGIN: usize = 1 << 15;

/// Quads of lanes.
pub(super) const QUADS: usize = LANES / QUAD;
const _: () = assert!(QUADS <= 24, "write out further quads in `Entries::sums`");

/// Is a quad looked up among the lanes from `start` to `end`? Not if it only
/// fills a vector.
const fn counts(quad: usize, start: usize, end: usize) -> bool {
    let (group, lane) = (GROUPS[GROUP_OF_QUAD[quad]], QUAD * quad);
    start <= lane && lane < end && lane < group.first_lane + group.lanes
}

/// The tables of all groups in a row.
#[derive(Debug, Clone)]
pub(super) struct Entries<T>(Box<[T; MARGIN + ENTRIES + MARGIN]>);

impl<T: Copy + Default + Debug> Entries<T> {
    /// Takes one entry for every configuration of the first groups, as many as
    /// there are.
    pub(super) fn new(entries: &[T]) -> Entries<T> {
        let mut all = vec![T::default(); MARGIN + ENTRIES + MARGIN];
        all[MARGIN..][..entries.len()].copy_from_slice(entries);
        Entries(all.into_boxed_slice().try_into().expect("entries and margins"))
    }

    /// The sum of the entries of each quad of lanes. The quads are written
    /// out, so that the place of each one's table is a constant: a loop took
    /// twice the instructions.
    #[inline(always)]
    pub(super) fn sums<S, const START: usize, const WIDTH: usize>(
        &self,
        indices: &Lanes<START, WIDTH>,
    ) -> [S; QUADS]
    where
        S: From<T> + Add<Output = S> + Copy + Default,
    {
        let mut sums = [S::default(); QUADS];
        macro_rules! written_out {
            ($($quad:literal)*) => {
                $(if const { $quad < QUADS && counts($quad % QUADS, START, START + WIDTH) } {
                    sums[$quad % QUADS] = self.sum(indices, $quad % QUADS);
                })*
            };
        }
        written_out!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23);
        sums
    }

    /// What lanes that only fill a quad up add to the sums from lane `start` to
    /// `end`: each reads the entry of its pattern without discs.
    pub(super) fn filling(&self, start: usize, end: usize) -> i32
    where
        i32: From<T>,
    {
        let of_group = |group: &Group| {
            let spare = group.lanes.next_multiple_of(QUAD) - group.lanes;
            let centre = MARGIN + CENTRE_OF_QUAD[group.first_lane / QUAD];
            spare as i32 * i32::from(self.0[centre])
        };
        let counted = |group: &&Group| counts(group.first_lane / QUAD, start, end);
        GROUPS.iter().filter(counted).map(of_group).sum()
    }

    #[inline(always)]
    fn sum<S: From<T> + Add<Output = S>, const START: usize, const WIDTH: usize>(
        &self,
        indices: &Lanes<START, WIDTH>,
        quad: usize,
    ) -> S {
        let lanes = &indices.lanes()[QUAD * quad - START..][..QUAD];
        let centre = MARGIN + CENTRE_OF_QUAD[quad];
        let entry = |lane: i16| S::from(self.0[centre.wrapping_add_signed(lane.into())]);
        entry(lanes[0]) + entry(lanes[1]) + entry(lanes[2]) + entry(lanes[3])
    }
}
