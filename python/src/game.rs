//! A game.

use pyo3::prelude::*;

use crate::failure::value_error;
use crate::position::{Position, parse_move};

/// A start position and moves: a transcript such as "f5d6c3", in which passes
/// may be left out.
#[pyclass(eq, module = "discern")]
#[derive(Clone, PartialEq)]
pub struct Game(discern_board::Game);

impl Game {
    pub fn inner(&self) -> &discern_board::Game {
        &self.0
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (transcript="", start=None))]
    fn new(transcript: &str, start: Option<Position>) -> PyResult<Self> {
        let start = start.map_or(discern_board::Position::START, |start| start.0);
        discern_board::Game::from_transcript(start, transcript)
            .map(Self)
            .map_err(|error| value_error(format!("not a legal game: {error}")))
    }

    /// Plays a move; a pass before it need not be given.
    fn play(&mut self, r#move: &str) -> PyResult<()> {
        self.0.play_after_pass(parse_move(r#move)?).map_err(value_error)
    }

    /// Takes the last move back and returns it.
    fn undo(&mut self) -> Option<String> {
        self.0.undo().map(|mv| mv.to_string())
    }

    /// Where the game stands.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position())
    }

    /// Where it began.
    #[getter]
    fn start(&self) -> Position {
        Position(self.0.start())
    }

    /// Every position from the start on.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        let before = self.0.plies().iter().map(|ply| Position(ply.before));
        before.chain([Position(self.0.position())]).collect()
    }

    /// The moves, passes included.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.0.moves().map(|mv| mv.to_string()).collect()
    }

    /// The squares played, one after the other.
    #[getter]
    fn transcript(&self) -> String {
        self.0.transcript()
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Disc difference for Black with the empties to the winner; nothing while
    /// the game goes on.
    #[getter]
    fn score_black(&self) -> Option<i32> {
        self.0.score_black().map(|score| score.discs())
    }

    fn __len__(&self) -> usize {
        self.0.plies().len()
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("discern.board")?.call_method1("game_svg", (slf,))
    }

    fn __str__(&self) -> String {
        self.0.transcript()
    }

    fn __repr__(&self) -> String {
        match self.0.start() == discern_board::Position::START {
            true => format!("Game('{}')", self.0),
            false => format!("Game('{}', Position('{}'))", self.0, self.0.start()),
        }
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String, Position)) {
        let game = &slf.borrow().0;
        let moves = game.moves().map(|mv| mv.to_string()).collect();
        (slf.get_type().into_any().unbind(), (moves, Position(game.start())))
    }
}
