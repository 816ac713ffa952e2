//! Discs that can never be turned over again: a proven part of the score.

use discern_board::{Bitboard, Board};

/// A lower bound of the opponent's stable discs, as a set.
///
/// Sound but not complete: stable edge discs from a table of all edges, discs
/// whose four lines are full, and discs that touch a stable disc of their own
/// colour (or a full line) in all four directions.
pub fn stable_of_opponent(board: &Board) -> Bitboard {
    let (discs, others) = (board.opponent().0, board.mover().0);
    let filled = discs | others;

    let edges = stable_edges(discs, others);
    let full = full_lines(filled);
    // Inside the rim a disc is safe when every line through it is full.
    let mut stable = edges | (discs & full[0] & full[1] & full[2] & full[3] & !Bitboard::EDGES.0);
    if stable == 0 {
        return Bitboard::EMPTY;
    }
    // Each direction is safe if its line is full or a stable disc of the
    // same colour is next to it on that line.
    let inner = discs & !Bitboard::EDGES.0;
    loop {
        let horizontal = stable << 1 | stable >> 1 | full[0];
        let vertical = stable << 8 | stable >> 8 | full[1];
        let falling = stable << 9 | stable >> 9 | full[2];
        let rising = stable << 7 | stable >> 7 | full[3];
        let more = inner & horizontal & vertical & falling & rising & !stable;
        if more == 0 {
            return Bitboard(stable);
        }
        stable |= more;
    }
}

/// For each direction (row, column, falling and rising diagonal) the squares
/// whose line in that direction is full.
#[inline]
fn full_lines(filled: u64) -> [u64; 4] {
    const LEFT: u64 = 0x0101_0101_0101_0101;

    // Fold each row onto its first square, then spread the answer.
    let mut row = filled & filled >> 4;
    row &= row >> 2;
    row &= row >> 1;
    let row = (row & LEFT) * 255;

    let mut column = filled & filled.rotate_right(32);
    column &= column.rotate_right(16);
    column &= column.rotate_right(8);

    // A step off the board counts as filled: shift in ones, and treat the
    // column that a diagonal step wraps into as filled, too.
    let falling = diagonal(filled, 9, 0x8080_8080_8080_8080, LEFT);
    let rising = diagonal(filled, 7, LEFT, 0x8080_8080_8080_8080);
    [row, column, falling, rising]
}

/// The squares whose diagonal with this index step is full. `last` is the
/// column beyond which a step up leaves the board, `first` a step down.
#[inline]
fn diagonal(filled: u64, step: u32, last: u64, first: u64) -> u64 {
    // Doubling: after three rounds `up` looks eight squares towards higher
    // indices, `down` towards lower. Squares that step off the board see ones.
    let off_up = last | !0 << 56;
    let off_down = first | 0xff;
    let mut up = filled;
    let mut edge = off_up;
    let mut down = filled;
    let mut edge_down = off_down;
    let mut distance = step;
    for _ in 0..3 {
        // Who is off the board after `distance` looks no further.
        up &= up >> distance | edge;
        down &= down << distance | edge_down;
        edge |= edge >> distance;
        edge_down |= edge_down << distance;
        distance *= 2;
    }
    up & down
}

