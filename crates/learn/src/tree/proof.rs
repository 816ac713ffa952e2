use std::fmt;

use discern_board::{Outcome, Score};
use discern_records::{GameId, Verdict};

/// What the games have stored as proven for one position, whatever their
/// order. Even careful collections contradict themselves at times (one position
/// of the 115,509 WTHOR games): what is disputed counts as not proven.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Proof {
    outcome: Seen<Outcome>,
    score: Seen<Score>,
}

/// Nothing, one thing, or several that cannot all be true.
#[derive(Debug, Clone, Copy, Default)]
enum Seen<T> {
    #[default]
    Nothing,
    One(T),
    Disputed,
}

impl<T: PartialEq + Copy> Seen<T> {
    fn add(&mut self, found: T) -> bool {
        let agrees = match *self {
            Seen::Nothing => true,
            Seen::One(known) => known == found,
            Seen::Disputed => false,
        };
        *self = if agrees { Seen::One(found) } else { Seen::Disputed };
        agrees
    }
}

impl Proof {
    /// Adds what another game has stored; `false` if that contradicts.
    pub fn add(&mut self, verdict: Verdict) -> bool {
        let outcome = self.outcome.add(verdict.outcome());
        let score = verdict.score().is_none_or(|score| self.score.add(score));
        outcome && score
    }

    /// What is proven and undisputed.
    pub fn verdict(&self) -> Option<Verdict> {
        match (self.outcome, self.score) {
            (Seen::One(_), Seen::One(score)) => Some(Verdict::Score(score)),
            (Seen::One(outcome), _) => Some(Verdict::Outcome(outcome)),
            _ => None,
        }
    }

    /// Do games contradict each other?
    pub fn is_disputed(&self) -> bool {
        matches!(self.outcome, Seen::Disputed) || matches!(self.score, Seen::Disputed)
    }
}

/// A game whose proven result for a position contradicts other games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispute {
    /// The game, the later one of those that contradict each other.
    pub game: GameId,
    /// The ply of the position.
    pub ply: usize,
    /// What this game says.
    pub verdict: Verdict,
}

impl fmt::Display for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Dispute { game, ply, verdict } = self;
        let so = "which other games contradict; the position counts as not solved";
        write!(f, "({game}), ply {ply}: {verdict}, {so}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_verdicts_does_not_matter_and_disputes_prove_nothing() {
        let score = |discs| Verdict::Score(Score::new(discs).unwrap());
        let (win, loss) = (Verdict::Outcome(Outcome::Win), Verdict::Outcome(Outcome::Loss));
        for (verdicts, together, disputed) in [
            (vec![win, score(6)], Some(score(6)), false),
            (vec![score(6), score(6)], Some(score(6)), false),
            (vec![score(4), score(6), score(4)], Some(win), true),
            (vec![score(4), loss], None, true),
            (vec![win, loss, win, win], None, true),
            (vec![], None, false),
        ] {
            for backwards in [false, true] {
                let mut proof = Proof::default();
                let mut order = verdicts.clone();
                if backwards {
                    order.reverse();
                }
                let agreed = order.iter().filter(|&&verdict| !proof.add(verdict)).count() == 0;
                assert_eq!(proof.verdict(), together, "{order:?}");
                assert_eq!((proof.is_disputed(), agreed), (disputed, !disputed));
            }
        }
    }
}
