use discern_board::Dice;
use discern_search::Report;

/// How players stray from their best moves, so that games differ and errors
/// occur as the paper wants.
///
/// Before each move a die decides whether the player strays. If so, the best
/// few moves are searched, and one of those within the margin is drawn with a
/// weight that falls from the best move's to zero at the margin. Whole numbers
/// only: a softmax would need `exp`, which differs between systems in the last
/// bit, and with it the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Randomness {
    /// How often a player strays, in thousandths of its moves.
    pub chance_permille: u32,
    /// How much a move may lose, in thousandths of a logit.
    pub margin_millilogits: u32,
    /// How many of the best moves are looked at.
    pub moves: u32,
    /// Players stray only while more squares than this are empty.
    pub until_empties: u32,
}

impl Default for Randomness {
    fn default() -> Randomness {
        Randomness::USUAL
    }
}

impl Randomness {
    /// Three moves in twenty lose up to one logit, until 21 squares are empty.
    pub const USUAL: Randomness =
        Randomness { chance_permille: 150, margin_millilogits: 1000, moves: 4, until_empties: 20 };

    /// The best move every time.
    pub const NONE: Randomness =
        Randomness { chance_permille: 0, margin_millilogits: 0, moves: 1, until_empties: 64 };

    /// The largest margin: any move may be played, and none needs a look.
    pub const BLIND: u32 = 60_000;

    /// Does a straying player take any move, however bad?
    pub fn is_blind(&self) -> bool {
        self.margin_millilogits >= Randomness::BLIND
    }

    /// What is wrong with it, if anything.
    pub(crate) fn fault(&self) -> Option<String> {
        let wrong = self.chance_permille > 1000 || self.moves == 0;
        wrong.then(|| "a chance above 1 or no moves to choose from".into())
    }

    /// Does the player stray in a position with so many empty squares?
    pub fn strays(&self, empties: u32, dice: &mut Dice) -> bool {
        // The die is thrown in any case: a plan with other limits plays the
        // same opening moves.
        let throw = dice.below(1000);
        empties > self.until_empties && throw < u64::from(self.chance_permille)
    }

    /// One of the lines of a report.
    pub fn choose(&self, report: &Report, dice: &mut Dice) -> usize {
        let Some(best) = report.best() else { return 0 };
        let margin = i64::from(self.margin_millilogits);
        let weight = |thousandths: i32| {
            let loss = i64::from(best.value.thousandths()) - i64::from(thousandths);
            (margin + 1 - loss).clamp(0, margin + 1) as u64
        };
        let weights: Vec<u64> =
            report.lines.iter().map(|line| weight(line.value.thousandths())).collect();
        let mut throw = dice.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if throw < weight {
                return index;
            }
            throw -= weight;
        }
        0
    }

    /// For a further attempt at a game that came out like another one.
    pub fn more(&self, attempt: u32) -> Randomness {
        Randomness {
            chance_permille: (self.chance_permille + 100 * attempt).min(1000),
            margin_millilogits: self
                .margin_millilogits
                .saturating_add(250 * attempt)
                .min(Randomness::BLIND),
            moves: (self.moves + attempt).min(64),
            ..*self
        }
    }
}
