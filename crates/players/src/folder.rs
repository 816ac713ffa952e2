use std::fs;
use std::ops::Deref;
use std::path::Path;

use crate::error::JobError;
use crate::job::Job;
use crate::plan::Plan;
use crate::shard_folder::{MOST_TEXT, PLAN, ShardFolder, write_whole};
use crate::store::WeightStore;

/// The folder of one run: the plan, the files it refers to, and for every
/// finished shard an archive of games with its [`Seal`](crate::Seal). What does
/// not depend on the kind of work is in its [`ShardFolder`].
pub struct RunFolder<J> {
    folder: ShardFolder,
    plan: Plan<J>,
    store: WeightStore,
}

impl<J> Deref for RunFolder<J> {
    type Target = ShardFolder;

    fn deref(&self) -> &ShardFolder {
        &self.folder
    }
}

impl<J: Job> RunFolder<J> {
    /// Begins a run, or opens the run of the same plan.
    ///
    /// # Errors
    /// If the folder has another plan, or one that another build began which
    /// is not welcome.
    pub fn create(
        path: impl AsRef<Path>,
        work: J,
        store: &WeightStore,
        other_build: bool,
    ) -> Result<RunFolder<J>, JobError> {
        work.check()?;
        let path = path.as_ref();
        fs::create_dir_all(path).map_err(|error| JobError::Io(path.to_owned(), error))?;
        let file = path.join(PLAN);
        let plan = Plan::new(work);
        if !file.exists() {
            store.copy_to(path, plan.work.players())?;
            let mut text = serde_json::to_string_pretty(&plan).expect("plain data");
            text.push('\n');
            write_whole(&file, text.as_bytes())?;
        }
        let folder = RunFolder::open(path)?;
        plan.resume(folder.plan.clone(), other_build)
            .map_err(|error| JobError::File(file, error.to_string()))?;
        Ok(folder)
    }

    /// Opens the folder of a run.
    pub fn open(path: impl AsRef<Path>) -> Result<RunFolder<J>, JobError> {
        let path = path.as_ref().to_owned();
        let file = path.join(PLAN);
        let text = discern_files::read_text(&file, MOST_TEXT)
            .map_err(|error| JobError::Io(file.clone(), error))?;
        let plan: Plan<J> =
            Plan::parse(&text).map_err(|error| JobError::File(file, error.to_string()))?;
        let store = WeightStore::new();
        store.add_folder(&path);
        Ok(RunFolder { folder: ShardFolder::new(path, &plan), plan, store })
    }

    /// Is this the build that began, or another one welcome?
    ///
    /// # Errors
    /// Which build began.
    pub fn check_build(&self, other_build: bool) -> Result<(), JobError> {
        self.plan
            .check_build(other_build)
            .map_err(|error| JobError::File(self.path().join(PLAN), error.to_string()))
    }

    /// What is done.
    pub fn work(&self) -> &J {
        &self.plan.work
    }

    /// The plan.
    pub fn plan(&self) -> &Plan<J> {
        &self.plan
    }

    /// The weights of the run, shared by all who work here.
    pub fn store(&self) -> &WeightStore {
        &self.store
    }
}
