use std::io::{self, BufRead, Read};

/// A line of input, as far as it can be used.
#[derive(Debug, PartialEq, Eq)]
pub enum InputLine {
    /// Without its end; bytes that are no UTF-8 are replaced.
    Text(String),
    /// Longer than allowed; all of it has been skipped.
    TooLong,
}

/// Reads a line without ever holding more than `most` bytes; `None` at the end.
pub fn read_line(input: &mut impl BufRead, most: usize) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    let mut too_long = false;
    loop {
        let before = bytes.len();
        let read = input.by_ref().take(most as u64 + 1).read_until(b'\n', &mut bytes)?;
        if read == 0 && before == 0 && !too_long {
            return Ok(None);
        }
        if bytes.ends_with(b"\n") || read == 0 || bytes.len() <= most {
            break;
        }
        too_long = true;
        bytes.clear();
    }
    if too_long || bytes.len() > most + 1 {
        return Ok(Some(InputLine::TooLong));
    }
    Ok(Some(InputLine::Text(String::from_utf8_lossy(&bytes).trim_end().to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_skipped_whole() {
        let text = format!("ab\n{}\ncd\n{}\nef", "x".repeat(5), "y".repeat(1000));
        let mut input = text.as_bytes();
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input, 4).unwrap() {
            lines.push(line);
        }
        let plain = |text: &str| InputLine::Text(text.into());
        assert_eq!(
            lines,
            [plain("ab"), InputLine::TooLong, plain("cd"), InputLine::TooLong, plain("ef")]
        );
        assert_eq!(read_line(&mut "abcd\n".as_bytes(), 4).unwrap(), Some(plain("abcd")));
        assert_eq!(read_line(&mut &[0xff, b'\n'][..], 4).unwrap(), Some(plain("\u{fffd}")));
        assert_eq!(read_line(&mut "".as_bytes(), 4).unwrap(), None);
        assert_eq!(read_line(&mut "xxxxxxxx".as_bytes(), 4).unwrap(), Some(InputLine::TooLong));
    }
}
