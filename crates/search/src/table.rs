//! The transposition table: one for all threads, without locks.
#![allow(unsafe_code)]

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use discern_board::{Board, Square};
use memmap2::MmapMut;

use crate::prefetch::prefetch;

/// What the table knows of a board: bounds of its value, how deep it was
/// searched and the best moves found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The value is at least this.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    /// How good the bounds are; a search trusts drafts not below its own.
    pub draft: u8,
    /// The best move and the one that was best before it.
    pub moves: [Option<Square>; 2],
}

impl Entry {
    const NO_MOVE: u8 = 64;

    fn pack(&self, age: u8) -> u64 {
        let code = |mv: Option<Square>| u64::from(mv.map_or(Self::NO_MOVE, |s| s as u8));
        self.lower as u16 as u64
            | (self.upper as u16 as u64) << 16
            | u64::from(self.draft) << 32
            | code(self.moves[0]) << 40
            | code(self.moves[1]) << 48
            | u64::from(age) << 56
    }

    fn unpack(data: u64) -> Entry {
        let square = |code: u64| (code & 64 == 0).then(|| Square::from_index(code as u32));
        Entry {
            lower: data as i16,
            upper: (data >> 16) as i16,
            draft: (data >> 32) as u8,
            moves: [square(data >> 40), square(data >> 48)],
        }
    }
}

/// Board and data in three words. The board is stored combined with the data,
/// so that words of two different writes never pass for an entry: a reader
/// gets what one thread wrote for this board, or nothing.
struct Slot {
    mover: AtomicU64,
    opponent: AtomicU64,
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn load(&self, board: &Board) -> Option<u64> {
        let data = self.data.load(Ordering::Relaxed);
        let same = self.mover.load(Ordering::Relaxed) ^ data == board.mover().0
            && self.opponent.load(Ordering::Relaxed) ^ data.rotate_left(32) == board.opponent().0;
        same.then_some(data)
    }

    /// Did what is here, in the same search, cost more than an entry of this
    /// draft for this board? All proofs have the same draft: among them the
    /// board with more empty squares took longer.
    #[inline(always)]
    fn is_worth_more(&self, board: &Board, draft: u8, age: u8) -> bool {
        let data = self.data.load(Ordering::Relaxed);
        let old_draft = (data >> 32) as u8;
        if (data >> 56) as u8 != age || old_draft != draft {
            return (data >> 56) as u8 == age && old_draft > draft;
        }
        let mover = self.mover.load(Ordering::Relaxed) ^ data;
        let opponent = self.opponent.load(Ordering::Relaxed) ^ data.rotate_left(32);
        (mover | opponent).count_ones() < (board.mover().0 | board.opponent().0).count_ones()
    }

    #[inline(always)]
    fn save(&self, board: &Board, data: u64) {
        self.mover.store(board.mover().0 ^ data, Ordering::Relaxed);
        self.opponent.store(board.opponent().0 ^ data.rotate_left(32), Ordering::Relaxed);
        self.data.store(data, Ordering::Relaxed);
    }
}

/// One cache line: the first slot keeps the deeper search, the second takes
/// whatever comes.
#[repr(C, align(64))]
struct Bucket([Slot; 2]);

/// A map from boards to [`Entry`] of fixed size. It stores whole boards, not
/// hash keys, so an entry is never taken for another board's: exact results
/// stay exact.
pub struct Table {
    /// Zeroed pages, which the system hands out as they are touched: a table
    /// of 1 GiB opens in microseconds.
    memory: MmapMut,
    len: usize,
    /// Number of the current search; entries carry the one they are from.
    age: AtomicU8,
    /// Entries older than this count as absent.
    oldest: AtomicU8,
}

impl Table {
    /// More than one side has in a game.
    const SEARCHES_OF_A_GAME: u8 = 64;

