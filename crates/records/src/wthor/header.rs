use super::WthorError;

pub const HEADER_SIZE: usize = 16;

/// The 16 bytes that all three kinds of file begin with, as far as we use them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Header {
    /// Games in the file.
    pub games: u32,
    /// Names in the file.
    pub names: u16,
    /// Year of the games.
    pub year: u16,
    /// Empty squares at which the theoretical score holds.
    pub depth: u8,
}

impl Header {
    /// Reads the header of a file of games.
    pub fn parse(bytes: &[u8]) -> Result<Header, WthorError> {
        let bytes: &[u8; HEADER_SIZE] =
            bytes.first_chunk().ok_or(WthorError::NoHeader { found: bytes.len() })?;
        let [_, _, _, _, g0, g1, g2, g3, n0, n1, y0, y1, size, kind, depth, _] = *bytes;
        match (size, kind) {
            (0 | 8, 0) => Ok(Header {
                games: u32::from_le_bytes([g0, g1, g2, g3]),
                names: u16::from_le_bytes([n0, n1]),
                year: u16::from_le_bytes([y0, y1]),
                // Old files leave the depth out and mean 22.
                depth: if depth == 0 { 22 } else { depth },
            }),
            (0 | 8, _) => Err(WthorError::Solitaire),
            _ => Err(WthorError::Size(size)),
        }
    }

    /// The header as bytes. The date of creation is fixed, so that the same
    /// games give the same bytes on every day.
    pub fn to_bytes(self) -> [u8; HEADER_SIZE] {
        let [g0, g1, g2, g3] = self.games.to_le_bytes();
        let [n0, n1] = self.names.to_le_bytes();
        let [y0, y1] = self.year.to_le_bytes();
        [20, 0, 1, 1, g0, g1, g2, g3, n0, n1, y0, y1, 8, 0, self.depth, 0]
    }

    /// Could a file of games begin like this?
    pub fn is_plausible(bytes: &[u8]) -> bool {
        let dated = matches!(bytes, [19..=21, 0..=99, 0..=12, 0..=31, ..]);
        dated && bytes.len() >= HEADER_SIZE && bytes[12] <= 10 && bytes[13] <= 1 && bytes[15] == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_survive_writing_and_reading() {
        let header = Header { games: 70_000, names: 0, year: 1999, depth: 24 };
        let mut bytes = header.to_bytes();
        assert_eq!(Header::parse(&bytes), Ok(header));
        assert!(Header::is_plausible(&bytes));
        bytes[14] = 0;
        assert_eq!(Header::parse(&bytes).unwrap().depth, 22);
        bytes[13] = 1;
        assert_eq!(Header::parse(&bytes), Err(WthorError::Solitaire));
        bytes[12] = 10;
        assert_eq!(Header::parse(&bytes), Err(WthorError::Size(10)));
        assert_eq!(Header::parse(&bytes[..7]), Err(WthorError::NoHeader { found: 7 }));
    }
}
