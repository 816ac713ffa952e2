/// How far searches stray from the value of one two plies shallower: a
/// standard deviation that is the same up to 25 discs and then grows with each.
///
/// Measured on 1,900 positions of the shipped games, searches of 1 to 8 plies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    early: i32,
    per_disc: i32,
}

impl Spread {
    /// LOG, FISHER and QUAD: they share their features and their scale.
    pub(crate) const FEATURES: Spread = Spread { early: 205, per_disc: 20 };
    /// A network on the patterns is surer of itself late in the game.
    pub(crate) const NETWORK: Spread = Spread { early: 240, per_disc: 28 };

    /// In thousandths of a logit.
    #[inline(always)]
    pub(crate) fn at(self, discs: u32) -> i32 {
        self.early + self.per_disc * discs.saturating_sub(25) as i32
    }
}
