use discern_board::Game;
use discern_players::player::evaluation;
use discern_players::{Cut, Job, JobError, PlayerSpec, Site};
use discern_records::{GameRecord, MoveNote};
use discern_search::{Engine, Limits, StopFlag};
use serde::{Deserialize, Serialize};

use crate::generate::check_players;
use crate::input::{Archive, InputGames};
use crate::play::rounded;

/// Searches every position of an archive and keeps what the search thinks of
/// it: labels that say more than the result of the game. What others thought
/// of the positions before is replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelPlan {
    /// The games to label.
    pub input: InputGames,
    /// Who searches.
    pub player: PlayerSpec,
}

/// What a thread needs to label games.
pub struct Labeller {
    engine: Box<dyn Engine>,
    limits: Limits,
    archive: Archive,
}

impl Job for LabelPlan {
    const FORMAT: &'static str = "discern label plan 2";

    type Worker = Labeller;

    fn check(&self) -> Result<(), JobError> {
        check_players(self.players())?;
        self.cut().check("games")
    }

    fn players(&self) -> &[PlayerSpec] {
        std::slice::from_ref(&self.player)
    }

    fn cut(&self) -> Cut {
        self.input.cut()
    }

    fn worker(&self, site: &Site) -> Result<Labeller, JobError> {
        Ok(Labeller {
            engine: self.player.as_engine()?.engine(site.store)?,
            limits: self.player.search_limits()?,
            archive: self.input.checked(site.folder)?,
        })
    }

    fn shard(
        &self,
        worker: &mut Labeller,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut labelled = Vec::new();
        let archive = worker.archive.clone();
        archive.each_of(self.cut().range(shard), site, |mut record| {
            record.notes = worker.labels(&record.game, site.halt.stop_flag());
            record.source = site.source(shard, labelled.len());
            labelled.push(record);
            progress(1);
        })?;
        Ok(labelled)
    }
}

impl Labeller {
    /// What the search thinks of the position before each move: nothing where
    /// a move is forced.
    fn labels(&mut self, game: &Game, stop: &StopFlag) -> Vec<MoveNote> {
        self.engine.forget();
        let mut notes = vec![MoveNote::default(); game.plies().len()];
        // From the end to the start: what was searched already helps with what
        // comes before.
        for (note, ply) in notes.iter_mut().zip(game.plies()).rev() {
            let board = &ply.before.board;
            if board.moves().count() > 1 {
                let report = self.engine.search(board, &self.limits, stop, &mut |_| {});
                note.evaluation = report.best().map(|best| rounded(evaluation(best)));
            }
        }
        notes
    }
}
