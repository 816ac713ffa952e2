use std::collections::{BTreeSet, HashSet};

use discern_board::{Bitboard, Board, Game};
use discern_book::{Crew, Entry, Growing, Growth, Judge, Step, Workshop, move_classes};
use discern_players::{
    Defaults, EngineJudge, Job, JobError, Openings, PlayerSpec, RunFolder, Shard, Site,
    WeightStore, shard_games,
};
use discern_records::{GameRecord, Limits as RecordedLimits, Source};
use serde::{Deserialize, Serialize};

use crate::generate::check_players;
use crate::leaf::{entry_of, record_of};

/// A book that grows from many roots, each by itself, and the moves from the
/// start to them.
///
/// What a root grows to depends on nothing but the root, the limits and who
/// searches, so it comes out the same anywhere. It does not learn from other
/// roots: where they meet by transposition, a position is searched twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GrowPlan {
    /// Who searches. No position is examined in which it solves the ending.
    pub player: PlayerSpec,
    /// Where the book grows.
    pub roots: Openings,
    /// Positions that each root grows to, itself included.
    pub positions: u32,
    /// What a ply costs beside what it gives away, in hundred-thousandths of a
    /// won game: the larger, the broader the book and the shorter its lines.
    pub toll: u32,
    /// Other seeds draw other roots.
    pub seed: u64,
    /// The number of parts; the entries do not depend on it.
    pub shards: u32,
}

impl GrowPlan {
    /// What a player is given that does not say otherwise, as in a book that
    /// grows on one machine.
    pub const DEFAULTS: Defaults = Defaults {
        limits: RecordedLimits { depth: Some(12), nodes: None, move_ms: None, clock: None },
        hash_mebibytes: 64,
        endgame: Some([20, 18]),
        randomness: None,
    };

    /// The entries of all shards, in whichever order they were made.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub fn entries(folder: &RunFolder<GrowPlan>) -> Result<Vec<Entry>, JobError> {
        let entry = |record: Result<GameRecord, JobError>| {
            entry_of(&record?).ok_or_else(|| JobError::Shards("a game that is no entry".into()))
        };
        shard_games(folder)?.map(entry).collect()
    }

    /// Who searches, as a book asks.
    ///
    /// # Errors
    /// If the weights are not there.
    pub fn judge(&self, store: &WeightStore) -> Result<EngineJudge, JobError> {
        Ok(EngineJudge::new(self.player.as_engine()?.engine(store)?, self.player.search_limits()?))
    }

    fn growth(&self, root: Board) -> Result<Growth, JobError> {
        Ok(Growth {
            roots: vec![root],
            toll: self.toll,
            least_empties: self.player.search_limits()?.outcome_empties,
            positions: self.positions as usize,
        })
    }

    fn roots_of(&self, shard: u32) -> std::ops::Range<usize> {
        Shard { index: shard, count: self.shards }.range(self.roots.len())
    }
}

/// What a thread needs to grow books.
pub struct Grower {
    judge: EngineJudge,
    roots: Vec<Board>,
    /// Positions between the start and the roots, in the order of their boards.
    stem: Vec<Board>,
}

impl Job for GrowPlan {
    const FORMAT: &'static str = "discern book plan 1";
    const UNITS: &'static str = "positions";

    type Worker = Grower;

    fn check(&self) -> Result<(), JobError> {
        let wrong = |what: String| Err(JobError::Plan(what));
        check_players(self.players())?;
        if self.player.as_engine()?.book.is_some() {
            return wrong("who grows a book has none".into());
        }
        let roots = self.roots.len();
        if roots == 0 {
            return wrong(format!("no roots; they have at most {} moves", Openings::MAX_PLIES));
        }
        if let Openings::Games(games) = &self.roots
            && let Some(over) = games.iter().find(|game| game.position().board.moves().is_empty())
        {
            return wrong(format!("the mover cannot move after {}", over.transcript()));
        }
        if self.shards == 0 || self.shards as usize > roots || self.shards > Shard::MOST {
            return wrong(format!("{} shards for {roots} roots", self.shards));
        }
        if self.positions == 0 || self.toll > 100_000 {
            return wrong("a root has a position at least, and a toll at most 100 percent".into());
        }
        Ok(())
    }

