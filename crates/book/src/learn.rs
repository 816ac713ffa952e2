use std::collections::BTreeMap;

use discern_board::{Board, Color, Game, Outcome};

use crate::crew::Crew;
use crate::entry::{Entry, Who};
use crate::error::BookError;
use crate::graph::Graph;
use crate::grow::{Growing, run, wanting};
use crate::workshop::Workshop;

/// A game to be entered.
#[derive(Debug, Clone)]
pub struct Lesson {
    /// Names the game: the same one is entered once.
    pub id: u64,
    /// The moves.
    pub game: Game,
    /// How it ended for Black; `None` for a line that is no game.
    pub outcome_black: Option<Outcome>,
    /// Who played.
    pub who: Who,
}

/// How games are entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lessons {
    /// Positions are added down to this many empty squares; the judge should
    /// be able to solve that last one.
    pub least_empties: u32,
    /// Only count the games in positions the book has; add none.
    pub only_count: bool,
}

/// What became of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Learned {
    /// Games entered.
    pub entered: usize,
    /// Games the book knew already.
    pub known: usize,
    /// Was it stopped before all positions were searched? Growing or learning
    /// again does the rest.
    pub stopped: bool,
}

/// Games entered in one change.
const CHANGE: usize = 256;

impl Lessons {
    /// Enters games, then searches for the deviations that their positions
    /// lack, and solves their ends.
    pub fn learn(
        &self,
        workshop: &mut Workshop,
        crew: &mut Crew,
        lessons: impl IntoIterator<Item = Lesson>,
        mut told: impl FnMut(Growing),
    ) -> Result<Learned, BookError> {
        let mut learned = Learned::default();
        let mut change = Change::default();
        for lesson in lessons {
            let known = workshop.graph().learned().binary_search(&lesson.id).is_ok();
            if known || change.games.contains(&lesson.id) {
                learned.known += 1;
                continue;
            }
            self.enter(workshop.graph(), &mut change, &lesson);
            learned.entered += 1;
            if change.games.len() >= CHANGE {
                std::mem::take(&mut change).make(workshop)?;
            }
        }
        change.make(workshop)?;
        learned.stopped = !search_wanting(workshop, crew, &mut told)?;
        Ok(learned)
    }

    fn enter(&self, graph: &Graph, change: &mut Change, lesson: &Lesson) {
        let positions = lesson.game.plies().iter().map(|ply| ply.before);
        let positions = positions.chain([lesson.game.position()]);
        let wanted = |board: &Board| board.moves().any() && board.empties() >= self.least_empties;
        for position in positions.filter(|position| wanted(&position.board)) {
            let board = position.board.canonical();
            let known = graph.get(&board).map(|node| *node.entry());
            if self.only_count && known.is_none() {
                continue;
            }
            let entry = change.entries.entry(board);
            let entry = entry.or_insert_with(|| known.unwrap_or(Entry::new(board)));
            if let Some(outcome) = lesson.outcome_black {
                let is_black = position.mover == Color::Black;
                entry.games.of(lesson.who).count(if is_black { outcome } else { -outcome });
            }
        }
        change.games.push(lesson.id);
    }
}

/// Searches until no position lacks a deviation, whoever put it there; `false`
/// if stopped before.
pub fn search_wanting(
    workshop: &mut Workshop,
    crew: &mut Crew,
    told: &mut impl FnMut(Growing),
) -> Result<bool, BookError> {
    loop {
        let mut tasks = wanting(workshop.graph());
        if tasks.is_empty() {
            return Ok(true);
        }
        tasks.truncate(64);
        if (crew.stop)() || !run(&tasks, workshop, crew, told)? {
            return Ok(false);
        }
    }
}

/// Games to be entered together.
#[derive(Default)]
struct Change {
    entries: BTreeMap<Board, Entry>,
    games: Vec<u64>,
}

impl Change {
    fn make(self, workshop: &mut Workshop) -> Result<(), BookError> {
        match self.games.is_empty() {
            true => Ok(()),
            false => workshop.change(self.entries.into_values().collect(), self.games),
        }
    }
}
