use std::ops::{Index, IndexMut};
use std::sync::Arc;

use discern_board::{Color, Game, Score};

use crate::ending::Ending;
use crate::evaluation::MoveNote;
use crate::limits::Limits;
use crate::provenance::{Correction, Solved, Source};

/// A name that many games share; empty means unknown.
pub type Name = Arc<str>;

/// The longest text of a record, so that no block of the archive grows beyond
/// what readers accept.
pub const MAX_TEXT: usize = 1 << 16;

/// More proven results than a game has positions.
pub const MAX_SOLVED: usize = 256;

/// One game with all we know about it.
///
/// [`GameRecord::new`] fills in what follows from the moves; everything else
/// starts as unknown and is a public field. [`GameRecord::check`] says whether
/// the parts agree with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// Start position and moves, passes included.
    pub game: Game,
    /// Who played.
    pub players: Players,
    /// How many of the first plies were given to the players, not chosen.
    pub opening: usize,
    /// How the game ended.
    pub ending: Ending,
    /// The result from Black's view; `None` while there is none.
    pub score_black: Option<Score>,
    /// The random seed the game was played with.
    pub seed: Option<u64>,
    /// The planned work the game belongs to.
    pub source: Option<Source>,
    /// One note per ply, passes included; or none at all.
    pub notes: Vec<MoveNote>,
    /// Positions of the game with proven results, by ply.
    pub solved: Vec<Solved>,
    /// The error of another game that this game corrects.
    pub correction: Option<Correction>,
    /// Tournament or place.
    pub event: Name,
    /// When it was played, as its source writes it.
    pub date: Name,
    /// A remark on the whole game.
    pub comment: Name,
}

/// The two players.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Players {
    /// Plays the dark discs.
    pub black: Player,
    /// Plays the light discs.
    pub white: Player,
}

/// One player of a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Player {
    /// Empty if unknown.
    pub name: Name,
    /// Rating in hundredths of a point.
    pub rating_centi: Option<i32>,
    /// What the player was allowed to use.
    pub limits: Limits,
}

impl Player {
    /// A player of whom only the name is known.
    pub fn named(name: &str) -> Player {
        Player { name: name.into(), ..Player::default() }
    }
}

impl Index<Color> for Players {
    type Output = Player;

    fn index(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }
}

impl IndexMut<Color> for Players {
    fn index_mut(&mut self, color: Color) -> &mut Player {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

/// Parts of a record that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The board says otherwise.
    #[error("the result is given as {stated} for black, the board says {reached}")]
    Score {
        /// What the record claims.
        stated: Score,
        /// What the last position shows.
        reached: Score,
    },
    /// Said to be over, but somebody can move.
    #[error("said to be played to the end, but {mover} can still move after ply {plies}")]
    NotOver {
        /// Who is to move.
        mover: Color,
        /// Plies played.
        plies: usize,
    },
    /// A number of notes that is neither none nor one per ply.
    #[error("{notes} notes for {plies} plies")]
    Notes {
        /// Notes found.
        notes: usize,
        /// Plies played.
        plies: usize,
    },
    /// Something refers to a ply that was not played.
    #[error("{what} refers to ply {ply} of a game of {plies} plies")]
    Ply {
        /// What refers there.
        what: &'static str,
        /// The ply.
        ply: usize,
        /// Plies played.
        plies: usize,
    },
    /// A text that is no name, event, date or remark.
    #[error("a text of {bytes} bytes, at most {MAX_TEXT} are kept")]
    Text {
        /// Its length.
        bytes: usize,
    },
    /// More proven results than positions.
    #[error("{0} proven results, at most {MAX_SOLVED} are kept")]
    ProvenResults(usize),
    /// A proven result that the finished game refutes.
    #[error("the position after ply {ply} is over, but its proven result is not that of the board")]
    Solved {
        /// The ply.
        ply: usize,
    },
}

impl GameRecord {
    /// A record of these moves. If the rules have ended the game its result is
    /// filled in, otherwise it counts as unfinished.
    pub fn new(game: Game) -> GameRecord {
        let score_black = game.score_black();
        GameRecord {
            ending: if score_black.is_some() { Ending::Played } else { Ending::Unfinished },
            score_black,
            game,
            players: Players::default(),
            opening: 0,
            seed: None,
            source: None,
            notes: Vec::new(),
            solved: Vec::new(),
            correction: None,
            event: Name::default(),
            date: Name::default(),
            comment: Name::default(),
        }
    }

    /// Has the game a result that the rules or the match decided?
    pub fn is_decided(&self) -> bool {
        self.score_black.is_some() && self.ending != Ending::Unfinished
    }

    /// The proven result of the position after `ply` plies, if it is stored.
    pub fn solved_at(&self, ply: usize) -> Option<Solved> {
        self.solved.iter().copied().find(|solved| solved.ply == ply)
    }

    /// The first ply after which exactly this many squares are empty.
    pub fn ply_with_empties(&self, empties: u32) -> Option<usize> {
        self.game.boards().position(|board| board.empties() == empties)
    }

    /// Do the parts agree with each other?
    pub fn check(&self) -> Result<(), RecordError> {
        let plies = self.game.plies().len();
        if self.ending == Ending::Played {
            let Some(reached) = self.game.score_black() else {
                return Err(RecordError::NotOver { mover: self.game.position().mover, plies });
            };
            if let Some(stated) = self.score_black.filter(|&stated| stated != reached) {
                return Err(RecordError::Score { stated, reached });
            }
        }
        if !self.notes.is_empty() && self.notes.len() != plies {
            return Err(RecordError::Notes { notes: self.notes.len(), plies });
        }
        let plan = self.source.iter().map(|source| &source.plan);
        let names = Color::BOTH.into_iter().map(|color| &self.players[color].name);
        let texts = [&self.event, &self.date, &self.comment].into_iter().chain(names).chain(plan);
        if let Some(text) = texts.into_iter().find(|text| text.len() > MAX_TEXT) {
            return Err(RecordError::Text { bytes: text.len() });
        }
        let within = |what, ply| match ply {
            ply if ply <= plies => Ok(()),
            _ => Err(RecordError::Ply { what, ply, plies }),
        };
        within("the opening", self.opening)?;
        if let Some(correction) = self.correction {
            within("the correction", correction.ply)?;
        }
        if self.solved.len() > MAX_SOLVED {
            return Err(RecordError::ProvenResults(self.solved.len()));
        }
        for solved in &self.solved {
            within("a proven result", solved.ply)?;
            let last = self.game.position().board;
            if solved.ply == plies && last.is_over() {
                let score = last.final_score();
                let agrees = solved.verdict.score().is_none_or(|proven| proven == score)
                    && solved.verdict.outcome() == score.outcome();
                if !agrees {
                    return Err(RecordError::Solved { ply: plies });
                }
            }
        }
        Ok(())
    }
}