    /// A table of at most this many mebibytes, at least one.
    pub fn with_mebibytes(mebibytes: usize) -> io::Result<Table> {
        let fitting = (mebibytes.max(1) << 20) / size_of::<Bucket>();
        let len = 1 << fitting.ilog2();
        let memory = MmapMut::map_anon(len * size_of::<Bucket>())?;
        // A probe touches one random line: with 2 MiB pages the address is
        // found in the processor's page cache. Solving FFO 40-44 takes 6 %
        // less time. Not every system can, and then it does not matter.
        #[cfg(target_os = "linux")]
        let _ = memory.advise(memmap2::Advice::HugePage);
        // Age 0 marks the zeroed slots as absent.
        Ok(Table { memory, len, age: AtomicU8::new(1), oldest: AtomicU8::new(1) })
    }

    #[inline(always)]
    fn buckets(&self) -> &[Bucket] {
        // SAFETY: the mapping is page-aligned, holds `len` buckets and lives
        // as long as `self`; any bytes are valid atomics, and nobody else
        // refers to the memory.
        unsafe { std::slice::from_raw_parts(self.memory.as_ptr().cast::<Bucket>(), self.len) }
    }

    /// Begins a search: what it stores replaces older entries first.
    pub fn next_search(&mut self) {
        let age = self.age.get_mut();
        if *age == u8::MAX {
            self.wipe();
        } else {
            *age += 1;
        }
    }

    /// Forgets everything, mostly in no time.
    ///
    /// The memory is overwritten here when the ages are about to run out, not
    /// in the middle of the next game: otherwise a game would depend on how
    /// many games were played before it.
    pub fn clear(&mut self) {
        if *self.age.get_mut() > u8::MAX - Table::SEARCHES_OF_A_GAME {
            self.wipe();
        }
        self.next_search();
        *self.oldest.get_mut() = *self.age.get_mut();
    }

