use discern_board::Board;

/// Numbers boards in the order in which they first come.
///
/// Open addressing over numbers of boards: half the memory of the standard
/// map, and twice as fast, since boards are their own keys and never removed.
#[derive(Debug)]
pub(crate) struct BoardIndex {
    boards: Vec<Board>,
    /// Number + 1 of a board, 0 where there is none; at most half full.
    slots: Vec<u32>,
}

impl Default for BoardIndex {
    fn default() -> BoardIndex {
        BoardIndex { boards: Vec::new(), slots: vec![0; 1 << 16] }
    }
}

impl BoardIndex {
    /// All boards by number.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// The board's number, and whether it is new.
    pub fn number(&mut self, board: Board) -> (u32, bool) {
        if 2 * self.boards.len() >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut place = spread(board) & mask;
        loop {
            match self.slots[place] {
                0 => break,
                found if self.boards[found as usize - 1] == board => return (found - 1, false),
                _ => place = (place + 1) & mask,
            }
        }
        let number = self.boards.len() as u32;
        assert!(number < u32::MAX / 2, "more positions than numbers");
        self.boards.push(board);
        self.slots[place] = number + 1;
        (number, true)
    }

    fn grow(&mut self) {
        let mut slots = vec![0; 4 * self.slots.len()];
        let mask = slots.len() - 1;
        for (board, number) in self.boards.iter().zip(1..) {
            let mut place = spread(*board) & mask;
            while slots[place] != 0 {
                place = (place + 1) & mask;
            }
            slots[place] = number;
        }
        self.slots = slots;
    }
}

/// A place for a board: the two halves of a product.
fn spread(board: Board) -> usize {
    let product = u128::from(board.mover().0 ^ 0x9e37_79b9_7f4a_7c15)
        * u128::from(board.opponent().0 ^ 0xd1b5_4a32_d192_ed03);
    (product as u64 ^ (product >> 64) as u64) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use discern_board::testing::random_game_boards;

    use super::*;

    #[test]
    fn boards_keep_their_numbers() {
        let mut index = BoardIndex::default();
        let mut known = HashMap::new();
        for board in random_game_boards(1, 3000) {
            let next = known.len() as u32;
            let expected = *known.entry(board).or_insert(next);
            assert_eq!(index.number(board), (expected, expected == next));
        }
        assert!(known.len() > 100_000, "the index has grown");
        assert!(index.boards().iter().enumerate().all(|(i, board)| known[board] == i as u32));
    }
}
