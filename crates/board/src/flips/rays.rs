/// A 32-byte aligned row, so that half of it loads as one vector.
#[cfg(target_feature = "avx2")]
#[derive(Clone, Copy)]
#[repr(C, align(32))]
pub(super) struct Aligned<T>(pub T);

/// The squares on the eight rays from each square, itself excluded. The first
/// four rays run towards higher indices (right, down-left, down, down-right),
/// the last four towards lower ones (left, up-right, up, up-left); both are in
/// the order of the index steps 1, 7, 8, 9.
pub(super) const RAYS: [[u64; 8]; 64] = {
    let steps: [(isize, isize); 8] =
        [(1, 0), (-1, 1), (0, 1), (1, 1), (-1, 0), (1, -1), (0, -1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = steps[direction];
            let mut column = (square % 8) as isize + dx;
            let mut row = (square / 8) as isize + dy;
            while 0 <= column && column < 8 && 0 <= row && row < 8 {
                rays[square][direction] |= 1 << (8 * row + column);
                column += dx;
                row += dy;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// [`RAYS`] laid out for vector loads.
#[cfg(target_feature = "avx2")]
pub(super) static ALIGNED_RAYS: [Aligned<[u64; 8]>; 64] = {
    let mut rows = [Aligned([0; 8]); 64];
    let mut square = 0;
    while square < 64 {
        rows[square] = Aligned(RAYS[square]);
        square += 1;
    }
    rows
};
