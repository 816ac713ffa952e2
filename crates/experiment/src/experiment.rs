use std::path::Path;

use discern_arena::openings::Selection;
use discern_players::{Halt, WeightStore};

use crate::error::{Doing, ExperimentError};
use crate::event::{Event, Facts, Step};
use crate::matches::{self, Contest, Hall, Played};
use crate::paper::TABLE;
use crate::{
    FORMAT, FileFact, Folder, Pace, Reproduction, Run, Settings, Source, findings, learning,
    machine, moment, openings, speed, strength,
};

/// The file of all results.
pub const NUMBERS: &str = "numbers.json";

/// Nodes of each search that measures the speed.
pub const SPEED_NODES: u64 = 150_000;

/// What is to be done.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Games to learn from.
    pub games: Source,
    /// Openings to begin with.
    pub given: Source,
    /// How long the games take.
    pub pace: Pace,
    /// Openings, each played twice; beyond those given, more are sought.
    pub openings: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Play nothing, but write a plan for each match, which other machines can
    /// work on.
    pub plans_only: bool,
    /// Nodes of each search that measures the speed, [`SPEED_NODES`] for one to
    /// be believed.
    pub speed_nodes: u64,
    /// Program and version, such as `discern 0.1.0`.
    pub program: String,
    /// BLAKE3 of the program.
    pub build: String,
    /// The command as it was given.
    pub command: String,
}

impl Experiment {
    /// Everything the results depend on.
    pub fn settings(&self) -> Settings {
        Settings {
            program: self.program.clone(),
            build: self.build.clone(),
            study: None,
            details: String::new(),
            pace: self.pace,
            openings: self.openings,
            seed: self.seed,
            games: self.games.fact().blake3,
            openings_file: self.given.fact().blake3,
        }
    }

    /// Does what is missing and writes the results into the folder.
    ///
    /// `halt` ends it between two games; then, as after a kill, the next call
    /// resumes.
    ///
    /// # Errors
    /// If the games do not suffice, a file cannot be read or written, or it was
    /// halted.
    pub fn run(
        &self,
        folder: &mut Folder,
        halt: &Halt,
        watch: &mut dyn FnMut(Event),
    ) -> Result<Reproduction, ExperimentError> {
        let (learned, models) = learning::learn(&self.games, self.seed, folder, watch)?;
        let (probes, nodes) = (&learned.probes, self.speed_nodes);
        let measured = speed::measure(&models, probes, nodes, self.pace, folder, watch)?;

        watch(Event::Begun(Step::Matches));
        let selection = Selection { count: self.openings, seed: self.seed, ..Selection::default() };
        let openings =
            openings::openings(&self.given, selection, &models, self.concurrency, folder, watch)?;
        let store = WeightStore::new();
        let weights = store.add(models.weights().clone());
        let &Self { concurrency, plans_only, .. } = self;
        let hall = Hall { store: &store, openings, concurrency, plans_only, halt };
        let rows = TABLE.iter().enumerate();
        let thirty = measured.thirty_minutes;
        let contests: Vec<Contest> =
            rows.map(|(n, row)| Contest::of_row(n, row, &weights, thirty)).collect();
        let played = matches::play(&hall, &contests, folder, watch)?;
        watch(Event::Done(Facts::Matches((2 * self.openings * played.len()) as u64)));

        watch(Event::Begun(Step::Factors));
        let rows = TABLE.iter().zip(&played);
        let table = rows.map(|(row, played)| strength::match_row(row, played, self.seed)).collect();
        let equal_strength = strength::equal_strength(&played);
        let found = equal_strength.iter().filter(|factor| factor.found.is_some()).count();
        watch(Event::Done(Facts::Factors { found, of: equal_strength.len() }));

        watch(Event::Begun(Step::Report));
        folder.save_time()?;
        let mut found = Reproduction {
            format: FORMAT,
            run: Run {
                command: self.command.clone(),
                program: self.program.clone(),
                preset: self.pace.preset(),
                thirty_minutes: measured.thirty_minutes,
                openings: self.openings,
                started: folder.started().to_owned(),
                finished: moment::now(),
                seconds: folder.seconds(),
                machine: machine::machine(self.concurrency),
                load: folder.load_of_machine(),
                concurrency: self.concurrency,
                seed: self.seed,
                files: self.files(folder, &played)?,
            },
            database: learned.database,
            densities: learned.densities,
            winning_curve: learned.winning_curve,
            fits: learned.fits,
            quality: learned.quality,
            speed: measured.speed,
            table,
            balanced_openings: strength::balanced_openings(&played),
            equal_strength,
            findings: Vec::new(),
        };
        found.findings = findings(&found);
        folder.finish(&found)?;
        watch(Event::Done(Facts::Report(found.run.seconds)));
        Ok(found)
    }

    /// Everything that was read and made, by its hash.
    fn files(&self, folder: &Folder, played: &[Played]) -> Result<Vec<FileFact>, ExperimentError> {
        let made = |role: String, path: &Path| -> Result<FileFact, ExperimentError> {
            Ok(FileFact::new(role, &discern_files::read(path, 1 << 30).to_file(path)?))
        };
        let mut files = vec![self.games.fact(), self.given.fact()];
        files.push(made("fitted weights".to_owned(), &folder.work(learning::WEIGHTS))?);
        for (row, played) in TABLE.iter().zip(played) {
            files.push(made(format!("games {}", row.name()), &played.archive)?);
        }
        Ok(files)
    }
}
