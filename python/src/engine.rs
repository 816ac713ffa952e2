//! The engine: odds, exact endings and reasons.

use std::path::PathBuf;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use discern_eval::{Explanation, Weights, evaluator, hand_set};
use discern_review::{Counts, EngineSearch, review};
use discern_search::{Certainty, Limits, Line, MoveTime, Options, Report, StopFlag, engine};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::failure::value_error;
use crate::game::Game;
use crate::position::Position;

/// Between two looks whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(20);

/// Finds moves by an evaluation function ("log", "fisher", "quad", "direct" of
/// the weights, or "rev") and proves endings.
///
/// One engine works on one position at a time; engines of several threads work
/// side by side.
#[pyclass(frozen, subclass, module = "discern._native")]
pub struct Engine {
    model: String,
    weights: Weights,
    engine: Mutex<Box<dyn discern_search::Engine>>,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (model="log", weights=None, threads=1, table_mib=64))]
    fn new(
        model: &str,
        weights: Option<PathBuf>,
        threads: usize,
        table_mib: usize,
    ) -> PyResult<Self> {
        if !(1..=256).contains(&threads) {
            return Err(value_error("from 1 to 256 threads"));
        }
        if !(1..=1 << 20).contains(&table_mib) {
            return Err(value_error("a table of 1 to 1048576 MiB"));
        }
        let weights = match weights {
            None => discern_data::weights().clone(),
            Some(path) => Weights::load(&path)
                .map_err(|error| value_error(format!("cannot use {}: {error}", path.display())))?,
        };
        let learned = hand_set(model).is_none().then_some(&weights);
        let evaluator = evaluator(model, learned).map_err(value_error)?;
        let options = Options { threads, table_mebibytes: table_mib };
        let engine = engine(evaluator, options).map_err(|error| {
            PyMemoryError::new_err(format!("no memory for a table of {table_mib} MiB: {error}"))
        })?;
        Ok(Self { model: model.to_owned(), weights, engine: Mutex::new(engine) })
    }

    /// The name of the evaluation function.
    #[getter]
    fn model(&self) -> &str {
        &self.model
    }

    /// The best moves of a position or game, each with its odds: as strong as
    /// `seconds` allow (1 unless a depth or nodes are given), at full width to
    /// `depth`, or up to `nodes`.
    #[pyo3(signature = (position, *, seconds=None, depth=None, nodes=None, best=64))]
    fn analyze<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        seconds: Option<f64>,
        depth: Option<u32>,
        nodes: Option<u64>,
        best: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = position_of(position)?;
        let limits = Limits { lines: best.max(1), ..limits(seconds, depth, nodes)? };
        let report = self.search(py, &position, &limits, false)?;
        told(py, &position, &report)
    }

    /// The exact score with the best play, or with `outcome` only win, draw or
    /// loss, which is faster.
    #[pyo3(signature = (position, *, outcome=false))]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        outcome: bool,
    ) -> PyResult<Bound<'py, PyDict>> {
        let position = position_of(position)?;
        let limits = if outcome { Limits::SOLVE_OUTCOME } else { Limits::SOLVE };
        let report = self.search(py, &position, &limits, true)?;
        let best = report.best().expect("a game that is not over has a move");
        let solution = move_told(py, best, position.0.board.empties())?;
        solution.set_item("nodes", report.nodes)?;
        solution.set_item("seconds", report.time.as_secs_f64())?;
        Ok(solution)
    }

    /// What each feature adds to the log-odds of a position in each model of
    /// the weights, before any search; after a move if one is given.
    #[pyo3(signature = (position, *, r#move=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
        r#move: Option<&str>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let board = position_of(position)?.0.board;
        let explanation = match r#move {
            None => self.weights.explain(&board),
            Some(text) => {
                let mv = crate::position::parse_move(text)?;
                let none = || value_error(format!("{text} is not legal, or ends the game"));
                self.weights.explain_move(&board, mv).ok_or_else(none)?
            }
        };
        explained(py, &explanation)
    }

    /// Every move of a game judged, a dict each: what it promised, what the
    /// best one promised, and how bad the difference is.
    #[pyo3(signature = (game, *, seconds=None, depth=None))]
    fn review<'py>(
        &self,
        py: Python<'py>,
        game: &Bound<'py, Game>,
        seconds: Option<f64>,
        depth: Option<u32>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (game, limits) = (game.borrow().inner().clone(), limits(seconds, depth, None)?);
        let moves = self.interruptible(py, |engine, stop| {
            engine.forget();
            let mut search = EngineSearch { engine, limits, stop };
            review(&game, &mut search, Counts::default()).collect::<Vec<_>>()
        })?;
        let told = PyList::empty(py);
        for judged in moves.iter().rev() {
            let row = PyDict::new(py);
            row.set_item("ply", judged.ply)?;
            row.set_item("mover", judged.mover.to_string())?;
            row.set_item("move", judged.played.to_string())?;
            row.set_item("best", judged.best.to_string())?;
            row.set_item("probability_best", judged.probability_best)?;
            row.set_item("probability_played", judged.probability_played)?;
            row.set_item("score_best", judged.score_best)?;
            row.set_item("score_played", judged.score_played)?;
            row.set_item("grade", judged.grade.to_string())?;
            row.set_item("exact", judged.exact)?;
            told.append(row)?;
        }
        Ok(told)
    }

    /// Forgets all former searches.
    fn forget(&self, py: Python<'_>) -> PyResult<()> {
        self.interruptible(py, |engine, _| engine.forget())
    }

    fn __repr__(&self) -> String {
        format!("Engine('{}')", self.model)
    }
}

