use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use discern_board::Color;
use discern_eval::Rev;
use discern_records::archive::ArchiveWriter;
use discern_records::{Ending, GameRecord, Source, WriteError};
use discern_search::{AnyEvaluator, Engine, Options};

use super::{Fixture, Halt, Plan, Results};
use crate::player::{Failure, Player};
use crate::referee::{Played, Referee, Seat};
use crate::stats::{Decision, Sprt, SprtRun};

/// A tournament about to be played, or to be gone on with.
pub struct Tournament<'a> {
    /// All games.
    pub plan: &'a Plan,
    /// Games at the same time, at least one.
    pub concurrency: usize,
    /// Go on with a new process when a program has died.
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

/// Why a tournament cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A player could not be made.
    #[error("{name}")]
    Start {
        /// The player.
        name: String,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A game could not be stored.
    #[error(transparent)]
    Store(#[from] WriteError),
    /// No memory for the solver.
    #[error("no memory for the solver: {0}")]
    Solver(std::io::Error),
}

/// What a worker sends home.
enum Message {
    Played(Fixture, Box<Played>),
    Failed(TournamentError),
}

impl Tournament<'_> {
    /// Plays the games that are not among the results yet. `heard` is told of
    /// every finished game.
    pub fn run(
        &mut self,
        results: &mut Results,
        mut heard: impl FnMut(&Finished),
    ) -> Result<Conclusion, TournamentError> {
        let plan = self.plan;
        let missing: Vec<u64> = (0..plan.games()).filter(|&n| !results.contains(n)).collect();
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
                let worker = Worker {
                    plan,
                    missing: &missing,
                    next: &next,
                    halts: [self.halt, &enough],
                    restart: self.restart,
                    sender: sender.clone(),
                };
                scope.spawn(move || worker.work());
            }
            drop(sender);
            for message in receiver {
                let (fixture, played) = match message {
                    Message::Played(fixture, played) => (fixture, *played),
                    Message::Failed(failed) => {
                        enough.finish();
                        error.get_or_insert(failed);
                        continue;
                    }
                };
                if played.record.ending == Ending::Interrupted {
                    continue;
                }
                let mut record = played.record;
                record.source = Some(Source {
                    plan: plan.id().as_str().into(),
                    shard: fixture.pairing as u64,
                    game: fixture.number,
                });
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
        Ok(conclusion.unwrap_or(match results.len() == plan.games() {
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
    fn look(&mut self, plan: &Plan, results: &Results) -> Option<SprtRunResult> {
        while self.run.decision() == Decision::Continue {
            let pair = results.pair(plan, 0, self.next).filter(|_| self.next < plan.pairs)?;
            self.run.observe(pair.class());
            self.next += 1;
        }
        let (decision, llr) = (self.run.decision(), self.run.llr());
        Some(SprtRunResult { decision, llr, pairs: self.next })
    }
}

/// Plays one game after the other with its own players.
struct Worker<'a> {
    plan: &'a Plan,
    missing: &'a [u64],
    next: &'a AtomicUsize,
    halts: [&'a Halt; 2],
    restart: bool,
    sender: SyncSender<Message>,
}

impl Worker<'_> {
    fn work(&self) {
        let mut players: Vec<Option<Box<dyn Player>>> =
            self.plan.contestants.iter().map(|_| None).collect();
        let mut solver = match self.solver() {
            Ok(solver) => solver,
            Err(error) => {
                let _ = self.sender.send(Message::Failed(TournamentError::Solver(error)));
                return;
            }
        };
        while !self.halts.iter().any(|halt| halt.is_finishing()) {
            let Some(&number) = self.missing.get(self.next.fetch_add(1, Ordering::Relaxed)) else {
                return;
            };
            let fixture = self.plan.fixture(number);
            let message = match self.play(fixture, &mut players, &mut solver) {
                Ok(played) => Message::Played(fixture, Box::new(played)),
                Err(error) => Message::Failed(error),
            };
            let over = match &message {
                Message::Failed(_) => true,
                Message::Played(_, played) => {
                    let fatal = played.failure.as_ref().filter(|(_, failure)| failure.is_fatal());
                    if let Some((color, _)) = fatal {
                        players[fixture.player(*color)] = None;
                    }
                    fatal.is_some() && !self.restart
                }
            };
            if self.sender.send(message).is_err() || over {
                return;
            }
        }
    }

    fn solver(&self) -> std::io::Result<Option<Box<dyn Engine>>> {
        if self.plan.rules.adjudicate_empties.is_none() {
            return Ok(None);
        }
        AnyEvaluator::from(Rev::default()).engine(Options::default()).map(Some)
    }

    fn play(
        &self,
        fixture: Fixture,
        players: &mut [Option<Box<dyn Player>>],
        solver: &mut Option<Box<dyn Engine>>,
    ) -> Result<Played, TournamentError> {
        // Both are taken out of the row, to be held at the same time.
        let mut take = |index: usize| match players[index].take() {
            Some(player) => Ok(player),
            None => (self.plan.contestants[index].build)().map_err(|source| {
                let name = self.plan.contestants[index].name.clone();
                TournamentError::Start { name, source }
            }),
        };
        let mut black = take(fixture.black)?;
        let mut white = take(fixture.white)?;
        let seat = |color: Color, player| {
            let contestant = &self.plan.contestants[fixture.player(color)];
            Seat { name: &contestant.name, limits: contestant.limits, player }
        };
        let mut referee = Referee {
            rules: self.plan.rules,
            solver: solver.as_deref_mut().map(|solver| solver as &mut dyn Engine),
            stop: self.halts[0].stop_flag(),
        };
        let seats = [seat(Color::Black, &mut *black), seat(Color::White, &mut *white)];
        let played = referee.play(&self.plan.openings[fixture.opening], seats);
        players[fixture.black] = Some(black);
        players[fixture.white] = Some(white);
        Ok(played)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Standings;
    use super::super::plan::Schedule;
    use super::super::plan::tests::plan;
    use super::*;
    use crate::stats::SprtModel;

    fn run(plan: &Plan, concurrency: usize, sprt: Option<Sprt>) -> (Conclusion, Results) {
        let mut results = Results::default();
        let halt = Halt::new();
        let mut tournament =
            Tournament { plan, concurrency, restart: false, sprt, archive: None, halt: &halt };
        let conclusion = tournament.run(&mut results, |_| {}).unwrap();
        (conclusion, results)
    }

    /// The table without times, which never repeat.
    fn table(plan: &Plan, results: &Results) -> String {
        let standings = Standings::new(plan, results, None, 1);
        let tallies: Vec<_> = standings.players.iter().map(|player| player.tally).collect();
        format!("{tallies:?} {:?} {:?}", standings.matches, standings.ratings)
    }

    #[test]
    fn any_number_of_workers_gives_the_same_table() {
        let plan = plan(3, Schedule::RoundRobin, 3);
        let (conclusion, one) = run(&plan, 1, None);
        let (_, three) = run(&plan, 3, None);
        assert_eq!((conclusion, one.len()), (Conclusion::Complete, 18));
        assert_eq!(table(&plan, &one), table(&plan, &three));
    }

    #[test]
    fn a_halted_tournament_goes_on_where_it_stopped() {
        let plan = plan(2, Schedule::RoundRobin, 3);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.games");
        let undisturbed = run(&plan, 1, None).1;
        let mut sessions = 0;
        loop {
            let mut archive = ArchiveWriter::open_or_create(&path).unwrap();
            let mut results = Results::load(&path, &plan).unwrap();
            let before = results.len();
            let halt = Halt::new();
            let mut tournament = Tournament {
                plan: &plan,
                concurrency: 1,
                restart: false,
                sprt: None,
                archive: Some(&mut archive),
                halt: &halt,
            };
            let conclusion = tournament.run(&mut results, |_| halt.finish()).unwrap();
            sessions += 1;
            assert!(results.len() > before, "every session gets on");
            if conclusion == Conclusion::Complete {
                break;
            }
            assert_eq!(conclusion, Conclusion::Halted);
        }
        assert!((3..=6).contains(&sessions), "{sessions}");
        let loaded = Results::load(&path, &plan).unwrap();
        assert_eq!(table(&plan, &loaded), table(&plan, &undisturbed));
        let mut other = plan.clone();
        other.pairs = 2;
        assert!(Results::load(&path, &other).unwrap_err().to_string().contains("belongs to"));
    }

    #[test]
    fn a_sequential_test_stops_at_the_same_pair_with_any_number_of_workers() {
        let mut plan = plan(2, Schedule::RoundRobin, 60);
        plan.contestants.swap(0, 1);
        let sprt =
            Sprt { elo0: 0.0, elo1: 200.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };
        let (one, _) = run(&plan, 1, Some(sprt));
        let (two, _) = run(&plan, 2, Some(sprt));
        assert!(matches!(one, Conclusion::Decided(result) if result.pairs < 60), "{one:?}");
        assert_eq!(one, two);
    }

    #[test]
    fn a_player_that_cannot_be_made_is_named() {
        let mut plan = plan(2, Schedule::RoundRobin, 1);
        plan.contestants[1].build = std::sync::Arc::new(|| Err("no such file".into()));
        let halt = Halt::new();
        let mut tournament = Tournament {
            plan: &plan,
            concurrency: 2,
            restart: false,
            sprt: None,
            archive: None,
            halt: &halt,
        };
        let error = tournament.run(&mut Results::default(), |_| {}).unwrap_err();
        let source = Error::source(&error).map(ToString::to_string);
        assert_eq!((error.to_string().as_str(), source.as_deref()), ("b", Some("no such file")));
    }
}
