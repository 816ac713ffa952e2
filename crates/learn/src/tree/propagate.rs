use std::cmp::Ordering;

use discern_board::{Board, Outcome};

use super::counts::TreeCounts;
use super::label::{Label, LabelSource};
use super::order::Successors;
use super::proof::Proof;
use super::tree_of_games::{GameTree, Node};
use crate::ClassifiedPosition;

/// A classified position and how it came to its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelledPosition {
    /// Position, outcome, score, games and group.
    pub position: ClassifiedPosition,
    /// Where the label comes from.
    pub source: LabelSource,
    /// What it would be after each step of the paper.
    pub steps: LabelSteps,
}

impl GameTree {
    /// Labels all positions by NegaMax from the leaves to the root.
    ///
    /// Gives the positions in which the game goes on and that have a label,
    /// ordered by discs and board, and the counts of Figure 3.
    pub fn classify(&self) -> (Vec<LabelledPosition>, TreeCounts) {
        let successors = Successors::of(self);
        let labels = self.labels(&successors, true);
        let uncorrected = (self.tally.corrections > 0).then(|| self.labels(&successors, false));
        let uncorrected = uncorrected.as_ref().unwrap_or(&labels);

        let mut counts = TreeCounts::of_tree(self, &successors);
        let mut positions = Vec::with_capacity(self.nodes.len());
        let empties = |number: &u32| self.index.boards()[*number as usize].empties();
        let phases = successors.leaves_first.chunk_by(|a, b| empties(a) == empties(b));
        // One phase at a time, boards beside their numbers: sorting all numbers
        // by the boards they stand for took three times as long.
        let mut phase: Vec<(Board, u32)> = Vec::new();
        for numbers in phases.collect::<Vec<_>>().into_iter().rev() {
            phase.clear();
            phase.extend(
                numbers.iter().map(|&number| (self.index.boards()[number as usize], number)),
            );
            phase.sort_unstable();
            for &(board, number) in &phase {
                let node = &self.nodes[number as usize];
                match labels[number as usize] {
                    _ if node.over => {}
                    None => counts.without_label += 1,
                    Some(label) => {
                        let steps = LabelSteps::of(node, label, uncorrected[number as usize]);
                        let labelled = labelled(board, node, label, steps);
                        counts.add(&labelled);
                        positions.push(labelled);
                    }
                }
            }
        }
        (positions, counts)
    }

    fn labels(&self, successors: &Successors, corrections: bool) -> Vec<Option<Label>> {
        let mut labels: Vec<Option<Label>> = vec![None; self.nodes.len()];
        for &number in &successors.leaves_first {
            let node = &self.nodes[number as usize];
            let label = if node.over {
                Some(Label::of_score(self.index.boards()[number as usize].final_score()))
            } else {
                let awarded = node.awarded.map(|outcome| Label { outcome, score: None });
                let played = successors
                    .after(number, corrections)
                    .filter_map(|next| labels[next as usize].map(Label::turned));
                let best = awarded.into_iter().chain(played).reduce(Label::or);
                let proof = if corrections { &node.proof } else { &node.ordinary_proof };
                with_verdict(best, proof)
            };
            labels[number as usize] = label;
        }
        labels
    }
}

/// A verdict stands above what was played; where it has no score, the score of
/// play with the same outcome does for it.
fn with_verdict(played: Option<Label>, proof: &Proof) -> Option<Label> {
    let Some(verdict) = proof.verdict() else { return played };
    let mut label = Label::of_verdict(verdict);
    if label.score.is_none() {
        label.score = played.filter(|best| best.outcome == label.outcome).and_then(|l| l.score);
    }
    Some(label)
}

/// A position's outcome after each step of the paper, where it has one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelSteps {
    /// By the results of its games.
    pub by_games: Option<Outcome>,
    /// With solved outcomes in place of results.
    pub by_solving: Option<Outcome>,
    /// By NegaMax in the tree of the games without corrections.
    pub by_propagation: Option<Outcome>,
    /// By NegaMax in the tree of all games.
    pub by_correction: Outcome,
}

impl LabelSteps {
    fn of(node: &Node, label: Label, uncorrected: Option<Label>) -> LabelSteps {
        LabelSteps {
            by_games: node.decided.then(|| most(node.balance)),
            by_solving: node.decided.then(|| most(node.solved_balance)),
            by_propagation: uncorrected.filter(|_| node.ordinary).map(|label| label.outcome),
            by_correction: label.outcome,
        }
    }
}

/// What most games say; a draw if as many say win as loss.
fn most(balance: i32) -> Outcome {
    match balance.cmp(&0) {
        Ordering::Greater => Outcome::Win,
        Ordering::Equal => Outcome::Draw,
        Ordering::Less => Outcome::Loss,
    }
}

fn labelled(board: Board, node: &Node, label: Label, steps: LabelSteps) -> LabelledPosition {
    let source = if node.proof.verdict().is_some() {
        LabelSource::Solved
    } else if steps.by_propagation != Some(label.outcome) {
        LabelSource::Corrected
    } else if steps.by_games != Some(label.outcome) {
        LabelSource::Propagated
    } else {
        LabelSource::Game
    };
    LabelledPosition {
        position: ClassifiedPosition {
            board,
            games: node.games,
            group: node.group,
            shared: node.shared,
            outcome: label.outcome,
            score: label.score,
        },
        source,
        steps,
    }
}
