use crate::{Board, Color, Move, Position, Score};

/// A start position and what has been played since, passes included.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Game {
    start: Position,
    plies: Vec<Ply>,
    position: Position,
}

/// One turn of a [`Game`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ply {
    /// The position in which the move was made.
    pub before: Position,
    /// The move.
    pub mv: Move,
}

/// The move is against the rules; the game is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{mv} is not a legal move for {mover}")]
pub struct IllegalMove {
    /// The offending move.
    pub mv: Move,
    /// Who tried it.
    pub mover: Color,
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::START)
    }
}

impl Game {
    /// A game that begins in this position.
    pub fn new(start: Position) -> Game {
        Game { start, plies: Vec::new(), position: start }
    }

    /// A game that begins in this position, with room for this many plies.
    pub fn with_capacity(start: Position, plies: usize) -> Game {
        Game { start, plies: Vec::with_capacity(plies), position: start }
    }

    /// Where the game began.
    pub fn start(&self) -> Position {
        self.start
    }

    /// Where the game stands.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The turns so far, passes included.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves so far, passes included.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let before = self.position;
        let board = before.board.play(mv).ok_or(IllegalMove { mv, mover: before.mover })?;
        self.plies.push(Ply { before, mv });
        self.position = Position { board, mover: !before.mover };
        Ok(())
    }

    /// Plays a move that the caller knows to be legal and to lead to `after`,
    /// which must be what [`Board::play`] says. Readers of many games have
    /// worked both out already.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move, after: Board) {
        let before = self.position;
        debug_assert_eq!(before.board.play(mv), Some(after));
        self.plies.push(Ply { before, mv });
        self.position = Position { board: after, mover: !before.mover };
    }

    /// Plays a move, with a pass in front where the side to move has none but
    /// must give the turn over: records often leave passes out.
    pub fn play_after_pass(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let played = self.play(mv);
        // Passes are rare: look for one only when the move does not fit.
        if played.is_ok() || mv == Move::Pass || !self.position.board.must_pass() {
            return played;
        }
        self.play(Move::Pass)?;
        self.play(mv).inspect_err(|_| {
            self.undo();
        })
    }

    /// Takes the last move back; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        self.position = ply.before;
        Some(ply.mv)
    }

    /// Neither side can move.
    pub fn is_over(&self) -> bool {
        self.position.board.is_over()
    }

    /// The result from Black's view once the game is over.
    pub fn score_black(&self) -> Option<Score> {
        let Position { board, mover } = self.position;
        let score = || match mover {
            Color::Black => board.final_score(),
            Color::White => -board.final_score(),
        };
        board.is_over().then(score)
    }

    /// Every board of the game, first to last, each from its mover's view.
    pub fn boards(&self) -> impl Iterator<Item = Board> {
        self.plies.iter().map(|ply| ply.before.board).chain([self.position.board])
    }
}
