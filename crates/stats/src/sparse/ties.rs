//! Weights that are one weight: symmetric configurations, up to a sign.

use std::collections::BTreeSet;

/// How a weight follows from the one it is tied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// It is the same.
    Same,
    /// It is the negative, as for a configuration with the colours swapped.
    Opposite,
}

impl Sign {
    fn bit(self) -> u32 {
        u32::from(self == Self::Opposite)
    }

    pub(crate) fn factor(self) -> f64 {
        if self == Self::Opposite { -1.0 } else { 1.0 }
    }
}

/// Which indices share a weight, and with which sign.
///
/// Rows keep their indices; only the weights are fewer. A weight that its ties
/// make its own negative is 0.
///
/// ```
/// use discern_stats::sparse::{Sign, Ties};
///
/// // Configurations of two squares, each empty, ours or theirs: 3·a + b.
/// let mut ties = Ties::new(9);
/// for a in 0..3 {
///     for b in 0..3 {
///         ties.tie(3 * a + b, 3 * b + a, Sign::Same); // mirrored
///         let swap = |square: u32| (3 - square) % 3;
///         ties.tie(3 * a + b, 3 * swap(a) + swap(b), Sign::Opposite);
///     }
/// }
/// assert_eq!(ties.free(), 2); // ours alone, two of ours; the rest follows or is 0
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ties {
    /// 2·(an index it is tied to), plus 1 if opposite; a root points to itself.
    parents: Vec<u32>,
    /// Roots that equal their own negative.
    zero: BTreeSet<u32>,
}

impl Ties {
    /// No ties among this many weights.
    ///
    /// # Panics
    /// If there are more than [`MAX_WEIGHTS`](super::MAX_WEIGHTS).
    pub fn new(weights: usize) -> Self {
        assert!(weights <= super::MAX_WEIGHTS, "{weights} weights are too many");
        Self {
            parents: (0..weights as u32).map(|index| index << 1).collect(),
            zero: BTreeSet::new(),
        }
    }

    /// Ties two indices, and with them whatever each is tied to.
    ///
    /// # Panics
    /// If there is no such index.
    pub fn tie(&mut self, index: u32, to: u32, sign: Sign) {
        let (a, b) = (self.root(index), self.root(to));
        let sign = (a ^ b) & 1 ^ sign.bit();
        let (a, b) = (a >> 1, b >> 1);
        if a == b {
            if sign == 1 {
                self.zero.insert(a);
            }
            return;
        }
        let (root, child) = (a.min(b), a.max(b));
        self.parents[child as usize] = root << 1 | sign;
        if self.zero.remove(&child) {
            self.zero.insert(root);
        }
    }

    /// Number of indices.
    pub fn weights(&self) -> usize {
        self.parents.len()
    }

    /// Number of weights that are left.
    pub fn free(&self) -> usize {
        let root = |(index, parent): &(usize, &u32)| **parent >> 1 == *index as u32;
        self.parents.iter().enumerate().filter(root).count() - self.zero.len()
    }

    /// For each index 2·(number of its free weight), plus 1 if opposite;
    /// `None` where it is 0. Free weights are numbered in the order of their
    /// least index.
    pub(crate) fn compile(mut self) -> Vec<Option<u32>> {
        let mut map: Vec<Option<u32>> = Vec::with_capacity(self.parents.len());
        let mut free = 0;
        for index in 0..self.parents.len() as u32 {
            let code = self.root(index);
            let root = code >> 1;
            map.push(if self.zero.contains(&root) {
                None
            } else if root == index {
                free += 1;
                Some((free - 1) << 1)
            } else {
                // A root is the least of its indices, so that it is there.
                map[root as usize].map(|of_root| of_root ^ (code & 1))
            });
        }
        map
    }

    /// 2·(the root of an index), plus 1 if opposite; shortens the way there.
    fn root(&mut self, index: u32) -> u32 {
        let mut code = index << 1;
        loop {
            let parent = self.parents[(code >> 1) as usize];
            if parent >> 1 == code >> 1 {
                return code;
            }
            let grandparent = self.parents[(parent >> 1) as usize];
            self.parents[(code >> 1) as usize] = grandparent ^ (parent & 1);
            code = grandparent ^ ((code ^ parent) & 1);
        }
    }
}
