use std::collections::BTreeMap;

use discern_board::{Color, Square};
use serde::{Serialize, Serializer};

use crate::library::{Library, OPENINGS};
use crate::names::fold;
use crate::query::Query;
use crate::tally::Tally;

/// Games between two questions whether the answer is still wanted.
const BATCH: usize = 4096;

/// The games that a query wants.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Found {
    /// How many there are.
    pub games: u32,
    /// The numbers of those on the page, the newest first.
    #[serde(skip)]
    pub page: Vec<u32>,
    /// Their results: for the side to move if a position is searched for, else
    /// for the player if there is one wish for a name, else for black.
    pub results: Tally,
    /// What was played in the position, the most frequent first.
    pub moves: Vec<Continuation>,
    /// Did the search come to its end?
    pub complete: bool,
}

/// A move and the games that went on with it, for the side that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Continuation {
    /// Where.
    #[serde(rename = "move", serialize_with = "text")]
    pub square: Square,
    /// The games.
    #[serde(flatten)]
    pub results: Tally,
}

fn text<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}

impl Library {
    /// Looks through all games. `is_wanted` is asked now and then; once it
    /// says no, the games found so far are the answer.
    pub fn find(&self, query: &Query, is_wanted: &mut dyn FnMut() -> bool) -> Found {
        let player = self.players.wanted(&query.player);
        let opponent = self.players.wanted(&query.opponent);
        let event = self.events.wanted(&query.event);
        let opening = openings_like(&query.opening);
        let (from, to) = (query.from.unwrap_or(0), query.to.unwrap_or(u16::MAX));
        let fits = |mask: &Option<Vec<bool>>, number: u32| {
            mask.as_ref().is_none_or(|mask| mask[number as usize])
        };
        let page = query.skip..query.skip.saturating_add(query.rows);
        let mut found = Found::default();
        let mut moves: BTreeMap<usize, Continuation> = BTreeMap::new();
        for batch in self.order.chunks(BATCH) {
            if !is_wanted() {
                return Found { moves: by_games(moves), ..found };
            }
            for &number in batch {
                let entry = &self.entries[number as usize];
                let dated = (from..=to).contains(&entry.year);
                let opened = opening.as_ref().is_none_or(|mask| mask[usize::from(entry.opening)]);
                if !dated || !opened || !fits(&event, entry.event) {
                    continue;
                }
                // The side of the player that was asked for.
                let side = Color::BOTH.into_iter().find(|&color| {
                    fits(&player, entry.players[color as usize])
                        && fits(&opponent, entry.players[!color as usize])
                });
                let Some(mut side) = side else { continue };
                if let Some(place) = &query.place {
                    let visit = place.visit(self.start(entry), self.squares(entry));
                    let Some(visit) = visit else { continue };
                    side = visit.mover;
                    if let Some(square) = visit.next {
                        let new = Continuation { square, results: Tally::default() };
                        let line = moves.entry(square.index()).or_insert(new);
                        line.results.add(entry.outcome(side));
                    }
                }
                if page.contains(&(found.games as usize)) {
                    found.page.push(number);
                }
                found.games += 1;
                found.results.add(entry.outcome(side));
            }
        }
        Found { moves: by_games(moves), complete: true, ..found }
    }
}

fn by_games(moves: BTreeMap<usize, Continuation>) -> Vec<Continuation> {
    let mut moves: Vec<Continuation> = moves.into_values().collect();
    // Stable: equally frequent moves stay in the order of squares.
    moves.sort_by_key(|line| u32::MAX - line.results.games);
    moves
}

/// Which openings a wish means, by their numbers from 1 (0 is none): those
/// whose names have all its words, and those that begin with such a one. A bar
/// stands between wishes of which one is enough.
fn openings_like(wish: &str) -> Option<Vec<bool>> {
    let wish = fold(wish);
    let wishes: Vec<Vec<&str>> = wish
        .split('|')
        .map(|wish| wish.split_whitespace().collect::<Vec<_>>())
        .filter(|words| !words.is_empty())
        .collect();
    if wishes.is_empty() {
        return None;
    }
    let named: Vec<&str> = OPENINGS
        .iter()
        .filter(|opening| {
            let name = fold(opening.name);
            wishes.iter().any(|words| words.iter().all(|word| name.contains(word)))
        })
        .map(|opening| opening.moves)
        .collect();
    let begins = |moves: &str| named.iter().any(|beginning| moves.starts_with(beginning));
    let known = OPENINGS.iter().map(|opening| begins(opening.moves));
    Some(std::iter::once(false).chain(known).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_includes_what_grows_from_it() {
        let number = |name: &str| OPENINGS.iter().position(|o| o.name == name).unwrap() + 1;
        let mask = openings_like("tiger").unwrap();
        assert!(mask[number("Tiger")] && mask[number("Comp'Oth")]);
        assert!(!mask[0] && !mask[number("Perpendicular")]);
        let mask = openings_like("COMP'oth").unwrap();
        assert!(mask[number("Comp'Oth")] && !mask[number("Tiger")]);
        assert_eq!(openings_like("no such opening").unwrap().iter().filter(|m| **m).count(), 0);
        assert_eq!(openings_like("  "), None);
        let mask = openings_like("comp'oth|rose-bill| ").unwrap();
        assert!(mask[number("Comp'Oth")] && mask[number("Rose-Bill")] && !mask[number("Tiger")]);
        assert_eq!(openings_like(" | "), None);
    }
}
