//! Folders of planned runs, and shards that come back from other machines.

use std::fs::File;
use std::path::PathBuf;

use discern_arena::tournament::TournamentPlan;
use discern_players::{
    Accepted, Job, JobError, RunFolder as Folder, ShardFolder, fingerprint_of_file, format_of,
};
use discern_selfplay::{CorrectPlan, GeneratePlan, GrowPlan, LabelPlan};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::value_error;

/// A disk that is full here is not the fault of the machine that made a shard.
fn job_error(error: JobError) -> PyErr {
    match error {
        JobError::Io(..) => PyOSError::new_err(error.to_string()),
        error => value_error(error),
    }
}

/// No plan is larger.
const MOST: u64 = 16 << 20;

/// The folder of a run: its plan, and the shards that are there.
#[pyclass(frozen, module = "discern._native")]
pub struct RunFolder(ShardFolder, &'static str);

/// Keeps other processes from working on the plan as long as it lives.
#[pyclass(frozen, module = "discern._native")]
pub struct FolderLock(#[allow(dead_code, reason = "held, never read")] File);

/// Each kind of plan with the subcommand that works on it.
fn open(path: &PathBuf) -> Result<RunFolder, JobError> {
    let file = path.join("plan.json");
    let text =
        discern_files::read_text(&file, MOST).map_err(|error| JobError::Io(file.clone(), error))?;
    match format_of(&text).as_deref() {
        Some(GeneratePlan::FORMAT) => folder::<GeneratePlan>(path, "generate"),
        Some(TournamentPlan::FORMAT) => folder::<TournamentPlan>(path, "tournament"),
        Some(CorrectPlan::FORMAT) => folder::<CorrectPlan>(path, "correct"),
        Some(LabelPlan::FORMAT) => folder::<LabelPlan>(path, "label"),
        Some(GrowPlan::FORMAT) => folder::<GrowPlan>(path, "book"),
        Some(other) => Err(JobError::File(file, format!("'{other}' is no plan with shards"))),
        None => Err(JobError::File(file, "not a plan".into())),
    }
}

fn folder<J: Job>(path: &PathBuf, verb: &'static str) -> Result<RunFolder, JobError> {
    let folder = Folder::<J>::open(path)?;
    Ok(RunFolder((*folder).clone(), verb))
}

#[pymethods]
impl RunFolder {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<RunFolder> {
        py.detach(|| open(&path)).map_err(job_error)
    }

    /// The subcommand that works on it.
    #[getter]
    fn verb(&self) -> &str {
        self.1
    }

    #[getter]
    fn format(&self) -> &str {
        self.0.format()
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The build that began, for people, and the hash of its program.
    #[getter]
    fn build(&self) -> (String, String) {
        (self.0.build().to_string(), self.0.build().program.clone())
    }

    #[getter]
    fn shards(&self) -> u32 {
        self.0.shards()
    }

    #[getter]
    fn threads(&self) -> usize {
        self.0.threads()
    }

    #[getter]
    fn repeatable(&self) -> bool {
        self.0.is_repeatable()
    }

    fn units(&self, shard: u32) -> u64 {
        self.0.units(shard)
    }

    fn inputs(&self, py: Python<'_>) -> PyResult<Vec<PathBuf>> {
        py.detach(|| self.0.inputs()).map_err(job_error)
    }

    /// The shards that are not whole, each with the damage if there is any.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<(u32, Option<String>)>> {
        py.detach(|| self.0.missing()).map_err(job_error)
    }

    fn lock(&self, py: Python<'_>) -> PyResult<FolderLock> {
        py.detach(|| self.0.lock()).map(FolderLock).map_err(job_error)
    }

    /// Takes a shard: `new`, `same`, `kept`, or `differs` and where the other
    /// one is now.
    fn accept<'py>(
        &self,
        py: Python<'py>,
        shard: u32,
        games: &[u8],
        seal: &str,
        other_build: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let accepted =
            py.detach(|| self.0.accept(shard, games, seal, other_build)).map_err(job_error)?;
        let found = PyDict::new(py);
        let (what, other) = match accepted {
            Accepted::New => ("new", None),
            Accepted::Same => ("same", None),
            Accepted::Kept => ("kept", None),
            Accepted::Differs(path) => ("differs", Some(path)),
        };
        found.set_item("what", what)?;
        found.set_item("other", other)?;
        Ok(found)
    }
}

/// The name of a file's content, as seals and plans have it.
#[pyfunction]
pub fn fingerprint(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    py.detach(|| fingerprint_of_file(&path))
        .map_err(|error| value_error(format!("{}: {error}", path.display())))
}