    fn players(&self) -> &[PlayerSpec] {
        std::slice::from_ref(&self.player)
    }

    fn shards(&self) -> u32 {
        self.shards
    }

    fn units(&self, shard: u32) -> u64 {
        self.roots_of(shard).len() as u64 * u64::from(self.positions)
    }

    fn games(&self, _: u32) -> Option<u64> {
        None
    }

    fn worker(&self, site: &Site) -> Result<Grower, JobError> {
        let games = self.roots.list(self.seed);
        let stem = stem(&games);
        let roots = games.iter().map(|game| game.position().board.canonical()).collect();
        Ok(Grower { judge: self.judge(site.store)?, roots, stem })
    }

    fn shard(
        &self,
        worker: &mut Grower,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut entries = Vec::new();
        for index in self.roots_of(shard) {
            entries.extend(self.grow(worker, site, index, progress)?);
        }
        let stem = Shard { index: shard, count: self.shards }.range(worker.stem.len());
        if !stem.is_empty() {
            let known: HashSet<Board> = worker.roots.iter().chain(&worker.stem).copied().collect();
            for index in stem {
                if site.halt.is_aborting() {
                    return Err(JobError::Halted);
                }
                let board = worker.stem[index];
                let deviation = worker.judge.judge(&board, examined(&board, &known));
                entries.push(Entry { deviation, ..Entry::new(board) });
            }
        }
        let player = self.player.recorded();
        let record = |(game, entry)| {
            let (plan, game) = (site.plan.clone(), game as u64);
            let source = Some(Source { plan, shard: shard.into(), game });
            GameRecord { source, ..record_of(&entry, player.clone()) }
        };
        Ok(entries.into_iter().enumerate().map(record).collect())
    }
}

impl GrowPlan {
    /// What a root grows to, in the order of the boards.
    fn grow(
        &self,
        worker: &mut Grower,
        site: &Site,
        index: usize,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<Entry>, JobError> {
        let growth = self.growth(worker.roots[index])?;
        let judge = &mut worker.judge;
        let stop = || site.halt.is_aborting();
        let ask = |board: &Board, except: Bitboard| judge.judge(board, except);
        let mut crew = Crew { judges: vec![Box::new(ask)], stop: &stop };
        let mut workshop = Workshop::in_memory();
        let mut told = 0;
        let failed = |error: discern_book::BookError| JobError::Plan(error.to_string());
        growth
            .grow(&mut workshop, &mut crew, |growing: Growing| {
                progress((growing.graph.len() - told) as u64);
                told = growing.graph.len();
            })
            .map_err(failed)?;
        if site.halt.is_aborting() {
            return Err(JobError::Halted);
        }
        // A small tree may be complete before it is full.
        progress(u64::from(self.positions) - told as u64);
        let graph = workshop.finish().map_err(failed)?;
        Ok(graph.sorted().into_iter().map(|node| *node.entry()).collect())
    }
}

/// The positions on the way to the roots in which somebody can move.
fn stem(roots: &[Game]) -> Vec<Board> {
    let ends: HashSet<Board> = roots.iter().map(|game| game.position().board.canonical()).collect();
    let before = roots.iter().flat_map(|game| game.plies()).map(|ply| ply.before.board);
    let boards: BTreeSet<Board> =
        before.filter(|board| board.moves().any()).map(|board| board.canonical()).collect();
    boards.into_iter().filter(|board| !ends.contains(board)).collect()
}

/// The moves that lead to these positions.
fn examined(board: &Board, known: &HashSet<Board>) -> Bitboard {
    let leads = |step: &Step| matches!(step, Step::Position { board, .. } if known.contains(board));
    let classes = move_classes(board);
    let squares = classes.iter().filter(|class| leads(&class.step)).map(|class| class.squares);
    squares.fold(Bitboard::EMPTY, |all, one| all | one)
}
