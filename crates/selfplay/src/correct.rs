use std::collections::HashSet;
use std::path::{Path, PathBuf};

use discern_board::{Dice, Game, Position};
use discern_players::{Cut, Duplicates, Job, JobError, PlayerSpec, Randomness, Site};
use discern_records::{Correction, Evaluation, GameId, GameRecord, Players, Solved};
use discern_search::{Engine, Limits};
use serde::{Deserialize, Serialize};

use crate::generate::check_players;
use crate::input::{Archive, InputGames};
use crate::outcome::{EarlyOutcome, Solver};
use crate::play::play_out;
use crate::suspect::{Detective, Mistake};

/// Searches an archive for obvious errors and plays the better moves out.
///
/// An error is a move that turns a sure win into less, or a sure draw into a
/// loss. Sure means proven, from `proven_empties` on, or estimated beyond
/// `certain_millilogits` by a search and again by a deeper one, before and
/// after the move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectPlan {
    /// The games to correct.
    pub input: InputGames,
    /// Who searches, and plays the better games out.
    pub player: PlayerSpec,
    /// How many plies deeper a suspicion is checked.
    pub deeper: u32,
    /// Estimates beyond this are sure.
    pub certain_millilogits: u32,
    /// Outcomes are proven from this many empty squares on.
    pub proven_empties: u32,
    /// The position of each new game that is solved.
    pub early_outcome: EarlyOutcome,
}

impl CorrectPlan {
    /// A plan with the usual settings.
    pub fn of(input: InputGames, player: PlayerSpec) -> CorrectPlan {
        CorrectPlan {
            input,
            player,
            deeper: 2,
            certain_millilogits: 2000,
            proven_empties: 20,
            early_outcome: EarlyOutcome::default(),
        }
    }
}

/// What a thread needs to correct games.
pub struct Corrector {
    engine: Box<dyn Engine>,
    limits: Limits,
    solver: Solver,
    archive: Archive,
    /// Errors the archive has corrections of.
    known: HashSet<(GameId, usize)>,
}

impl Job for CorrectPlan {
    const FORMAT: &'static str = "discern correct plan 3";
    const UNITS_ARE_GAMES: bool = false;
    const DUPLICATES: Duplicates = Duplicates::Drop;

    type Worker = Corrector;

    fn check(&self) -> Result<(), JobError> {
        check_players(self.players())?;
        if self.player.limits.depth.is_none() {
            return Err(JobError::Plan("the corrector needs a depth (depth=N)".into()));
        }
        if self.certain_millilogits == 0 {
            return Err(JobError::Plan("sure from even odds on".into()));
        }
        EarlyOutcome { empties: self.proven_empties, exact: false }.check()?;
        self.early_outcome.check()?;
        self.cut().check("games")
    }

    fn players(&self) -> &[PlayerSpec] {
        std::slice::from_ref(&self.player)
    }

    fn cut(&self) -> Cut {
        self.input.cut()
    }

    /// The better games come behind those that they correct.
    fn archive(&self, folder: &Path) -> Option<PathBuf> {
        Some(self.input.path_in(folder))
    }

    fn worker(&self, site: &Site) -> Result<Corrector, JobError> {
        let archive = self.input.checked(site.folder)?;
        let mut known = HashSet::new();
        archive.all(|record| {
            known.extend(record.correction.map(|error| (error.parent, error.ply)));
        })?;
        Ok(Corrector {
            engine: self.player.as_engine()?.engine(site.store)?,
            limits: self.player.search_limits()?,
            solver: Solver::new(site.halt.stop_flag())?,
            archive,
            known,
        })
    }

    fn shard(
        &self,
        worker: &mut Corrector,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut corrected = Vec::new();
        let archive = worker.archive.clone();
        archive.each_of(self.cut().range(shard), site, |record| {
            self.correct(worker, site, &record, shard, &mut corrected);
            progress(1);
        })?;
        Ok(corrected)
    }
}

impl CorrectPlan {
    /// Adds a better game for every error of this one.
    fn correct(
        &self,
        worker: &mut Corrector,
        site: &Site,
        record: &GameRecord,
        shard: u32,
        corrected: &mut Vec<GameRecord>,
    ) {
        let parent = GameId::of(&record.game);
        worker.engine.forget();
        worker.solver.forget();
        let mut detective = Detective {
            engine: worker.engine.as_mut(),
            limits: worker.limits,
            proven_empties: self.proven_empties,
            certain: self.certain_millilogits as i32,
            deeper: self.deeper,
            stop: site.halt.stop_flag(),
        };
        for mistake in detective.mistakes(&record.game, record.opening) {
            if worker.known.contains(&(parent, mistake.ply)) {
                continue;
            }
            let mut better = self.play_better(worker, site, record, &mistake);
            better.correction = Some(Correction {
                parent,
                ply: mistake.ply,
                played: mistake.played,
                better: mistake.better,
                depth: mistake.depth,
            });
            better.source = site.source(shard, corrected.len());
            corrected.push(better);
        }
    }

    /// The game up to the mistake, the better move, and best play from there.
    fn play_better(
        &self,
        worker: &mut Corrector,
        site: &Site,
        record: &GameRecord,
        mistake: &Mistake,
    ) -> GameRecord {
        let mut game = Game::new(record.game.start());
        let moves = record.game.moves().take(mistake.ply).chain([mistake.better_move]);
        moves.for_each(|mv| game.play(mv).expect("the moves of a game and a legal one"));
        worker.engine.forget();
        let mut search = |position: &Position, lines| {
            let limits = Limits { lines, ..worker.limits };
            worker.engine.search(&position.board, &limits, site.halt.stop_flag(), &mut |_| {})
        };
        play_out(&mut game, &mut search, &[Randomness::NONE; 2], &mut Dice::new(&[]));
        let mut better = GameRecord::new(game);
        let player = self.player.recorded();
        better.players = Players { black: player.clone(), white: player };
        better.opening = mistake.ply;
        if let Evaluation::Proven(verdict) = mistake.better {
            better.solved.push(Solved { ply: mistake.ply, verdict });
        }
        self.early_outcome.add_to(&mut better, &mut worker.solver);
        better
    }
}
