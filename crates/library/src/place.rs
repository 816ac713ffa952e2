use discern_board::{Board, Color, Position, Square, Symmetry};

/// A position that games are searched for, in all its images.
#[derive(Debug)]
pub struct Place {
    discs: u32,
    /// Different boards, each with a symmetry that leads to it.
    images: Vec<(Board, Symmetry)>,
    /// The symmetries that change nothing.
    own: Vec<Symmetry>,
}

/// A game at the place that is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Who is to move there.
    pub mover: Color,
    /// What was played, turned to the position as it was asked for; of moves
    /// that are images of each other always the same one.
    pub next: Option<Square>,
}

impl Place {
    /// Where the side to move has to pass, the position after that.
    pub fn new(board: Board) -> Place {
        let board = settled(board);
        let mut images: Vec<(Board, Symmetry)> = Vec::new();
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(board);
            if images.iter().all(|(known, _)| *known != image) {
                images.push((image, symmetry));
            }
        }
        let same = |symmetry: &Symmetry| symmetry.board(board) == board;
        let own = Symmetry::ALL.into_iter().filter(same).collect();
        Place { discs: board.discs(), images, own }
    }

    /// Plays a game up to the number of discs and compares.
    pub(crate) fn visit(&self, start: Position, squares: &[u8]) -> Option<Visit> {
        let plies = self.discs.checked_sub(start.board.discs())? as usize;
        let Position { mut board, mut mover } = start;
        for &square in squares.get(..plies)? {
            let square = Square::ALL[usize::from(square)];
            let mut flips = board.flips(square);
            if flips.is_empty() {
                (board, mover) = (board.pass(), !mover);
                flips = board.flips(square);
            }
            (board, mover) = (board.play_unchecked(square, flips), !mover);
        }
        let image = |board: Board| self.images.iter().find(|(image, _)| *image == board);
        let (symmetry, mover) = match image(board) {
            Some((_, symmetry)) => (symmetry, mover),
            None => match image(board.pass()).filter(|_| settled(board) != board) {
                Some((_, symmetry)) => (symmetry, !mover),
                None => return None,
            },
        };
        let back = symmetry.inverse();
        let next = squares.get(plies).map(|&square| {
            let asked = back.square(Square::ALL[usize::from(square)]);
            let images = self.own.iter().map(|own| own.square(asked));
            images.min_by_key(|square| square.index()).unwrap_or(asked)
        });
        Some(Visit { mover, next })
    }
}

/// The board after a pass that is forced.
fn settled(board: Board) -> Board {
    if board.must_pass() { board.pass() } else { board }
}