/// Stable discs on the rim.
#[inline]
fn stable_edges(discs: u64, others: u64) -> u64 {
    let edge = |d: u64, o: u64| u64::from(EDGE_STABLE[(d * 256 + o) as usize]);
    let column =
        |bits: u64| (bits & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    // Spreads a byte over column a, its lowest bit in row 1.
    let to_column = |byte: u64| {
        let halves = (byte & 0x0f) | (byte & 0xf0) << 28;
        let pairs = (halves | halves << 14) & 0x0003_0003_0003_0003;
        (pairs | pairs << 7) & 0x0101_0101_0101_0101
    };
    edge(discs & 0xff, others & 0xff)
        | edge(discs >> 56, others >> 56) << 56
        | to_column(edge(column(discs), column(others)))
        | to_column(edge(column(discs >> 7), column(others >> 7))) << 7
}

/// `EDGE_STABLE[d * 256 + o]`: which discs of `d` on an edge with discs `d`
/// and `o` nobody can turn over, whatever is played on the edge.
static EDGE_STABLE: [u8; 65536] = edge_table();

/// A disc of an edge is stable if no sequence of placements (by either side,
/// on any empty square, legal or not) turns it over. Fills the table from full
/// edges to empty ones: what survives every single placement is stable.
const fn edge_table() -> [u8; 65536] {
    let mut table = [0; 65536];
    let mut empties = 0;
    while empties <= 8 {
        let mut d: usize = 0;
        while d < 256 {
            let mut o: usize = 0;
            while o < 256 {
                if d & o == 0 && 8 - (d | o).count_ones() == empties {
                    table[d * 256 + o] = stable_on_edge(&table, d, o);
                }
                o += 1;
            }
            d += 1;
        }
        empties += 1;
    }
    table
}

const fn stable_on_edge(table: &[u8; 65536], d: usize, o: usize) -> u8 {
    let mut stable = d as u8;
    let mut at = 0;
    while at < 8 && stable != 0 {
        if (d | o) >> at & 1 == 0 {
            let flips = edge_flips(d, o, at);
            stable &= table[(d | flips | 1 << at) * 256 + (o & !flips)];
            let flips = edge_flips(o, d, at);
            stable &= table[(d & !flips) * 256 + (o | flips | 1 << at)];
        }
        at += 1;
    }
    stable
}

/// What a disc of `d` placed at `at` turns over on the edge.
const fn edge_flips(d: usize, o: usize, at: usize) -> usize {
    let mut all = 0;
    let mut run = 0;
    let mut i = at + 1;
    while i < 8 && o >> i & 1 != 0 {
        run |= 1 << i;
        i += 1;
    }
    if i < 8 && d >> i & 1 != 0 {
        all |= run;
    }
    run = 0;
    i = at;
    while i > 0 && o >> (i - 1) & 1 != 0 {
        i -= 1;
        run |= 1 << i;
    }
    if i > 0 && d >> (i - 1) & 1 != 0 {
        all |= run;
    }
    all
}

#[cfg(test)]
mod tests {
    use discern_board::testing::{Seeded, random_discs, random_game_boards};
    use discern_board::{Position, Square};

    use super::*;

    #[test]
    fn full_lines_are_found_in_every_direction() {
        for board in random_discs(1, 3000) {
            // Densely filled, so that full diagonals occur.
            let filled =
                board.mover() | board.opponent() | Bitboard(board.mover().0.rotate_left(9));
            let full = full_lines(filled.0);
            for square in Square::ALL {
                for (direction, (dx, dy)) in
                    [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().enumerate()
                {
                    let all = Square::ALL.into_iter().filter(|other| {
                        let x = other.column() as i32 - square.column() as i32;
                        let y = other.row() as i32 - square.row() as i32;
                        x * dy == y * dx
                    });
                    let expected = all.into_iter().all(|other| filled.contains(other));
                    let found = full[direction] >> square.index() & 1 != 0;
                    assert_eq!(found, expected, "{square} {direction} {filled:?}");
                }
            }
        }
    }

    #[test]
    fn stable_discs_survive_random_play() {
        let mut random = Seeded::new(5);
        let mut found = 0;
        for board in random_game_boards(2, 400) {
            let stable = stable_of_opponent(&board);
            assert!((stable - board.opponent()).is_empty());
            found += stable.count();
            let mut now = board;
            let mut turns = 0;
            while !now.is_over() {
                let moves: Vec<Square> = now.moves().squares().collect();
                now = match moves.len() {
                    0 => now.pass(),
                    n => now.play(moves[random.below(n)].into()).unwrap(),
                };
                turns += 1;
                let his = if turns % 2 == 0 { now.opponent() } else { now.mover() };
                assert!((stable - his).is_empty(), "{board:?} {stable:?} {now:?}");
            }
        }
        assert!(found > 20_000, "the test would prove nothing: {found}");
    }

    #[test]
    fn corners_and_what_they_anchor_are_stable() {
        let text = "XXXX----XX------X------------------------------------------O---- O";
        let board = text.parse::<Position>().unwrap().board;
        let names: Vec<String> =
            stable_of_opponent(&board).squares().map(|s| s.to_string()).collect();
        assert_eq!(names.join(" "), "a1 b1 c1 d1 a2 b2 a3");
    }
}
