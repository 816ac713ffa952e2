//! Little-endian numbers in and out of byte strings.

use crate::WeightsError;

/// Reads numbers from the front of a byte string.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], WeightsError> {
        let (head, tail) = self.0.split_at_checked(length).ok_or(WeightsError::Truncated)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightsError> {
        self.take(N).map(|bytes| bytes.try_into().expect("as long as asked"))
    }

    pub(crate) fn u8(&mut self) -> Result<u8, WeightsError> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, WeightsError> {
        self.array().map(u32::from_le_bytes)
    }

    /// A finite number.
    pub(crate) fn f64(&mut self) -> Result<f64, WeightsError> {
        let number = f64::from_le_bytes(self.array()?);
        let wrong = WeightsError::Malformed("a weight is not a finite number");
        if number.is_finite() { Ok(number) } else { Err(wrong) }
    }

    /// So many finite numbers.
    pub(crate) fn f64s(&mut self, count: usize) -> Result<Vec<f64>, WeightsError> {
        (0..count).map(|_| self.f64()).collect()
    }

    /// Bytes with their length before them.
    pub(crate) fn block(&mut self) -> Result<&'a [u8], WeightsError> {
        let length = self.u32()?;
        self.take(length as usize)
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), WeightsError> {
        match self.0 {
            [] => Ok(()),
            _ => Err(WeightsError::Malformed("there is something after its end")),
        }
    }
}

/// Appends numbers.
pub(crate) fn put_f64s(out: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|value| out.extend(value.to_le_bytes()));
}

/// Appends bytes with their length before them.
pub(crate) fn put_block(out: &mut Vec<u8>, bytes: &[u8]) {
    out.extend((bytes.len() as u32).to_le_bytes());
    out.extend(bytes);
}
