use discern_board::Outcome;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::label::LabelSource;
use super::order::Successors;
use super::propagate::LabelledPosition;
use super::tree_of_games::{GameTree, Node};

/// The counts of Figure 3: games, game tree, classified positions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TreeCounts {
    /// Games added.
    pub games: u64,
    /// Of them, corrections of others.
    pub corrections: u64,
    /// Of them, without a result to classify by.
    pub games_without_result: u64,
    /// Positions met in all games, the same ones counted again.
    pub visits: u64,
    /// Groups of games.
    pub groups: u64,
    /// Different positions, those in which the game is over included.
    pub nodes: u64,
    /// Different moves from position to position.
    pub edges: u64,
    /// Moves that lead to a position which another one leads to as well.
    pub transpositions: u64,
    /// Positions in which the game is over.
    pub over: u64,
    /// Positions with proven results that contradict each other; they count as
    /// not solved.
    pub disputed: u64,
    /// Positions without any line that has a result.
    pub without_label: u64,
    /// The classified positions.
    #[serde(flatten)]
    pub all: PhaseCounts,
    /// The classified positions by discs on the board; only numbers that occur.
    pub phases: Vec<PhaseCounts>,
}

/// Counts of classified positions, all or those of a phase.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseCounts {
    /// Discs on the board; none for all positions together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discs: Option<u32>,
    /// Classified positions.
    pub positions: u64,
    /// Won by the mover.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost by the mover.
    pub losses: u64,
    /// With a score.
    pub scores: u64,
    /// Solved themselves.
    pub solved: u64,
    /// Whose games say otherwise with solved outcomes in place of results.
    pub changed_by_solving: u64,
    /// Which NegaMax in the tree of uncorrected games then changes.
    pub changed_by_propagation: u64,
    /// Which the corrected games then change.
    pub changed_by_correction: u64,
    /// Which only corrected games have reached.
    pub new_by_correction: u64,
    /// In which games of different groups meet.
    pub shared: u64,
}

impl TreeCounts {
    pub(super) fn of_tree(tree: &GameTree, successors: &Successors) -> TreeCounts {
        let count =
            |of: fn(&Node) -> bool| tree.nodes.iter().filter(|node| of(node)).count() as u64;
        let nodes = tree.nodes.len() as u64;
        let edges = successors.len() as u64;
        // Every position that no game begins with has one move that leads to
        // it; the others are transpositions. A later start may have moves that
        // lead to it as well.
        TreeCounts {
            games: tree.tally.games,
            corrections: tree.tally.corrections,
            games_without_result: tree.tally.without_result,
            visits: tree.tally.visits,
            groups: tree.groups.len() as u64,
            nodes,
            edges,
            transpositions: (edges + count(|node| node.root)).saturating_sub(nodes),
            over: count(|node| node.over),
            disputed: count(|node| node.proof.is_disputed()),
            ..TreeCounts::default()
        }
    }

    pub(super) fn add(&mut self, labelled: &LabelledPosition) {
        let discs = labelled.position.board.discs();
        // Positions come in the order of their discs.
        if self.phases.last().is_none_or(|phase| phase.discs != Some(discs)) {
            self.phases.push(PhaseCounts { discs: Some(discs), ..PhaseCounts::default() });
        }
        let phase = self.phases.last_mut().expect("just made");
        for counts in [phase, &mut self.all] {
            counts.add(labelled);
        }
    }
}

impl PhaseCounts {
    fn add(&mut self, labelled: &LabelledPosition) {
        let changed = |before: Option<Outcome>, after: Option<Outcome>| {
            u64::from(before.zip(after).is_some_and(|(before, after)| before != after))
        };
        let position = &labelled.position;
        self.positions += 1;
        match position.outcome {
            Outcome::Win => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Loss => self.losses += 1,
        }
        self.scores += u64::from(position.score.is_some());
        self.solved += u64::from(labelled.source == LabelSource::Solved);
        let steps = &labelled.steps;
        self.changed_by_solving += changed(steps.by_games, steps.by_solving);
        self.changed_by_propagation += changed(steps.by_solving, steps.by_propagation);
        self.changed_by_correction += changed(steps.by_propagation, Some(steps.by_correction));
        self.new_by_correction += u64::from(steps.by_propagation.is_none());
        self.shared += u64::from(labelled.position.shared);
    }
}

impl TreeCounts {
    /// How positions with these counts were made: by which program, of which
    /// files of games. Without times, so that the same games give the same
    /// bytes; standard input (`-`) leaves no trace.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn manifest(&self, program: &str, files: &[PathBuf]) -> io::Result<String> {
        let mut games = Vec::new();
        for path in files.iter().filter(|path| *path != Path::new("-")) {
            let mut hasher = blake3::Hasher::new();
            hasher.update_reader(discern_files::open(path)?)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            games.push(json!({"file": name, "blake3": &hasher.finalize().to_hex()[..32]}));
        }
        let manifest = json!({
            "format": "discern positions manifest 1",
            "program": program,
            "games": games,
            "counts": self,
        });
        Ok(format!("{manifest:#}\n"))
    }
}
