use discern_board::Dice;

use crate::graph::BookMove;
use crate::worth::Draws;

/// How moves are chosen from a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// How much a move may give away against the best, in hundred-thousandths
    /// of a won game.
    pub loss: u32,
    /// What a draw counts for the mover.
    pub draws: Draws,
}

impl Default for Choice {
    /// Up to one game in a hundred, so that games vary.
    fn default() -> Choice {
        Choice { loss: 1000, draws: Draws::Even }
    }
}

impl Choice {
    /// One of the moves that give away little enough, the better the likelier.
    /// Whole numbers alone decide, so the same dice choose the same move
    /// everywhere. `None` without moves.
    pub fn choose(&self, moves: &[BookMove], dice: &mut Dice) -> Option<BookMove> {
        let worth = |mv: &BookMove| mv.worths.with(self.draws);
        let best = moves.iter().map(worth).max()?;
        let weight = |mv: &BookMove| {
            let lost = best.chance().saturating_sub(worth(mv).chance());
            // Nobody exchanges a proven win for a likely one.
            let gives_proof_away = best.outcome().is_some() && worth(mv) < best;
            match lost <= self.loss && !gives_proof_away {
                true => u64::from(self.loss - lost) + 1,
                false => 0,
            }
        };
        let mut throw = dice.below(moves.iter().map(weight).sum());
        let chosen = moves.iter().find(|mv| {
            let weight = weight(mv);
            let found = throw < weight;
            throw = throw.saturating_sub(weight);
            found
        });
        chosen.copied()
    }
}

#[cfg(test)]
mod tests {
    use discern_board::{Score, Square};

    use super::*;
    use crate::worth::{Grade, Worth, Worths};

    fn mv(square: Square, worth: Worth) -> BookMove {
        BookMove { square, worths: Worths::of(worth), grade: Grade::Depth(9), examined: true }
    }

    fn chosen(choice: Choice, moves: &[BookMove]) -> Vec<usize> {
        let mut dice = Dice::new(&[19]);
        let mut counts = vec![0; moves.len()];
        for _ in 0..3000 {
            let found = choice.choose(moves, &mut dice).unwrap();
            counts[moves.iter().position(|mv| mv.square == found.square).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn moves_within_the_loss_are_chosen_the_better_the_oftener() {
        let estimates = [(Square::F5, 40), (Square::D6, 20), (Square::C3, -200)];
        let moves = estimates.map(|(square, value)| mv(square, Worth::estimate(value)));
        let counts = chosen(Choice { loss: 1000, draws: Draws::Even }, &moves);
        assert!(counts[0] > counts[1] && counts[1] > 500 && counts[2] == 0, "{counts:?}");
        assert_eq!(chosen(Choice { loss: 0, draws: Draws::Even }, &moves), [3000, 0, 0]);
        assert_eq!(Choice::default().choose(&[], &mut Dice::new(&[])), None);
    }

    #[test]
    fn draws_are_sought_avoided_or_even_and_proofs_are_kept() {
        let win = Worth::proven(Score::new(2).unwrap());
        let moves = [mv(Square::F5, Worth::estimate(300)), mv(Square::D6, Worth::DRAW)];
        let draws = |draws| chosen(Choice { loss: 0, draws }, &moves);
        assert_eq!(draws(Draws::Even), [3000, 0]);
        assert_eq!(draws(Draws::Seek), [0, 3000]);
        assert_eq!(draws(Draws::Avoid), [3000, 0]);
        let moves = [mv(Square::F5, Worth::estimate(9000)), mv(Square::D6, win)];
        assert_eq!(chosen(Choice { loss: 5000, draws: Draws::Even }, &moves), [0, 3000]);
    }
}
