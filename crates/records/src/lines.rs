use std::io::{BufRead, Read};

use crate::fault::{Fault, Place, Reason};

/// No line of games or positions comes near this; rubbish without line ends
/// does, and must not fill the memory.
const MAX_LINE: usize = 1 << 20;

/// Reads numbered lines of text. Bytes that are not UTF-8 count as Latin-1,
/// since old game files are.
pub struct Lines<R> {
    input: R,
    number: u64,
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0, ended: false }
    }
}

impl<R: BufRead> Lines<R> {
    /// The next line that is not empty, without its comment, with its number.
    pub fn next_content(&mut self) -> Option<Result<(u64, String), Fault>> {
        self.find_map(|line| match line {
            Ok((number, line)) => {
                let content = without_comment(&line);
                (!content.trim().is_empty()).then(|| Ok((number, content.to_owned())))
            }
            Err(fault) => Some(Err(fault)),
        })
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<(u64, String), Fault>;

    fn next(&mut self) -> Option<Result<(u64, String), Fault>> {
        if self.ended {
            return None;
        }
        self.number += 1;
        let place = Place { line: Some(self.number), ..Place::default() };
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let reason = match read {
            Ok(0) => return None,
            Ok(length) if length <= MAX_LINE => {
                let line = text(&bytes);
                let line = line.trim_start_matches('\u{feff}').trim_end();
                return Some(Ok((self.number, line.to_owned())));
            }
            Ok(_) => Reason::TooLong { limit: MAX_LINE, what: "line of text" },
            Err(error) => error.into(),
        };
        self.ended = true;
        Some(Err(Fault::new(place, reason)))
    }
}

/// Bytes as UTF-8, or else as Latin-1.
pub fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

/// A line up to its comment.
pub fn without_comment(line: &str) -> &str {
    line.find(['%', '#']).map_or(line, |end| &line[..end])
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn lines_are_numbered_and_any_bytes_are_text() {
        let lines: Vec<_> =
            Lines::new(&b"\xef\xbb\xbfone\r\n\nM\xfcller\nend"[..]).map(Result::unwrap).collect();
        let expected = [(1, "one"), (2, ""), (3, "Müller"), (4, "end")];
        assert!(lines.iter().map(|(number, line)| (*number, line.as_str())).eq(expected));
    }

    #[test]
    fn an_endless_line_is_refused_once() {
        let mut lines = Lines::new(io::repeat(b'x').take(1 << 40).pipe_buffered());
        let fault = lines.next().unwrap().unwrap_err();
        assert_eq!(
            fault.to_string(),
            "line 1: longer than 1048576 bytes: this is not a line of text"
        );
        assert!(lines.next().is_none());
    }

    trait Buffered: Read + Sized {
        fn pipe_buffered(self) -> io::BufReader<Self> {
            io::BufReader::new(self)
        }
    }
    impl<R: Read> Buffered for R {}
}
