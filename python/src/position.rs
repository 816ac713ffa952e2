//! A position.

use std::hash::{DefaultHasher, Hash, Hasher};

use discern_board::{Board, Color, Move};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::failure::value_error;

/// A board and the side to move: 64 characters from a1, b1, … to h8 (X black,
/// O white, - empty), a blank and the side to move. Without a text, the start.
#[pyclass(frozen, eq, from_py_object, module = "discern")]
#[derive(Clone, Copy, PartialEq)]
pub struct Position(pub discern_board::Position);

/// A move as people write it.
pub fn parse_move(text: &str) -> PyResult<Move> {
    text.parse().map_err(value_error)
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (text=None))]
    fn new(text: Option<&str>) -> PyResult<Self> {
        match text {
            None => Ok(Self(discern_board::Position::START)),
            Some(text) => text
                .parse()
                .map(Self)
                .map_err(|error| value_error(format!("not a position: {error}"))),
        }
    }

    /// The position of these discs, as bits from a1 (1) to h8 (1 << 63).
    #[staticmethod]
    #[pyo3(signature = (mover, opponent, black_to_move=true))]
    fn from_bits(mover: u64, opponent: u64, black_to_move: bool) -> PyResult<Self> {
        let board = Board::new(discern_board::Bitboard(mover), discern_board::Bitboard(opponent))
            .ok_or_else(|| PyValueError::new_err("a square has discs of both sides"))?;
        let mover = if black_to_move { Color::Black } else { Color::White };
        Ok(Self(discern_board::Position { board, mover }))
    }

    /// Who is to move: "black" or "white".
    #[getter]
    fn mover(&self) -> String {
        self.0.mover.to_string()
    }

    /// The mover's discs as bits.
    #[getter]
    fn mover_bits(&self) -> u64 {
        self.0.board.mover().0
    }

    /// The opponent's discs as bits.
    #[getter]
    fn opponent_bits(&self) -> u64 {
        self.0.board.opponent().0
    }

    /// Discs on the board.
    #[getter]
    fn discs(&self) -> u32 {
        self.0.board.discs()
    }

    /// Empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.board.empties()
    }

    /// The legal moves; ["pass"] if the mover has none but the game goes on.
    fn legal_moves(&self) -> Vec<String> {
        if self.0.board.must_pass() {
            return vec![Move::Pass.to_string()];
        }
        self.0.board.moves().squares().map(|square| square.to_string()).collect()
    }

    /// The position after a move.
    #[pyo3(name = "play")]
    fn after(&self, r#move: &str) -> PyResult<Self> {
        let mut game = discern_board::Game::new(self.0);
        game.play_after_pass(parse_move(r#move)?).map_err(value_error)?;
        Ok(Self(game.position()))
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.board.is_over()
    }

    /// Disc difference for the mover with the empties to the winner; nothing
    /// while the game goes on.
    #[getter]
    fn score(&self) -> Option<i32> {
        let board = self.0.board;
        board.is_over().then(|| board.final_score().discs())
    }

    /// The least of the eight images, with the same side to move.
    fn canonical(&self) -> Self {
        let board = self.0.board.canonical();
        Self(discern_board::Position { board, mover: self.0.mover })
    }

    /// The disc on a square: "black", "white" or nothing.
    fn disc(&self, square: &str) -> PyResult<Option<String>> {
        let square = square.parse().map_err(value_error)?;
        Ok(self.0.board.disc(square, self.0.mover).map(|color| color.to_string()))
    }

    /// The board as eight lines of text.
    fn draw(&self) -> String {
        self.0.board.draw(self.0.mover)
    }

    fn _repr_svg_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("discern.board")?.call_method1("svg", (slf,))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position('{}')", self.0)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (String,)) {
        (slf.get_type().into_any().unbind(), (slf.get().0.to_string(),))
    }
}