    /// Overwrites the memory, when the ages run out.
    fn wipe(&mut self) {
        for slot in self.buckets().iter().flat_map(|bucket| &bucket.0) {
            slot.mover.store(0, Ordering::Relaxed);
            slot.opponent.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        *self.age.get_mut() = 1;
        *self.oldest.get_mut() = 1;
    }

    #[inline(always)]
    fn bucket(&self, board: &Board) -> &Bucket {
        let product = u128::from(board.mover().0 ^ 0x9e37_79b9_7f4a_7c15)
            * u128::from(board.opponent().0 ^ 0xd1b5_4a32_d192_ed03);
        let hash = product as u64 ^ (product >> 64) as u64;
        &self.buckets()[hash as usize & (self.len - 1)]
    }

    /// Asks the processor to fetch the board's cache line.
    #[inline(always)]
    pub fn prefetch(&self, board: &Board) {
        prefetch(self.bucket(board));
    }

    /// What is known of this board.
    #[inline]
    pub fn probe(&self, board: &Board) -> Option<Entry> {
        let oldest = self.oldest.load(Ordering::Relaxed);
        let data = self.bucket(board).0.iter().find_map(|slot| slot.load(board))?;
        ((data >> 56) as u8 >= oldest).then(|| Entry::unpack(data))
    }

    /// Remembers an entry; a known best move is kept as the second one.
    pub fn store(&self, board: &Board, mut entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let oldest = self.oldest.load(Ordering::Relaxed);
        let [deep, recent] = &self.bucket(board).0;
        let known = |slot: &Slot| {
            slot.load(board).filter(|data| (data >> 56) as u8 >= oldest).map(Entry::unpack)
        };
        let (slot, old) = match (known(deep), known(recent)) {
            (Some(old), _) => (deep, Some(old)),
            (None, Some(old)) => (recent, Some(old)),
            (None, None) => {
                let keep = deep.is_worth_more(board, entry.draft, age);
                (if keep { recent } else { deep }, None)
            }
        };
        if let Some(old) = old {
            // A guess on the way must not replace what was proven.
            if old.draft > entry.draft && (slot.data.load(Ordering::Relaxed) >> 56) as u8 == age {
                return;
            }
            if entry.moves[0].is_none() {
                entry.moves = old.moves;
            } else if entry.moves[0] != old.moves[0] {
                entry.moves[1] = old.moves[0];
            } else {
                entry.moves[1] = old.moves[1];
            }
            if old.draft == entry.draft && old.lower <= entry.upper && entry.lower <= old.upper {
                // Bounds of equal standing add up.
                entry.lower = entry.lower.max(old.lower);
                entry.upper = entry.upper.min(old.upper);
            }
        }
        slot.save(board, entry.pack(age));
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Table of {} MiB", (self.len * size_of::<Bucket>()) >> 20)
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{Seeded, random_game_boards};

    use super::*;

    fn entry(random: &mut Seeded) -> Entry {
        let bits = random.next_u64();
        let square = |code: u64| (code & 64 == 0).then(|| Square::from_index(code as u32));
        let (a, b) = (bits as i16, (bits >> 16) as i16);
        Entry {
            lower: a.min(b),
            upper: a.max(b),
            draft: (bits >> 32) as u8,
            moves: [square(bits >> 40), square(bits >> 48)],
        }
    }

    #[test]
    fn entries_survive_packing() {
        let mut random = Seeded::new(1);
        for _ in 0..10_000 {
            let entry = entry(&mut random);
            assert_eq!(Entry::unpack(entry.pack(7)), entry);
        }
    }

    #[test]
    fn what_was_stored_is_found_until_the_table_is_cleared() {
        let mut table = Table::with_mebibytes(4).unwrap();
        let bounds = |draft| Entry { lower: -3, upper: 5, draft, moves: [Some(Square::C4), None] };
        let boards: Vec<Board> = random_game_boards(1, 20).collect();
        for board in &boards {
            table.store(board, bounds(9));
            assert_eq!(table.probe(board), Some(bounds(9)));
        }
        table.clear();
        assert!(boards.iter().all(|board| table.probe(board).is_none()));
    }

    #[test]
    fn bounds_of_equal_draft_add_up_and_the_old_move_stays_second() {
        let table = Table::with_mebibytes(1).unwrap();
        let board = Board::START;
        let moves = |a| [Some(a), None];
        table.store(&board, Entry { lower: -64, upper: 10, draft: 5, moves: moves(Square::D3) });
        table.store(&board, Entry { lower: 4, upper: 64, draft: 5, moves: moves(Square::C4) });
        let expected =
            Entry { lower: 4, upper: 10, draft: 5, moves: [Some(Square::C4), Some(Square::D3)] };
        assert_eq!(table.probe(&board), Some(expected));
    }

    #[test]
    fn a_game_after_clearing_never_meets_the_end_of_the_ages() {
        let mut table = Table::with_mebibytes(1).unwrap();
        for searches in (0..60).cycle().take(1000) {
            table.clear();
            table.store(&Board::START, Entry { lower: 1, upper: 1, draft: 9, moves: [None, None] });
            for _ in 0..searches {
                table.next_search();
            }
            assert!(table.probe(&Board::START).is_some(), "{searches} searches later");
        }
    }

    #[test]
    fn ages_may_run_out() {
        let mut table = Table::with_mebibytes(1).unwrap();
        for round in 0..1000 {
            let entry = Entry { lower: round, upper: round, draft: 1, moves: [None, None] };
            table.clear();
            assert_eq!(table.probe(&Board::START), None, "round {round}");
            table.store(&Board::START, entry);
            assert_eq!(table.probe(&Board::START), Some(entry));
        }
    }

    #[test]
    fn threads_never_read_a_mixture() {
        // All bounds equal the board's own number: a mixture would show.
        let table = Table::with_mebibytes(1).unwrap();
        let boards: Vec<Board> = random_game_boards(3, 300).collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, boards) = (&table, &boards);
                scope.spawn(move || {
                    let mut random = Seeded::new(thread);
                    for _ in 0..200_000 {
                        let i = random.below(boards.len());
                        let n = i as i16;
                        if let Some(found) = table.probe(&boards[i]) {
                            let first = boards.iter().position(|b| b == &boards[i]).unwrap();
                            assert_eq!((found.lower, found.upper), (first as i16, first as i16));
                        } else if boards.iter().position(|b| b == &boards[i]) == Some(i) {
                            let draft = random.below(60) as u8;
                            let moves = [None, None];
                            table.store(&boards[i], Entry { lower: n, upper: n, draft, moves });
                        }
                    }
                });
            }
        });
    }
}
