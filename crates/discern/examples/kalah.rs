//! Plays games of Kalah and prints their positions as a table for
//! `discern fit`; the data of `docs/worked-example-kalah.md`.
//!
//! Kalah: six pits of four seeds on each side and a store at the end of each.
//! The mover sows the seeds of one of their pits one by one to the right,
//! through their own store but not the opponent's. Ending in one's own store
//! gives another turn; ending in one's own empty pit opposite seeds captures
//! both. When a side is empty the other side keeps its seeds; more seeds win.
//!
//! Both players look one move ahead and err in one move of five, so that there
//! are good and bad positions of every kind.

use std::io::{self, Write};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const PITS: usize = 6;

/// A position as the mover sees it.
#[derive(Clone)]
struct Position {
    mine: [u8; PITS],
    theirs: [u8; PITS],
    my_store: u8,
    their_store: u8,
}

impl Position {
    fn start() -> Self {
        Self { mine: [4; PITS], theirs: [4; PITS], my_store: 0, their_store: 0 }
    }

    fn moves(&self) -> impl Iterator<Item = usize> + '_ {
        (0..PITS).filter(|&pit| self.mine[pit] > 0)
    }

    /// Sows a pit; whether the mover moves again, and whether seeds were captured.
    fn sow(&self, pit: usize) -> (Self, bool, bool) {
        let mut next = self.clone();
        let mut seeds = std::mem::take(&mut next.mine[pit]);
        let mut place = pit;
        while seeds > 0 {
            place = (place + 1) % (2 * PITS + 1);
            seeds -= 1;
            match place {
                0..PITS => next.mine[place] += 1,
                PITS => next.my_store += 1,
                _ => next.theirs[place - PITS - 1] += 1,
            }
        }
        let again = place == PITS;
        let mut captured = false;
        if place < PITS && next.mine[place] == 1 {
            let opposite = PITS - 1 - place;
            if next.theirs[opposite] > 0 {
                next.my_store += next.theirs[opposite] + 1;
                (next.mine[place], next.theirs[opposite]) = (0, 0);
                captured = true;
            }
        }
        (next, again, captured)
    }

    fn is_over(&self) -> bool {
        self.mine.iter().all(|&seeds| seeds == 0) || self.theirs.iter().all(|&seeds| seeds == 0)
    }

    fn turned(&self) -> Self {
        Self {
            mine: self.theirs,
            theirs: self.mine,
            my_store: self.their_store,
            their_store: self.my_store,
        }
    }

    /// My seeds minus theirs, with every seed on the board kept by its side.
    fn margin(&self) -> i32 {
        let side = |pits: &[u8; PITS], store: u8| {
            pits.iter().map(|&seeds| i32::from(seeds)).sum::<i32>() + i32::from(store)
        };
        side(&self.mine, self.my_store) - side(&self.theirs, self.their_store)
    }

    /// The features, from the mover's view.
    fn features(&self) -> [i32; 5] {
        let count = |position: &Self, wanted: fn(&(Self, bool, bool)) -> bool| {
            position.moves().filter(|&pit| wanted(&position.sow(pit))).count() as i32
        };
        let sum = |pits: &[u8; PITS]| pits.iter().map(|&seeds| i32::from(seeds)).sum::<i32>();
        let turned = self.turned();
        [
            i32::from(self.my_store) - i32::from(self.their_store),
            sum(&self.mine) - sum(&self.theirs),
            count(self, |next| next.1),
            count(self, |next| next.2) - count(&turned, |next| next.2),
            self.moves().count() as i32 - turned.moves().count() as i32,
        ]
    }
}

/// The move of a player who looks one move ahead.
fn choose(position: &Position, rng: &mut Xoshiro256PlusPlus) -> usize {
    let moves: Vec<usize> = position.moves().collect();
    if rng.random_range(0..5) == 0 {
        return moves[rng.random_range(0..moves.len())];
    }
    let worth = |pit: usize| {
        let (next, again, _) = position.sow(pit);
        let gain = i32::from(next.my_store) - i32::from(position.my_store);
        2 * gain + 3 * i32::from(again)
    };
    let best = moves.iter().map(|&pit| worth(pit)).max().unwrap_or(0);
    let good: Vec<usize> = moves.into_iter().filter(|&pit| worth(pit) == best).collect();
    good[rng.random_range(0..good.len())]
}

/// Plays games and writes every position of them.
///
/// # Errors
/// If writing fails.
pub fn write_games(out: &mut impl Write, games: u32) -> io::Result<()> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1995);
    writeln!(out, "game,stored,store_lead,seed_lead,free_turns,captures,mobility,margin,result")?;
    for game in 0..games {
        let mut position = Position::start();
        // Side to move and features of every position of the game.
        let mut seen: Vec<(bool, u8, [i32; 5])> = Vec::new();
        let mut first_moves = true;
        while !position.is_over() {
            let stored = (position.my_store + position.their_store) / 8 * 8;
            seen.push((first_moves, stored, position.features()));
            let (next, again, _) = position.sow(choose(&position, &mut rng));
            position = if again { next } else { next.turned() };
            first_moves ^= !again;
        }
        let margin = if first_moves { position.margin() } else { -position.margin() };
        for (first, stored, [a, b, c, d, e]) in seen {
            let margin = if first { margin } else { -margin };
            let result = match margin {
                1.. => "win",
                0 => "draw",
                _ => "loss",
            };
            writeln!(out, "{game},{stored},{a},{b},{c},{d},{e},{margin},{result}")?;
        }
    }
    Ok(())
}

#[allow(dead_code)] // the test of the documentation calls `write_games` itself
fn main() -> io::Result<()> {
    let games = std::env::args().nth(1).and_then(|games| games.parse().ok()).unwrap_or(2000);
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_games(&mut out, games)?;
    out.flush()
}
