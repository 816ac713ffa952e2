//! A text file, plain or zstd, and its lines.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::PathBuf;

/// Where a text is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TextFile {
    pub(crate) path: PathBuf,
    pub(crate) compressed: bool,
}

impl TextFile {
    /// The line, counted from 1, of the first character at or after an offset
    /// that does not end a line; 0 if the file cannot be read again.
    pub(crate) fn line_at(&self, offset: u64) -> u64 {
        self.search(offset).unwrap_or(0)
    }

    fn search(&self, offset: u64) -> std::io::Result<u64> {
        let text = decoded(File::open(&self.path)?, self.compressed)?;
        let mut line = 1;
        for (position, byte) in (0..).zip(BufReader::new(text).bytes()) {
            let byte = byte?;
            if position >= offset && byte != b'\n' && byte != b'\r' {
                break;
            }
            line += u64::from(byte == b'\n');
        }
        Ok(line)
    }
}

/// The text within.
pub(crate) fn decoded<R: Read + Send + 'static>(
    input: R,
    compressed: bool,
) -> std::io::Result<Box<dyn Read + Send>> {
    Ok(if compressed { Box::new(zstd::Decoder::new(input)?) } else { Box::new(input) })
}
