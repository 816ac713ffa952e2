use std::collections::{HashMap, HashSet};

use discern_board::Board;
use discern_eval::{Features, Manifest, NamedModel, Weights};
use discern_records::GameRecord;

use crate::tree::group_of;
use crate::{
    ClassifiedPosition, DirectSettings, Hindsight, LearnError, StageDone, fit_direct_watched,
    fit_named,
};

/// A canonical position with the mover's chance of winning as somebody judged
/// it: a search, or the outcome of a game. The example of the direct model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JudgedPosition {
    /// The least of the eight images, as the mover sees it.
    pub board: Board,
    /// P(W) for the mover: 1 and 0 where it is proven.
    pub probability: f32,
    /// Positions of one group may come from the same game.
    pub group: u32,
}

impl From<&ClassifiedPosition> for JudgedPosition {
    fn from(position: &ClassifiedPosition) -> JudgedPosition {
        let probability = position.points() as f32;
        JudgedPosition { board: position.board, probability, group: position.group }
    }
}

/// Collects what searches thought of the positions of games, each position
/// once: the mean where several searched it.
#[derive(Debug, Default)]
pub struct Judgements {
    found: HashMap<Board, Judged>,
}

#[derive(Debug, Clone, Copy)]
struct Judged {
    sum: f32,
    times: f32,
    group: u32,
}

impl Judgements {
    /// Adds the positions of a game that have an evaluation.
    pub fn add(&mut self, record: &GameRecord, hindsight: &Hindsight) {
        let group = group_of(record);
        let plies = record.game.plies();
        for (ply, probability) in hindsight.labels(record) {
            let board = plies[ply].before.board.canonical();
            let entry = self.found.entry(board).or_insert(Judged { sum: 0.0, times: 0.0, group });
            entry.sum += probability;
            entry.times += 1.0;
            entry.group = entry.group.min(group);
        }
    }

    /// Adds classified positions whose outcomes are proven and that no search has
    /// judged.
    pub fn add_endings(&mut self, positions: &[ClassifiedPosition]) {
        /// Outcomes of generated games are proven from here on (early outcomes).
        const PROVEN: u32 = 20;
        let proven = |p: &&ClassifiedPosition| {
            !p.shared && !p.board.is_over() && p.board.empties() <= PROVEN
        };
        for position in positions.iter().filter(proven) {
            let JudgedPosition { board, probability, group } = position.into();
            self.found.entry(board).or_insert(Judged { sum: probability, times: 1.0, group });
        }
    }

    /// The positions in the order of their boards.
    pub fn finish(self) -> Vec<JudgedPosition> {
        let judged = |(board, Judged { sum, times, group }): (Board, Judged)| JudgedPosition {
            board,
            probability: sum / times,
            group,
        };
        let mut all: Vec<_> = self.found.into_iter().map(judged).collect();
        all.sort_unstable_by_key(|position| position.board);
        all
    }
}

/// Fits the direct model to judged positions and puts it into weights, in place
/// of the one they have; `watch` learns which stages are done.
///
/// # Errors
/// If the positions do not suffice.
pub fn fit_judged(
    positions: &[JudgedPosition],
    features: &Features,
    settings: &DirectSettings,
    command: &str,
    into: &Weights,
    watch: &(dyn Fn(StageDone) + Sync),
) -> Result<Weights, LearnError> {
    let fitted = fit_direct_watched(positions, features, settings, watch)?;
    let mut hash = blake3::Hasher::new();
    for position in positions {
        hash.update(&position.board.mover().0.to_le_bytes());
        hash.update(&position.board.opponent().0.to_le_bytes());
        hash.update(&position.probability.to_le_bytes());
    }
    let groups: HashSet<u32> = positions.iter().map(|position| position.group).collect();
    let manifest = Manifest {
        data: hash.finalize().to_hex().to_string(),
        positions: positions.len() as u64,
        groups: groups.len() as u64,
        settings: fitted.settings,
        ..Manifest::new(command)
    };
    let fit = fit_named("direct").expect("a fit of ours");
    let words = [fit.name, fit.title, fit.description];
    let direct = NamedModel::new(words, manifest, into.basis().clone(), fitted.model);
    let others = into.models().iter().filter(|model| model.name() != fit.name).cloned();
    Ok(Weights::new(into.basis().clone(), others.chain([direct]).collect()))
}
