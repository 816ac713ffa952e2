use crate::WeightsError;

/// The first phase: the four discs of the start.
pub const FIRST_PHASE: usize = 4;
/// The last phase: a full board.
pub const LAST_PHASE: usize = 64;
/// How many phases there are.
pub const PHASES: usize = LAST_PHASE - FIRST_PHASE + 1;

/// One value for every phase, that is for every number of discs from 4 to 64.
#[derive(Debug, Clone, PartialEq)]
pub struct Phases<T>(Vec<T>);

impl<T> Phases<T> {
    /// Calls `make` for each number of discs.
    pub fn from_fn(make: impl FnMut(usize) -> T) -> Phases<T> {
        Phases((FIRST_PHASE..=LAST_PHASE).map(make).collect())
    }

    /// The value for this many discs; boards set up with fewer than four
    /// belong to the first phase.
    #[inline(always)]
    pub fn at(&self, discs: usize) -> &T {
        &self.0[discs.saturating_sub(FIRST_PHASE)]
    }

    /// The disc counts and their values.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (FIRST_PHASE..).zip(&self.0)
    }

    /// The same number of phases with other values.
    pub fn map<U>(&self, mut change: impl FnMut(usize, &T) -> U) -> Phases<U> {
        Phases(self.iter().map(|(discs, value)| change(discs, value)).collect())
    }

    /// Calls `make` for each number of discs until it fails.
    pub(crate) fn try_from_fn(
        make: impl FnMut(usize) -> Result<T, WeightsError>,
    ) -> Result<Phases<T>, WeightsError> {
        (FIRST_PHASE..=LAST_PHASE).map(make).collect::<Result<_, _>>().map(Phases)
    }
}
