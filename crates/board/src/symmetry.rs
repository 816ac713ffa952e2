use crate::{Bitboard, Board, Square};

/// One of the eight ways to turn or mirror the board onto itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symmetry {
    /// Nothing moves.
    Identity,
    /// Left and right change places: a1 to h1.
    MirrorColumns,
    /// Top and bottom change places: a1 to a8.
    MirrorRows,
    /// Half a turn: a1 to h8.
    HalfTurn,
    /// Mirrored at the diagonal a1–h8: b1 to a2.
    Transpose,
    /// A quarter turn clockwise: a1 to h1, h1 to h8.
    QuarterTurn,
    /// A quarter turn anticlockwise: a1 to a8, h1 to a1.
    BackTurn,
    /// Mirrored at the diagonal a8–h1: a1 to h8, b1 to h7.
    AntiTranspose,
}

impl Symmetry {
    /// All eight.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::MirrorColumns,
        Symmetry::MirrorRows,
        Symmetry::HalfTurn,
        Symmetry::Transpose,
        Symmetry::QuarterTurn,
        Symmetry::BackTurn,
        Symmetry::AntiTranspose,
    ];

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::QuarterTurn => Symmetry::BackTurn,
            Symmetry::BackTurn => Symmetry::QuarterTurn,
            other => other,
        }
    }

    /// Where a square goes.
    pub fn square(self, square: Square) -> Square {
        self.bitboard(Bitboard::of(square)).first().expect("one square stays one square")
    }

    /// Where a set of squares goes.
    #[inline]
    pub const fn bitboard(self, set: Bitboard) -> Bitboard {
        let bits = set.0;
        Bitboard(match self {
            Symmetry::Identity => bits,
            Symmetry::MirrorColumns => mirror_columns(bits),
            Symmetry::MirrorRows => bits.swap_bytes(),
            Symmetry::HalfTurn => bits.reverse_bits(),
            Symmetry::Transpose => transpose(bits),
            Symmetry::QuarterTurn => mirror_columns(transpose(bits)),
            Symmetry::BackTurn => transpose(bits).swap_bytes(),
            Symmetry::AntiTranspose => transpose(bits).reverse_bits(),
        })
    }

    /// The image of a board.
    #[inline]
    pub const fn board(self, board: Board) -> Board {
        Board::new_unchecked(self.bitboard(board.mover()), self.bitboard(board.opponent()))
    }
}

impl Board {
    /// The least of the eight images: the same for all of them.
    pub fn canonical(self) -> Board {
        self.canonical_by().0
    }

    /// The canonical image and a symmetry that leads to it.
    pub fn canonical_by(self) -> (Board, Symmetry) {
        // Two transposed words and cheap byte swaps give all eight images.
        let (m, o) = (self.mover().0, self.opponent().0);
        let (tm, to) = (transpose(m), transpose(o));
        let (cm, co) = (mirror_columns(m), mirror_columns(o));
        let (qm, qo) = (mirror_columns(tm), mirror_columns(to));
        let images = [
            (m, o, Symmetry::Identity),
            (cm, co, Symmetry::MirrorColumns),
            (m.swap_bytes(), o.swap_bytes(), Symmetry::MirrorRows),
            (cm.swap_bytes(), co.swap_bytes(), Symmetry::HalfTurn),
            (tm, to, Symmetry::Transpose),
            (qm, qo, Symmetry::QuarterTurn),
            (tm.swap_bytes(), to.swap_bytes(), Symmetry::BackTurn),
            (qm.swap_bytes(), qo.swap_bytes(), Symmetry::AntiTranspose),
        ];
        let mut least = images[0];
        for image in &images[1..] {
            if (image.0, image.1) < (least.0, least.1) {
                least = *image;
            }
        }
        (Board::new_unchecked(Bitboard(least.0), Bitboard(least.1)), least.2)
    }
}

/// Reverses the bits of every byte.
#[inline]
const fn mirror_columns(bits: u64) -> u64 {
    bits.reverse_bits().swap_bytes()
}

/// Swaps rows and columns: 1×1, 2×2, then 4×4 blocks across the diagonal.
#[inline]
const fn transpose(bits: u64) -> u64 {
    let swap = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    let bits = bits ^ swap ^ swap << 7;
    let swap = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    let bits = bits ^ swap ^ swap << 14;
    let swap = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ swap << 28
}
