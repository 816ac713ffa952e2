//! Even openings, found instead of collected (paper, Section 4): nearly even
//! positions with 14 discs, all different, spread over different lines.

use std::collections::{HashSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use discern_board::{Board, Dice, Game};
use discern_eval::Value;
use discern_players::openings::{distinct, one_further};
use discern_players::{Defaults, JobError, PlayerSpec, WeightStore};
use discern_records::Limits as RecordedLimits;
use discern_search::{Engine, Limits, StopFlag};

/// Which openings are wanted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// How many.
    pub count: usize,
    /// Plies from the start to the opening position; 10 give 14 discs.
    pub plies: usize,
    /// No two openings share the position after so many plies.
    pub apart_after: usize,
    /// The largest |value| in logits for the side to move.
    pub bound: f64,
    /// The depth of that value.
    pub depth: u32,
    /// Chooses among all possible sets.
    pub seed: u64,
}

impl Default for Selection {
    /// The paper's: 100 positions with 14 discs, |value| ≤ 0.4 at 11 plies.
    fn default() -> Selection {
        Selection { count: 100, plies: 10, apart_after: 7, bound: 0.4, depth: 11, seed: 1 }
    }
}

/// An opening and what the search says of its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The moves from the start.
    pub game: Game,
    /// The value for the side to move.
    pub value: Value,
}

/// Plies of the cheap look that keeps hopeless positions from the deep one,
/// and how far its value may lie outside the bound.
const SHALLOW: u32 = 4;
const SHALLOW_SLACK: f64 = 0.5;
/// Deep looks per line before the next line has its turn.
const DEEP_LOOKS: usize = 6;

impl Selection {
    /// The engines that value positions as a player does, side by side, each by
    /// one thread: the openings are the same for any number of them. The
    /// player's depth, if it has one, is taken.
    ///
    /// # Errors
    /// If it cannot value positions at a depth.
    pub fn engines(
        &mut self,
        player: &mut PlayerSpec,
        count: usize,
    ) -> Result<Vec<Box<dyn Engine>>, JobError> {
        let store = WeightStore::new();
        let limits = RecordedLimits::depth(self.depth);
        player.fill(&Defaults { limits, hash_mebibytes: 64, endgame: None, randomness: None });
        store.settle(player)?;
        player.check()?;
        let (Some(depth), 1) = (player.limits.depth, player.threads()) else {
            let what = "openings are valued at a depth, each by one thread";
            return Err(JobError::Plan(format!("{}: {what}", player.name)));
        };
        self.depth = depth;
        let engine = player.as_engine()?;
        (0..count).map(|_| engine.engine(&store)).collect()
    }

    /// A file of openings: how they were made as comments, and a transcript
    /// with its value per line. `command` finds openings by a player.
    pub fn text(&self, openings: &[Opening], command: &str) -> String {
        let Selection { count, plies, apart_after, bound, depth, seed } = self;
        let discs = plies + 4;
        let mut text = format!(
            "% {count} openings with {discs} discs, |value| <= {bound} logits at {depth} plies for the side to move,\n\
             % different up to symmetry, no two alike after {apart_after} moves\n\
             % made by {command} --count {count} --discs {discs} --bound {bound} --seed {seed}\n",
        );
        for Opening { game, value } in openings {
            text.push_str(&format!("{game} % {value}\n"));
        }
        text
    }

    /// Finds the openings, different and apart from those `known` already;
    /// fewer than wanted only if there are no more. The same for any number of
    /// engines, which share the work. `found` hears how many there are so far.
    pub fn find(
        &self,
        known: &[Game],
        engines: &mut [Box<dyn Engine>],
        stop: &StopFlag,
        mut found: impl FnMut(usize),
    ) -> Vec<Opening> {
        let apart_after = self.apart_after.min(self.plies);
        let mut lines = distinct(apart_after as u32);
        shuffle(&mut lines, Dice::new(&[self.seed]));
        let mut openings: Vec<Opening> = Vec::new();
        let mut positions: HashSet<Board> = known.iter().map(end).collect();
        let taken: HashSet<Board> = known
            .iter()
            .filter_map(|game| game.boards().nth(apart_after))
            .map(|board| board.canonical())
            .collect();
        let mut lines: VecDeque<(u64, Game)> =
            (0..).zip(lines).filter(|(_, line)| !taken.contains(&end(line))).collect();
        while openings.len() < self.count && !lines.is_empty() && !stop.is_stopped() {
            let batch: Vec<_> = lines.drain(..lines.len().min(4 * engines.len())).collect();
            for opening in self.search_batch(&batch, engines, stop).into_iter().flatten() {
                // Different lines may still meet.
                let fresh = positions.insert(end(&opening.game));
                if fresh && openings.len() < self.count {
                    openings.push(opening);
                }
            }
            found(openings.len());
        }
        openings
    }

