//! Numbers as bytes: LEB128 varints and zigzag for signed numbers.

use super::ArchiveError;
use super::columns::Column;
use super::source::Source;

/// Appends a varint: seven bits per byte, low bits first, high bit = go on.
pub fn put(column: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        column.push(value as u8 | 0x80);
        value >>= 7;
    }
    column.push(value as u8);
}

/// Appends a signed number: 0, −1, 1, −2 … become 0, 1, 2, 3 …
pub fn put_signed(column: &mut Vec<u8>, value: i64) {
    put(column, zigzag(value));
}

/// Appends 0 for nothing, the number + 1 otherwise. The largest number of all
/// has no room and becomes its neighbour.
pub fn put_option(column: &mut Vec<u8>, value: Option<u64>) {
    put(column, value.map_or(0, |value| value.saturating_add(1)));
}

/// Signed to unsigned, small to small.
pub fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// Undoes [`zigzag`].
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Bytes from front to back.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'a>(pub &'a [u8]);

/// What a column that ends too early is called in messages.
const SHORT: ArchiveError = ArchiveError::Content("a column ends too early");

impl Cursor<'_> {
    /// The next byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, ArchiveError> {
        let (&first, rest) = self.0.split_first().ok_or(SHORT)?;
        self.0 = rest;
        Ok(first)
    }
}

/// The next numbers of a column, wherever its bytes come from.
pub struct Field<'a, S> {
    pub source: &'a mut S,
    pub column: Column,
}

impl<S: Source> Field<'_, S> {
    /// The next byte.
    pub fn byte(&mut self) -> Result<u8, ArchiveError> {
        self.source.byte(self.column)
    }

    /// The next eight bytes as a number.
    pub fn u64(&mut self) -> Result<u64, ArchiveError> {
        let mut bytes = [0; 8];
        for byte in &mut bytes {
            *byte = self.byte()?;
        }
        Ok(u64::from_le_bytes(bytes))
    }

    /// The next varint.
    pub fn varint(&mut self) -> Result<u64, ArchiveError> {
        varint(|| self.byte())
    }

    /// The next signed varint.
    pub fn signed(&mut self) -> Result<i64, ArchiveError> {
        self.varint().map(unzigzag)
    }

    /// The next varint as a size or index.
    pub fn index(&mut self) -> Result<usize, ArchiveError> {
        index(self.varint()?)
    }

    /// The next optional number.
    pub fn option(&mut self) -> Result<Option<u64>, ArchiveError> {
        Ok(self.varint()?.checked_sub(1))
    }
}

fn varint(mut next: impl FnMut() -> Result<u8, ArchiveError>) -> Result<u64, ArchiveError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        let bits = u64::from(byte & 0x7f);
        if shift == 63 && bits > 1 {
            break;
        }
        value |= bits << shift;
        if byte < 0x80 {
            return Ok(value);
        }
    }
    Err(ArchiveError::Content("a number does not fit 64 bits"))
}

fn index(number: u64) -> Result<usize, ArchiveError> {
    usize::try_from(number).map_err(|_| ArchiveError::Content("a size is too large"))
}

/// Narrows a number that the format bounds.
pub fn narrow<T: TryFrom<u64>>(value: u64) -> Result<T, ArchiveError> {
    T::try_from(value).map_err(|_| ArchiveError::Content("a number is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_at_every_size() {
        let mut column = Vec::new();
        let values: Vec<u64> = (0..64).flat_map(|bit| [1 << bit, (1 << bit) - 1]).collect();
        for &value in values.iter().chain([&u64::MAX]) {
            put(&mut column, value);
            put_signed(&mut column, value as i64);
        }
        let mut cursor = Cursor(&column);
        for &value in values.iter().chain([&u64::MAX]) {
            assert_eq!(varint(|| cursor.byte()).unwrap(), value);
            assert_eq!(varint(|| cursor.byte()).map(unzigzag).unwrap(), value as i64);
        }
        assert!(cursor.byte().is_err());
    }

    #[test]
    fn overlong_numbers_are_refused() {
        let refused = |bytes: &[u8]| {
            let mut cursor = Cursor(bytes);
            varint(|| cursor.byte()).is_err()
        };
        assert!(refused(&[0xff; 11]));
        assert!(refused(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2]));
        assert!(refused(&[0x80]));
    }
}
