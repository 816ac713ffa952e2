//! Files of games and classified positions, as columns for data frames.

use std::path::PathBuf;

use discern_board::{Bitboard, Board, Outcome, Score};
use discern_learn::{ClassifiedPosition, GameTree, Split};
use discern_records::{FileFault, GameFile, GameRecord, files_of};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::value_error;

/// The games of a file or folder of any format, or of the shipped archive,
/// column by column.
#[pyfunction]
#[pyo3(signature = (path=None))]
pub fn read_games(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Bound<'_, PyDict>> {
    let games = py.detach(|| {
        let mut games = Vec::new();
        each_game(path, |game| games.push(game)).map(|()| games)
    });
    columns(py, &games.map_err(value_error)?)
}

fn each_game(path: Option<PathBuf>, mut take: impl FnMut(GameRecord)) -> Result<(), FileFault> {
    let Some(path) = path else {
        let shipped = GameFile::from_reader(discern_data::GAMES, "the shipped games", None)?;
        return shipped.into_iter().try_for_each(|game| game.map(&mut take));
    };
    for file in files_of(&path)? {
        GameFile::open(&file, None)?.try_for_each(|game| game.map(&mut take))?;
    }
    Ok(())
}

/// A text of a game.
type TextOf = fn(&GameRecord) -> String;

fn columns<'py>(py: Python<'py>, games: &[GameRecord]) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    let texts: [(&str, TextOf); 7] = [
        ("black", |game| game.players.black.name.to_string()),
        ("white", |game| game.players.white.name.to_string()),
        ("event", |game| game.event.to_string()),
        ("date", |game| game.date.to_string()),
        ("ending", |game| game.ending.to_string()),
        ("start", |game| game.game.start().to_string()),
        ("moves", |game| game.game.moves().map(|mv| mv.to_string()).collect()),
    ];
    for (name, text) in texts {
        told.set_item(name, games.iter().map(text).collect::<Vec<_>>())?;
    }
    let scores = games.iter().map(|game| game.score_black.map(Score::discs));
    told.set_item("score_black", scores.collect::<Vec<_>>())?;
    let plies = games.iter().map(|game| game.game.plies().len() as i64);
    told.set_item("plies", PyArray1::from_iter(py, plies))?;
    let opening = games.iter().map(|game| game.opening as i64);
    told.set_item("opening", PyArray1::from_iter(py, opening))?;
    Ok(told)
}

/// The positions of such games with their outcomes in the tree of all of them,
/// column by column.
#[pyfunction]
#[pyo3(signature = (path=None))]
pub fn read_positions(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Bound<'_, PyDict>> {
    let positions = py.detach(|| {
        let mut tree = GameTree::default();
        each_game(path, |game| {
            tree.add(&game);
        })?;
        Ok(tree.classify().0.into_iter().map(|labelled| labelled.position).collect::<Vec<_>>())
    });
    position_columns(py, &positions.map_err(|fault: FileFault| value_error(fault))?)
}

fn position_columns<'py>(
    py: Python<'py>,
    positions: &[ClassifiedPosition],
) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    macro_rules! column {
        ($name:literal, $value:expr) => {
            told.set_item($name, PyArray1::from_iter(py, positions.iter().map($value)))?
        };
    }
    column!("mover", |p| p.board.mover().0);
    column!("opponent", |p| p.board.opponent().0);
    column!("discs", |p| p.board.discs() as i64);
    column!("outcome", |p| p.points());
    column!("score", |p| p.score.map_or(f64::NAN, |score| f64::from(score.discs())));
    column!("games", |p| p.games);
    column!("group", |p| p.group);
    column!("shared", |p| p.shared);
    Ok(told)
}

/// Classified positions as Python holds them.
#[derive(FromPyObject)]
pub struct Classified<'py> {
    #[pyo3(item)]
    mover: PyReadonlyArray1<'py, u64>,
    #[pyo3(item)]
    opponent: PyReadonlyArray1<'py, u64>,
    #[pyo3(item)]
    outcome: PyReadonlyArray1<'py, f64>,
    #[pyo3(item)]
    group: PyReadonlyArray1<'py, u32>,
    #[pyo3(item)]
    shared: PyReadonlyArray1<'py, bool>,
}

impl Classified<'_> {
    pub fn positions(&self) -> PyResult<Vec<ClassifiedPosition>> {
        let boards = boards(&self.mover, &self.opponent)?;
        let (outcome, group) = (self.outcome.as_array(), self.group.as_array());
        let shared = self.shared.as_array();
        if [outcome.len(), group.len(), shared.len()].iter().any(|&rows| rows != boards.len()) {
            return Err(value_error("the columns of the positions differ in length"));
        }
        let classified = boards.into_iter().enumerate().map(|(row, board)| {
            let outcome = match outcome[row] {
                1.0 => Outcome::Win,
                0.5 => Outcome::Draw,
                0.0 => Outcome::Loss,
                other => return Err(value_error(format!("outcome {other} is not 1, 0.5 or 0"))),
            };
            let (group, shared) = (group[row], shared[row]);
            Ok(ClassifiedPosition { board, games: 1, group, shared, outcome, score: None })
        });
        classified.collect()
    }
}

/// Boards from the bits of both sides.
pub fn boards(
    mover: &PyReadonlyArray1<u64>,
    opponent: &PyReadonlyArray1<u64>,
) -> PyResult<Vec<Board>> {
    let (mover, opponent) = (mover.as_array(), opponent.as_array());
    if mover.len() != opponent.len() {
        return Err(value_error("mover and opponent differ in length"));
    }
    let board = |(&mover, &opponent): (&u64, &u64)| {
        Board::new(Bitboard(mover), Bitboard(opponent))
            .ok_or_else(|| value_error("a square has discs of both sides"))
    };
    mover.iter().zip(opponent).map(board).collect()
}

/// Which positions are of games to learn from (1), of games to test on (2), and
/// on neither side (0), because both sides would share them.
#[pyfunction]
pub fn split_by_game<'py>(
    py: Python<'py>,
    positions: Classified<'py>,
    test_share: f64,
    seed: u64,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let positions = positions.positions()?;
    let sides = py.detach(|| {
        let split = Split::by_group(&positions, test_share, seed);
        let side = |side: &[ClassifiedPosition]| -> std::collections::HashSet<Board> {
            side.iter().map(|position| position.board).collect()
        };
        let (training, test) = (side(&split.training), side(&split.test));
        let side = |position: &ClassifiedPosition| match position {
            p if p.shared => 0,
            p if training.contains(&p.board) => 1,
            p => 2 * u8::from(test.contains(&p.board)),
        };
        positions.iter().map(side).collect::<Vec<u8>>()
    });
    Ok(PyArray1::from_vec(py, sides))
}