    fn search_batch(
        &self,
        batch: &[(u64, Game)],
        engines: &mut [Box<dyn Engine>],
        stop: &StopFlag,
    ) -> Vec<Option<Opening>> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(vec![None; batch.len()]);
        thread::scope(|scope| {
            for engine in engines {
                scope.spawn(|| {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some((number, line)) = batch.get(index) else { break };
                        let opening = self.search_line(*number, line, &mut **engine, stop);
                        results.lock().expect("nobody panics")[index] = opening;
                    }
                });
            }
        });
        results.into_inner().expect("nobody panics")
    }

    /// The first even position below a line, in an order that depends only on
    /// the seed and the line.
    fn search_line(
        &self,
        number: u64,
        line: &Game,
        engine: &mut dyn Engine,
        stop: &StopFlag,
    ) -> Option<Opening> {
        let mut games = vec![line.clone()];
        for _ in line.plies().len()..self.plies {
            games = one_further(&games);
        }
        shuffle(&mut games, Dice::new(&[self.seed, number]));
        let mut value = |game: &Game, depth: u32| {
            engine.forget();
            let board = game.position().board;
            let report = engine.search(&board, &Limits::depth(depth), stop, &mut |_| {});
            report.best().filter(|_| !stop.is_stopped()).map(|line| line.value)
        };
        let within = |value: Value, bound: f64| value.log_odds().abs() <= bound;
        let mut looks = 0;
        for game in games {
            if !within(value(&game, SHALLOW.min(self.depth))?, self.bound + SHALLOW_SLACK) {
                continue;
            }
            let value = value(&game, self.depth)?;
            if within(value, self.bound) {
                return Some(Opening { game, value });
            }
            looks += 1;
            if looks == DEEP_LOOKS {
                break;
            }
        }
        None
    }
}

/// The position a line of play leads to, up to symmetry.
fn end(game: &Game) -> Board {
    game.position().board.canonical()
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], mut dice: Dice) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last as u64 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use discern_players::WeightStore;
    use discern_search::Options;

    use super::*;

    fn engines(count: usize) -> Vec<Box<dyn Engine>> {
        let options = Options { threads: 1, table_mebibytes: 1 };
        let store = WeightStore::new();
        (0..count).map(|_| store.engine("rev", None, options).unwrap()).collect()
    }

    #[test]
    fn openings_are_even_different_and_apart() {
        let selection = Selection { count: 12, depth: 5, ..Selection::default() };
        let stop = StopFlag::new();
        let found = selection.find(&[], &mut engines(2), &stop, |_| {});
        assert_eq!(found.len(), 12);
        let boards: HashSet<Board> = found.iter().map(|opening| end(&opening.game)).collect();
        let ancestors: HashSet<Board> = found
            .iter()
            .map(|opening| opening.game.boards().nth(7).expect("ten plies").canonical())
            .collect();
        assert_eq!((boards.len(), ancestors.len()), (12, 12));
        for opening in &found {
            assert_eq!(opening.game.position().board.discs(), 14);
            assert!(opening.value.log_odds().abs() <= 0.4);
        }
        let again = selection.find(&[], &mut engines(1), &stop, |_| {});
        assert_eq!(again, found, "any number of engines");
        let other = Selection { seed: 2, ..selection };
        assert_ne!(other.find(&[], &mut engines(2), &stop, |_| {}), found);

        // More of them, with those given: none again, and none of their lines.
        let known: Vec<Game> = found.into_iter().map(|opening| opening.game).collect();
        let more = selection.find(&known, &mut engines(2), &stop, |_| {});
        let all = || known.iter().chain(more.iter().map(|opening| &opening.game));
        let boards: HashSet<Board> = all().map(end).collect();
        let ancestors: HashSet<Board> =
            all().map(|game| game.boards().nth(7).expect("ten plies").canonical()).collect();
        assert_eq!((boards.len(), ancestors.len()), (24, 24));
    }
}
