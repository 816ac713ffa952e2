use std::collections::{BTreeSet, HashSet};

use discern_board::{Bitboard, Board, Game};
use discern_book::{
    BookError, Crew, Entry, Growing, Growth, Judge, Step, Workshop, move_classes, united,
};
use discern_players::{
    Cut, Defaults, EngineJudge, Job, JobError, Openings, PlayerSpec, RunFolder, Site, WeightStore,
    shard_games,
};
use discern_records::{GameRecord, Limits as RecordedLimits};
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

    /// Enters what was grown by the same player in these folders, all of it at
    /// once, so that no order shows; how many positions are new.
    ///
    /// # Errors
    /// If another player searched in one of them, or a shard is missing.
    pub fn merge(
        folders: &[RunFolder<GrowPlan>],
        workshop: &mut Workshop,
    ) -> Result<usize, JobError> {
        let mut entries = Vec::new();
        let player = &folders[0].work().player;
        for folder in folders {
            if folder.work().player != *player {
                let what = "another player searched; merge it by itself".into();
                return Err(JobError::File(folder.path().to_owned(), what));
            }
            entries.extend(GrowPlan::entries(folder)?);
        }
        let before = workshop.graph().len();
        let entries = united(workshop.graph(), entries);
        workshop.note(&format!("grow by plan: {player}"));
        let failed = |error: BookError| JobError::Plan(error.to_string());
        workshop.change(entries, Vec::new()).map_err(failed)?;
        Ok(workshop.graph().len() - before)
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
    const UNITS_ARE_GAMES: bool = false;

    type Worker = Grower;

    fn check(&self) -> Result<(), JobError> {
        let wrong = |what: String| Err(JobError::Plan(what));
        check_players(self.players())?;
        if self.player.as_engine()?.book.is_some() {
            return wrong("who grows a book has none".into());
        }
        if self.roots.is_empty() {
            return wrong(format!("no roots; they have at most {} moves", Openings::MAX_PLIES));
        }
        if let Openings::Games(games) = &self.roots
            && let Some(over) = games.iter().find(|game| game.position().board.moves().is_empty())
        {
            return wrong(format!("the mover cannot move after {}", over.transcript()));
        }
        if self.positions == 0 || self.toll > 100_000 {
            return wrong("a root has a position at least, and a toll at most 100 percent".into());
        }
        self.cut().check("roots")
    }

    fn players(&self) -> &[PlayerSpec] {
        std::slice::from_ref(&self.player)
    }

    fn cut(&self) -> Cut {
        Cut { things: self.roots.len(), shards: self.shards }
    }

    fn units_each(&self) -> u64 {
        self.positions.into()
    }

    fn worker(&self, site: &Site) -> Result<Grower, JobError> {
        let games = self.roots.list(self.seed);
        let stem = stem(&games);
        let roots = games.iter().map(|game| game.position().board.canonical()).collect();
        let judge = self.judge(site.store)?.stopped_by(site.halt.stop_flag());
        Ok(Grower { judge, roots, stem })
    }

    fn shard(
        &self,
        worker: &mut Grower,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut entries = Vec::new();
        for index in self.cut().range(shard) {
            entries.extend(self.grow(worker, site, index, progress)?);
        }
        let stem = Cut { things: worker.stem.len(), shards: self.shards }.range(shard);
        if !stem.is_empty() {
            let known: HashSet<Board> = worker.roots.iter().chain(&worker.stem).copied().collect();
            for index in stem {
                let board = worker.stem[index];
                let deviation = worker.judge.judge(&board, examined(&board, &known));
                site.check_halt()?;
                entries.push(Entry { deviation, ..Entry::new(board) });
            }
        }
        let player = self.player.recorded();
        let record = |(game, entry)| {
            let source = site.source(shard, game);
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
        let failed = |error: BookError| JobError::Plan(error.to_string());
        growth
            .grow(&mut workshop, &mut crew, |growing: Growing| {
                progress((growing.graph.len() - told) as u64);
                told = growing.graph.len();
            })
            .map_err(failed)?;
        site.check_halt()?;
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
