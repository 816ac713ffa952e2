//! Blocks as bytes, for rows that are kept in a file between passes.
//!
//! Ascending indices of ±1, as rows from files have them, are written as their
//! differences in two bytes each: half the bytes to read in every pass.

use std::borrow::Cow;

use super::block::{Entries, Sides, SparseBlock};
use crate::block::Column;
use crate::error::DataError;

/// Differences from this on take four more bytes.
const FAR: u16 = u16::MAX;

/// Kinds of entries.
const SIGNS: u32 = 0;
const DIFFERENCES: u32 = 1;
const SINGLE: u32 = 2;
const DOUBLE: u32 = 3;

impl SparseBlock<'_> {
    /// Appends the block as bytes that [`decode`](Self::decode) understands.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let (ends, entries) = self.parts();
        let differences = match entries {
            Entries::Signs(codes) => differences(ends, codes),
            _ => None,
        };
        let kind = match entries {
            Entries::Signs(_) if differences.is_some() => DIFFERENCES,
            Entries::Signs(_) => SIGNS,
            Entries::F32(..) => SINGLE,
            Entries::F64(..) => DOUBLE,
        };
        let sides = self.sides();
        let columns = [&sides.outcome, &sides.trials, &sides.weight, &sides.offset];
        let mut layout = u32::from(sides.group.is_some());
        for column in columns {
            layout = layout << 2
                | match column {
                    None => 0,
                    Some(Column::F32(_) | Column::F32Rows(_)) => 1,
                    Some(Column::F64(_) | Column::F64Rows(_)) => 2,
                };
        }
        let stored = differences.as_ref().map_or(entries.len(), Vec::len);
        let head = [self.phase().cast_unsigned(), ends.len() as u32, stored as u32, kind, layout];
        words(out, &head, u32::to_le_bytes);
        words(out, ends, u32::to_le_bytes);
        match (entries, &differences) {
            (_, Some(differences)) => words(out, differences, u16::to_le_bytes),
            (Entries::Signs(codes), None) => words(out, codes, u32::to_le_bytes),
            (Entries::F32(indices, values), _) => {
                words(out, indices, u32::to_le_bytes);
                words(out, values, f32::to_le_bytes);
            }
            (Entries::F64(indices, values), _) => {
                words(out, indices, u32::to_le_bytes);
                words(out, values, f64::to_le_bytes);
            }
        }
        for column in columns.into_iter().flatten() {
            match column {
                Column::F32(values) => words(out, values, f32::to_le_bytes),
                Column::F64(values) => words(out, values, f64::to_le_bytes),
                Column::F32Rows(_) => {
                    let values: Vec<f32> = column.values().map(|value| value as f32).collect();
                    words(out, &values, f32::to_le_bytes);
                }
                Column::F64Rows(_) => {
                    let values: Vec<f64> = column.values().collect();
                    words(out, &values, f64::to_le_bytes);
                }
            }
        }
        if let Some(group) = &sides.group {
            words(out, group, u32::to_le_bytes);
        }
    }

    /// The block of some bytes.
    ///
    /// # Errors
    /// If [`encode`](Self::encode) has not written these bytes.
    pub fn decode(bytes: &[u8]) -> Result<SparseBlock<'static>, DataError> {
        let mut rest = Rest(bytes);
        rest.block()
            .filter(|_| rest.0.is_empty())
            .ok_or_else(|| DataError::Read("a block of rows is damaged".to_string()))
    }
}

/// What is left of the bytes of a block.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn words<T, const N: usize>(&mut self, count: usize, of: fn([u8; N]) -> T) -> Option<Vec<T>> {
        let (words, rest) = self.0.split_at_checked(count.checked_mul(N)?)?;
        self.0 = rest;
        Some(words.as_chunks().0.iter().map(|word| of(*word)).collect())
    }

    fn column(&mut self, kind: u32, rows: usize) -> Option<Option<Column<'static>>> {
        Some(match kind {
            0 => None,
            1 => Some(Column::F32(Cow::Owned(self.words(rows, f32::from_le_bytes)?))),
            2 => Some(Column::F64(Cow::Owned(self.words(rows, f64::from_le_bytes)?))),
            _ => return None,
        })
    }

    fn block(&mut self) -> Option<SparseBlock<'static>> {
        let head = self.words(5, u32::from_le_bytes)?;
        let [phase, rows, stored, kind, layout] = *head.as_array()?;
        let (rows, stored) = (rows as usize, stored as usize);
        let ends = self.words(rows, u32::from_le_bytes)?;
        if !ends.is_sorted() {
            return None;
        }
        let entries = match kind {
            SIGNS => Entries::Signs(Cow::Owned(self.words(stored, u32::from_le_bytes)?)),
            DIFFERENCES => {
                let differences = self.words(stored, u16::from_le_bytes)?;
                Entries::Signs(Cow::Owned(sums(&ends, &differences)?))
            }
            SINGLE => {
                let indices = self.words(stored, u32::from_le_bytes)?;
                let values = self.words(stored, f32::from_le_bytes)?;
                Entries::F32(Cow::Owned(indices), Cow::Owned(values))
            }
            DOUBLE => {
                let indices = self.words(stored, u32::from_le_bytes)?;
                let values = self.words(stored, f64::from_le_bytes)?;
                Entries::F64(Cow::Owned(indices), Cow::Owned(values))
            }
            _ => return None,
        };
        if ends.last().map_or(0, |end| *end as usize) != entries.len() {
            return None;
        }
        let [outcome, trials, weight, offset] =
            [6, 4, 2, 0].map(|shift| self.column(layout >> shift & 3, rows));
        let group = match layout >> 8 {
            0 => None,
            _ => Some(Cow::Owned(self.words(rows, u32::from_le_bytes)?)),
        };
        let sides =
            Sides { outcome: outcome?, trials: trials?, weight: weight?, offset: offset?, group };
        Some(SparseBlock::new(phase.cast_signed(), Cow::Owned(ends), entries, sides))
    }
}

