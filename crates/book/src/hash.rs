//! Hash tables by boards: discs are spread well enough by two products, and
//! the standard hash would take most of the time of loading a large book.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use discern_board::Board;

/// A table by boards or by hashes of boards.
pub type Table<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// The hash of a board.
pub fn hash_of(board: &Board) -> u64 {
    let mut mix = Mix(0);
    mix.write_u64(board.mover().0);
    mix.write_u64(board.opponent().0);
    mix.0
}

#[derive(Default)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0.rotate_left(32) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }

    fn finish(&self) -> u64 {
        self.0.wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }
}
