use std::ops::AddAssign;

use discern_board::{Board, Outcome};

use crate::judge::Deviation;

/// What a book knows of one position by itself; everything else follows from
/// the positions around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The position in canonical form; somebody who can move is to move.
    pub board: Board,
    /// The best unexamined move; `None` if it has not been searched for yet,
    /// or if there is none.
    pub deviation: Option<Deviation>,
    /// Games that came through here, for the mover.
    pub games: Games,
}

impl Entry {
    /// A position of which nothing is known.
    pub fn new(board: Board) -> Entry {
        Entry { board: board.canonical(), deviation: None, games: Games::default() }
    }
}

/// Results of the games that came through a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Games {
    /// Those of people.
    pub human: Results,
    /// Those of programs.
    pub engine: Results,
}

/// Who played a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Who {
    /// People.
    Human,
    /// Programs.
    #[default]
    Engine,
}

impl Who {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Who); 2] =
        [("human", "People", Who::Human), ("engine", "Programs", Who::Engine)];
}

impl Games {
    /// All games together.
    pub fn total(&self) -> u64 {
        self.human.total() + self.engine.total()
    }

    /// Those of one kind of player.
    pub fn of(&mut self, who: Who) -> &mut Results {
        match who {
            Who::Human => &mut self.human,
            Who::Engine => &mut self.engine,
        }
    }

    /// As the other side counts them.
    pub fn turned(self) -> Games {
        Games { human: self.human.turned(), engine: self.engine.turned() }
    }
}

/// Games won, drawn and lost by the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Results {
    /// Won by the mover.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost by the mover.
    pub losses: u32,
}

impl Results {
    /// All of them.
    pub fn total(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// One game more.
    pub fn count(&mut self, outcome: Outcome) {
        let count = match outcome {
            Outcome::Win => &mut self.wins,
            Outcome::Draw => &mut self.draws,
            Outcome::Loss => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }

    /// As the other side counts them.
    pub fn turned(self) -> Results {
        Results { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The larger of each count.
    pub(crate) fn max(self, other: Results) -> Results {
        Results {
            wins: self.wins.max(other.wins),
            draws: self.draws.max(other.draws),
            losses: self.losses.max(other.losses),
        }
    }
}

impl AddAssign for Results {
    fn add_assign(&mut self, other: Results) {
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}