fn words<T: Copy, const N: usize>(out: &mut Vec<u8>, words: &[T], bytes: fn(T) -> [u8; N]) {
    out.reserve(N * words.len());
    out.extend(words.iter().flat_map(|&word| bytes(word)));
}

/// Each code less the one before it in its row; `None` if some row descends.
fn differences(ends: &[u32], codes: &[u32]) -> Option<Vec<u16>> {
    let mut out = Vec::with_capacity(codes.len() + ends.len());
    let mut start = 0;
    for &end in ends {
        let mut last = 0;
        for &code in &codes[start..end as usize] {
            let difference = code.checked_sub(last)?;
            match u16::try_from(difference) {
                Ok(near) if near < FAR => out.push(near),
                _ => out.extend([FAR, difference as u16, (difference >> 16) as u16]),
            }
            last = code;
        }
        start = end as usize;
    }
    Some(out)
}

/// The codes of [`differences`].
fn sums(ends: &[u32], differences: &[u16]) -> Option<Vec<u32>> {
    let total = ends.last().map_or(0, |end| *end as usize);
    if total > differences.len() {
        return None;
    }
    let mut codes = Vec::with_capacity(total);
    let mut rest = differences.iter();
    let mut start = 0;
    for &end in ends {
        let mut code = 0u32;
        for _ in start..end {
            let difference = match *rest.next()? {
                FAR => u32::from(*rest.next()?) | u32::from(*rest.next()?) << 16,
                near => u32::from(near),
            };
            code = code.checked_add(difference)?;
            codes.push(code);
        }
        start = end;
    }
    rest.next().is_none().then_some(codes)
}

#[cfg(test)]
mod tests {
    use super::super::{SparseDataset, SparseExample, SparseExamples};
    use super::*;

    /// Rows of every kind that `case` asks for.
    fn blocks(value: f64, far: u32, sides: bool) -> Vec<SparseBlock<'static>> {
        let mut data = SparseDataset::builder(1 << 31);
        for row in 0..1500u32 {
            let first = row * 7 % 900;
            let entries = [(first, value), (first + 1 + far, -1.0), (first + 5 + far, 1.0)];
            let mut example =
                SparseExample::new(&entries[..(row % 4) as usize], f64::from(row % 3) / 2.0);
            example.phase = (row % 2) as i32 - 1;
            if sides {
                example.weight = Some(0.1 * f64::from(row));
                example.offset = Some(0.5);
                example.trials = Some(3.0);
                example.group = Some(row / 10);
            }
            data.push(&example).unwrap();
        }
        data.finish().into_blocks()
    }

    #[test]
    fn blocks_survive_as_bytes() {
        for (value, far, sides) in
            [(1.0, 3, false), (2.0, 1 << 30, true), (0.5, 70_000, true), (0.1, 9, false)]
        {
            for block in blocks(value, far, sides) {
                let mut bytes = vec![];
                block.encode(&mut bytes);
                let back = SparseBlock::decode(&bytes).unwrap();
                assert_eq!(format!("{back:?}"), format!("{block:?}"));
            }
        }
    }

    #[test]
    fn descending_rows_survive_too() {
        let mut data = SparseDataset::builder(10);
        data.push(&SparseExample::new(&[(7, 1.0), (2, -1.0)], 1.0)).unwrap();
        let data = data.finish();
        let block = data.blocks().next().unwrap().unwrap();
        let mut bytes = vec![];
        block.encode(&mut bytes);
        assert_eq!(format!("{:?}", SparseBlock::decode(&bytes).unwrap()), format!("{block:?}"));
    }

    #[test]
    fn differences_take_half_the_bytes() {
        let [small, large] = [1.0, 0.1].map(|value| {
            let mut bytes = vec![];
            blocks(value, 9, false).iter().for_each(|block| block.encode(&mut bytes));
            bytes.len()
        });
        assert!(3 * small < 2 * large, "{small} {large}");
    }

    #[test]
    fn damaged_bytes_are_refused_and_never_a_panic() {
        for (value, far) in [(1.0, 3), (1.0, 1 << 30), (0.1, 9)] {
            let mut bytes = vec![];
            blocks(value, far, true)[0].encode(&mut bytes);
            for length in (0..bytes.len()).step_by(97) {
                assert!(SparseBlock::decode(&bytes[..length]).is_err());
            }
            for at in 0..bytes.len().min(3000) {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x55;
                let _ = SparseBlock::decode(&damaged);
            }
        }
    }
}