impl Engine {
    fn search(
        &self,
        py: Python<'_>,
        position: &Position,
        limits: &Limits,
        afresh: bool,
    ) -> PyResult<Report> {
        let board = position.0.board;
        if board.is_over() {
            return Err(value_error("neither side can move: the game is over"));
        }
        self.interruptible(py, |engine, stop| {
            if afresh {
                engine.forget();
            }
            engine.search(&board, limits, stop, &mut |_| {})
        })
    }

    /// Does the work on a thread of its own, without the interpreter's lock;
    /// Ctrl-C stops it and becomes `KeyboardInterrupt`.
    fn interruptible<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut dyn discern_search::Engine, &StopFlag) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut engine = self.wait_for_engine()?;
            let stop = StopFlag::new();
            std::thread::scope(|scope| {
                let (sender, receiver) = mpsc::sync_channel(1);
                let (engine, flag) = (&mut **engine, stop.clone());
                scope.spawn(move || sender.send(work(engine, &flag)));
                loop {
                    match receiver.recv_timeout(GLANCE) {
                        Ok(found) => return Ok(found),
                        Err(RecvTimeoutError::Timeout) => {
                            Python::attach(|py| py.check_signals()).inspect_err(|_| stop.stop())?;
                        }
                        Err(RecvTimeoutError::Disconnected) => {
                            unreachable!("the search sends its report or panics")
                        }
                    }
                }
            })
        })
    }

    /// The engine, once no other thread of Python uses it.
    fn wait_for_engine(&self) -> PyResult<MutexGuard<'_, Box<dyn discern_search::Engine>>> {
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Ok(engine),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    Python::attach(|py| py.check_signals())?;
                    std::thread::sleep(GLANCE);
                }
            }
        }
    }
}

fn limits(seconds: Option<f64>, depth: Option<u32>, nodes: Option<u64>) -> PyResult<Limits> {
    let time = match seconds {
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| value_error(format!("{seconds} is not a number of seconds")))?,
        ),
        None => None,
    };
    match (time, depth, nodes) {
        (None, Some(depth @ 1..=60), None) => Ok(Limits::depth(depth)),
        (None, Some(_), None) => Err(value_error("a depth of 1 to 60 plies")),
        (None, None, Some(nodes)) => Ok(Limits { nodes: Some(nodes), ..Limits::default() }),
        (time, None, None) => {
            Ok(Limits::within(MoveTime::fixed(time.unwrap_or(Duration::from_secs(1)))))
        }
        _ => Err(value_error("give seconds, a depth or nodes, not several of them")),
    }
}

/// A position, the position of a game, or a text of either.
fn position_of(what: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(position) = what.cast::<Position>() {
        return Ok(*position.get());
    }
    if let Ok(game) = what.cast::<Game>() {
        return Ok(Position(game.borrow().inner().position()));
    }
    Err(PyTypeError::new_err("give a Position or a Game"))
}

fn told<'py>(
    py: Python<'py>,
    position: &Position,
    report: &Report,
) -> PyResult<Bound<'py, PyDict>> {
    let board = position.0.board;
    let moves = PyList::empty(py);
    for line in &report.lines {
        moves.append(move_told(py, line, board.empties())?)?;
    }
    let told = PyDict::new(py);
    told.set_item("mover", position.0.mover.to_string())?;
    told.set_item("discs", board.discs())?;
    told.set_item("moves", moves)?;
    told.set_item("nodes", report.nodes)?;
    told.set_item("seconds", report.time.as_secs_f64())?;
    Ok(told)
}

fn move_told<'py>(py: Python<'py>, line: &Line, empties: u32) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let depth = match line.certainty {
        Certainty::Depth(depth) => depth,
        _ => empties,
    };
    told.set_item("move", line.mv.to_string())?;
    told.set_item("probability", line.probability())?;
    told.set_item("value", line.value.log_odds())?;
    told.set_item("depth", depth)?;
    told.set_item("exact", line.is_proven())?;
    told.set_item("outcome", line.outcome().map(|outcome| outcome.to_string()))?;
    told.set_item("score", line.score().map(|score| score.discs()))?;
    told.set_item("pv", line.pv.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(told)
}

fn explained<'py>(py: Python<'py>, explanation: &Explanation) -> PyResult<Bound<'py, PyDict>> {
    let (features, models) = (PyDict::new(py), PyDict::new(py));
    for feature in &explanation.features {
        features.set_item(feature.feature.name(), feature.value)?;
    }
    for model in &explanation.models {
        let contributions = PyDict::new(py);
        for (feature, &part) in explanation.features.iter().zip(&model.parts.contributions) {
            contributions.set_item(feature.feature.name(), part)?;
        }
        let told = PyDict::new(py);
        told.set_item("value", model.parts.value())?;
        told.set_item("probability", discern_stats::logistic(model.parts.value()))?;
        told.set_item("intercept", model.parts.intercept)?;
        told.set_item("contributions", contributions)?;
        models.set_item(&model.name, told)?;
    }
    let told = PyDict::new(py);
    told.set_item("discs", explanation.discs)?;
    told.set_item("features", features)?;
    told.set_item("models", models)?;
    Ok(told)
}
