use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use discern_players::player::Failure;
use discern_players::{Halt, JobError, Plan, Played, WeightStore};
use discern_records::archive::ArchiveWriter;
use discern_records::{Ending, GameRecord, Name, WriteError};

use super::worker::Worker;
use super::{Fixture, Results, TournamentPlan};
use crate::stats::{Decision, Sprt, SprtRun};

/// A tournament about to be played or resumed, in one process.
pub struct Tournament<'a> {
    /// All games.
    pub plan: &'a Plan<TournamentPlan>,
    /// The weights of the players.
    pub store: &'a WeightStore,
    /// Games at the same time, at least one.
    pub concurrency: usize,
    /// Start a program again that has died.
    pub restart: bool,
    /// Stop as soon as this test decides; only between two players.
    pub sprt: Option<Sprt>,
    /// Where every finished game goes at once.
    pub archive: Option<&'a mut ArchiveWriter>,
    /// Ends it early.
    pub halt: &'a Halt,
}

/// Why no more games are played.
#[derive(Debug, Clone, PartialEq)]
pub enum Conclusion {
    /// All games are finished.
    Complete,
    /// The sequential test has decided; later pairs do not count.
    Decided(SprtRunResult),
    /// Somebody asked to stop.
    Halted,
    /// A program died and was not to be restarted.
    PlayerDied {
        /// Its index.
        player: usize,
        /// What happened.
        failure: Failure,
    },
}

impl Conclusion {
    /// How many pairs of each pairing count, if not all.
    pub fn pairs(&self) -> Option<u64> {
        match self {
            Conclusion::Decided(result) => Some(result.pairs),
            _ => None,
        }
    }

    /// Its name for programs.
    pub fn word(&self) -> &'static str {
        match self {
            Conclusion::Complete => "complete",
            Conclusion::Decided(_) => "decided",
            Conclusion::Halted => "halted",
            Conclusion::PlayerDied { .. } => "player-died",
        }
    }
}

/// How a sequential test ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprtRunResult {
    /// What it decided.
    pub decision: Decision,
    /// Its last log-likelihood ratio.
    pub llr: f64,
    /// The pairs it took, from the first on.
    pub pairs: u64,
}

/// What is told about every finished game.
pub struct Finished<'a> {
    /// Which game it is.
    pub fixture: Fixture,
    /// The game.
    pub record: &'a GameRecord,
    /// All finished games, this one included.
    pub results: &'a Results,
    /// The sequential test, if there is one.
    pub sprt: Option<&'a SprtRun>,
}

/// Why a tournament cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A player or the solver could not be made.
    #[error(transparent)]
    Job(#[from] JobError),
    /// A game could not be stored.
    #[error(transparent)]
    Store(#[from] WriteError),
}

/// What a worker sends home.
enum Message {
    Played(Fixture, Box<Played>),
    Failed(JobError),
}

impl Tournament<'_> {
    /// Plays the games that are not among the results yet. `heard` is told of
    /// every finished game.
    pub fn run(
        &mut self,
        results: &mut Results,
        mut heard: impl FnMut(&Finished),
    ) -> Result<Conclusion, TournamentError> {
        let (plan, name) = (&self.plan.work, Name::from(self.plan.name()));
        let missing: Vec<u64> =
            (0..plan.number_of_games()).filter(|&n| !results.contains(n)).collect();
        let mut early = self.sprt.map(|sprt| EarlyEnd { run: SprtRun::new(sprt), next: 0 });
        if let Some(decided) = early.as_mut().and_then(|early| early.look(plan, results)) {
            return Ok(Conclusion::Decided(decided));
        }
        // Ends this run only: the caller's halt stays as it is.
        let enough = Halt::new();
        let next = AtomicUsize::new(0);
        // No queue: a worker begins its next game when the last one is taken.
        let (sender, receiver) = sync_channel(0);
        let mut conclusion = None;
        let mut error = None;
        thread::scope(|scope| {
            for _ in 0..self.concurrency.clamp(1, missing.len().max(1)) {
                let player = Workshop {
                    plan,
                    store: self.store,
                    missing: &missing,
                    next: &next,
                    halts: [self.halt, &enough],
                    restart: self.restart,
                    sender: sender.clone(),
                };
                scope.spawn(move || player.work());
            }
            drop(sender);
            for message in receiver {
                let (fixture, played) = match message {
                    Message::Played(fixture, played) => (fixture, *played),
                    Message::Failed(failed) => {
                        enough.finish();
                        error.get_or_insert(failed.into());
                        continue;
                    }
                };
                if played.record.ending == Ending::Interrupted {
                    continue;
                }
                let mut record = played.record;
                record.source = Some(plan.source(name.clone(), fixture.number));
                if let Some(archive) = &mut self.archive
                    && let Err(failed) = archive.append(&record).and_then(|()| archive.commit())
                {
                    enough.finish();
                    error.get_or_insert(failed.into());
                    continue;
                }
                results.add(fixture.number, &record);
                if let Some(early) = &mut early
                    && let Some(decided) = early.look(plan, results)
                {
                    enough.finish();
                    conclusion.get_or_insert(Conclusion::Decided(decided));
                }
                let sprt = early.as_ref().map(|early| &early.run);
                heard(&Finished { fixture, record: &record, results, sprt });
                if let Some((color, failure)) = played.failure
                    && failure.is_fatal()
                    && !self.restart
                {
                    enough.finish();
                    let player = fixture.player(color);
                    conclusion.get_or_insert(Conclusion::PlayerDied { player, failure });
                }
            }
        });
        if let Some(error) = error {
            return Err(error);
        }
        Ok(conclusion.unwrap_or(match results.len() == plan.number_of_games() {
            true => Conclusion::Complete,
            false => Conclusion::Halted,
        }))
    }
}

/// The sequential test takes the pairs in the order of the plan, not as they
/// happen to finish: so it decides the same whatever the number of workers.
struct EarlyEnd {
    run: SprtRun,
    next: u64,
}

impl EarlyEnd {
    fn look(&mut self, plan: &TournamentPlan, results: &Results) -> Option<SprtRunResult> {
        while self.run.decision() == Decision::Continue {
            let pair = results.pair(plan, 0, self.next).filter(|_| self.next < plan.pairs)?;
            self.run.observe(pair.class());
            self.next += 1;
        }
        let (decision, llr) = (self.run.decision(), self.run.llr());
        Some(SprtRunResult { decision, llr, pairs: self.next })
    }
}

/// One of the threads that play what is missing.
struct Workshop<'a> {
    plan: &'a TournamentPlan,
    store: &'a WeightStore,
    missing: &'a [u64],
    next: &'a AtomicUsize,
    halts: [&'a Halt; 2],
    restart: bool,
    sender: SyncSender<Message>,
}

impl Workshop<'_> {
    fn work(&self) {
        if let Err(error) = self.play_all() {
            let _ = self.sender.send(Message::Failed(error));
        }
    }

    fn play_all(&self) -> Result<(), JobError> {
        let mut worker = Worker::new(self.plan, self.store.clone())?;
        while !self.halts.iter().any(|halt| halt.is_finishing()) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = self.missing.get(next) else { break };
            let fixture = self.plan.fixture(number);
            let played = worker.play(self.plan, fixture, self.halts[0])?;
            let died = played.failure.as_ref().is_some_and(|(_, failure)| failure.is_fatal());
            let message = Message::Played(fixture, Box::new(played));
            if self.sender.send(message).is_err() || died && !self.restart {
                break;
            }
        }
        Ok(())
    }
}
