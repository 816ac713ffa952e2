//! An adaptive arithmetic coder.
//!
//! Every bit is coded with the share of ones among the bits before it in the
//! same place. Bytes come out as soon as they are certain, and the other way
//! round a bit is known as soon as the bytes that decide it are there: of a
//! stream that was cut everything before the cut is decoded, and the decoder
//! knows where that ends. Block compression such as zstd, which codes a block
//! from back to front, gives nothing of a block that was cut.

/// The chance that the next bit in some place is a one, learned on the way.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    /// In 1/65536.
    one: u16,
    seen: u8,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance { one: 1 << 15, seen: 0 }
    }
}

impl Chance {
    /// Nothing is certain: the other bit can always be coded.
    const LEAST: i32 = 32;

    fn learn(&mut self, bit: bool) {
        let target = if bit { 1 << 16 } else { 0 };
        // The mean of all bits, later of about the last 255.
        let step = (target - i32::from(self.one)) * 2 / (2 * i32::from(self.seen) + 3);
        let one = (i32::from(self.one) + step).clamp(Chance::LEAST, (1 << 16) - Chance::LEAST);
        self.one = one as u16;
        self.seen = self.seen.saturating_add(1);
    }

    /// Divides `low..=high` between one, up to the number returned, and zero.
    fn split(self, low: u32, high: u32) -> u32 {
        low + ((u64::from(high - low) * u64::from(self.one)) >> 16) as u32
    }
}

/// Codes bits in either direction, so that what is written and what is read is
/// described once.
pub trait BitCoder {
    /// Codes a bit; the encoder is given it and returns it, the decoder ignores
    /// what it is given. `None` where the stream ends.
    fn bit(&mut self, given: bool, chance: &mut Chance) -> Option<bool>;
}

/// Bits to bytes.
#[derive(Debug)]
pub struct BitEncoder {
    /// The numbers that stand for what was coded since the last byte.
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Default for BitEncoder {
    fn default() -> BitEncoder {
        BitEncoder { low: 0, high: u32::MAX, bytes: Vec::new() }
    }
}

impl BitEncoder {
    /// All bytes, with those that decide the last bits.
    pub fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(self.low.to_be_bytes());
        self.bytes
    }
}

impl BitCoder for BitEncoder {
    fn bit(&mut self, given: bool, chance: &mut Chance) -> Option<bool> {
        let middle = chance.split(self.low, self.high);
        match given {
            true => self.high = middle,
            false => self.low = middle + 1,
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
        }
        chance.learn(given);
        Some(given)
    }
}

/// Bytes to bits.
#[derive(Debug)]
pub struct BitDecoder<'a> {
    low: u32,
    high: u32,
    /// The number in the stream, as far as it is there …
    code: u32,
    /// … and the bits at its end that may be anything.
    unknown: u32,
    rest: &'a [u8],
}

impl<'a> BitDecoder<'a> {
    pub fn new(bytes: &'a [u8]) -> BitDecoder<'a> {
        let mut decoder = BitDecoder { low: 0, high: u32::MAX, code: 0, unknown: 0, rest: bytes };
        (0..4).for_each(|_| decoder.next_byte());
        decoder
    }

    fn next_byte(&mut self) {
        self.code <<= 8;
        match self.rest.split_first() {
            Some((&byte, rest)) => (self.code, self.rest) = (self.code | u32::from(byte), rest),
            None => self.unknown = (self.unknown + 8).min(32),
        }
    }
}

impl BitCoder for BitDecoder<'_> {
    fn bit(&mut self, _: bool, chance: &mut Chance) -> Option<bool> {
        let middle = chance.split(self.low, self.high);
        let largest = self.code | ((1u64 << self.unknown) - 1) as u32;
        let bit = self.code <= middle;
        if bit != (largest <= middle) {
            return None;
        }
        match bit {
            true => self.high = middle,
            false => self.low = middle + 1,
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xff;
            self.next_byte();
        }
        chance.learn(bit);
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use discern_board::testing::Seeded;

    use super::*;

    /// Mostly zeros, mostly ones, anything: in three places.
    fn bits(count: usize) -> Vec<(usize, bool)> {
        let mut random = Seeded::new(1);
        let bit = |_| {
            let place = random.below(3);
            (place, random.below(100) < [1, 95, 50][place])
        };
        (0..count).map(bit).collect()
    }

    fn encoded(bits: &[(usize, bool)]) -> Vec<u8> {
        let (mut encoder, mut chances) = (BitEncoder::default(), [Chance::default(); 3]);
        for &(place, bit) in bits {
            assert_eq!(encoder.bit(bit, &mut chances[place]), Some(bit));
        }
        encoder.finish()
    }

    fn decoded(bytes: &[u8], bits: &[(usize, bool)]) -> usize {
        let (mut decoder, mut chances) = (BitDecoder::new(bytes), [Chance::default(); 3]);
        let right = |&&(place, bit): &&(usize, bool)| {
            let found = decoder.bit(false, &mut chances[place]);
            assert!(found.is_none_or(|found| found == bit), "a wrong bit");
            found.is_some()
        };
        bits.iter().take_while(right).count()
    }

    #[test]
    fn bits_survive_and_take_the_room_that_their_chances_ask_for() {
        let bits = bits(30_000);
        let bytes = encoded(&bits);
        assert_eq!(decoded(&bytes, &bits), bits.len());
        // Entropies of .08, .29 and 1 bit.
        let best = 10_000.0 * (0.0808 + 0.2864 + 1.0) / 8.0;
        assert!((bytes.len() as f64) < 1.03 * best, "{} bytes", bytes.len());
    }

    #[test]
    fn a_cut_stream_gives_every_bit_that_it_decides_and_no_wrong_one() {
        let bits = bits(600);
        let bytes = encoded(&bits);
        let mut last = 0;
        for length in 0..=bytes.len() {
            let known = decoded(&bytes[..length], &bits);
            assert!(known >= last);
            last = known;
        }
        assert_eq!(last, bits.len());
        // The last four bytes are there for the last bits alone.
        for count in (0..bits.len()).step_by(7) {
            let alone = encoded(&bits[..count]).len();
            assert!(decoded(&bytes[..alone.min(bytes.len())], &bits) >= count, "{count}");
        }
    }
}
