//! Reads the `(;NAME[value]NAME[value]…;)` that GGF and SGF share.

use std::io::BufRead;

use crate::fault::{Fault, Place, Reason};
use crate::lines::text;

/// No game comes near this; rubbish without a closing bracket does.
const MAX_GAME: usize = 1 << 20;

/// A name and its values: `AB[d4][e5]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// In capitals.
    pub name: String,
    /// At least one.
    pub values: Vec<String>,
    /// The line on which the name begins.
    pub line: u64,
}

impl Tag {
    /// The first value without blanks around it.
    pub fn value(&self) -> &str {
        self.values.first().map_or("", |value| value.trim())
    }
}

/// The tags of one game, variations left out.
#[derive(Debug)]
pub struct TagList {
    pub tags: Vec<Tag>,
    /// Number of the game in the file.
    pub game: u64,
    /// The line on which it begins.
    pub line: u64,
}

impl TagList {
    /// The value of the first tag with this name.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name == name).map(Tag::value)
    }
}

/// What is wrong with the brackets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// Text between games.
    #[error("'{0}' stands outside of a game")]
    Outside(String),
    /// A game that never ends.
    #[error("the game has no end")]
    NoEnd,
    /// Something that is neither a name nor a bracket.
    #[error("line {line}: '{found}' is neither a tag nor the end of the game")]
    Unexpected {
        /// Where it stands.
        line: u64,
        /// What stands there.
        found: char,
    },
    /// A value without a name.
    #[error("line {line}: a value without a tag")]
    NoName {
        /// Where it stands.
        line: u64,
    },
}

/// How the two formats differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Values end at the next `]`; a `(` begins a new game.
    Ggf,
    /// `\` escapes in values; a `(` within a game begins a variation.
    Sgf,
}

/// Splits a stream into games.
pub struct TagReader<R> {
    input: R,
    dialect: Dialect,
    line: u64,
    games: u64,
    /// A `(` that was read too far.
    opened: bool,
    ended: bool,
}

impl<R: BufRead> TagReader<R> {
    pub fn new(input: R, dialect: Dialect) -> TagReader<R> {
        TagReader { input, dialect, line: 1, games: 0, opened: false, ended: false }
    }

    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, Reason> {
        let Some(&byte) = self.input.fill_buf()?.first() else { return Ok(None) };
        self.input.consume(1);
        self.line += u64::from(byte == b'\n');
        Ok(Some(byte))
    }

    /// Goes to the next `(`; between games stand only blanks and the count of
    /// the games of a synchro match.
    fn skip_to_game(&mut self) -> Result<bool, Reason> {
        let mut junk = Vec::new();
        while !self.opened {
            match self.byte()? {
                Some(b'(') => self.opened = true,
                None if junk.is_empty() => return Ok(false),
                None => break,
                Some(byte) if byte.is_ascii_whitespace() || byte.is_ascii_digit() => {
                    if !junk.is_empty() && junk.len() < 20 {
                        junk.push(byte);
                    }
                }
                Some(byte) if junk.len() < 20 => junk.push(byte),
                Some(_) => {}
            }
        }
        // A byte order mark is no text.
        let junk = junk.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&junk);
        if junk.is_empty() {
            return Ok(self.opened);
        }
        Err(TagError::Outside(text(junk).trim().to_owned()).into())
    }

    fn read_game(&mut self) -> Result<Vec<Tag>, Reason> {
        self.opened = false;
        let mut tags: Vec<Tag> = Vec::new();
        let mut name = String::new();
        let mut after_value = false;
        let (mut depth, mut main_line, mut size) = (1, true, 0);
        loop {
            let line = self.line;
            let byte = self.byte()?.ok_or(TagError::NoEnd)?;
            size += 1;
            match byte {
                b'(' if self.dialect == Dialect::Ggf => {
                    self.opened = true;
                    return Err(TagError::NoEnd.into());
                }
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    main_line = false;
                    if depth == 0 {
                        return Ok(tags);
                    }
                }
                b'[' => {
                    let value = self.value(&mut size)?;
                    if !main_line {
                        name.clear();
                        continue;
                    }
                    match tags.last_mut() {
                        _ if !name.is_empty() => {
                            let name = std::mem::take(&mut name);
                            tags.push(Tag { name, values: vec![value], line });
                        }
                        Some(tag) if after_value => tag.values.push(value),
                        _ => return Err(TagError::NoName { line }.into()),
                    }
                    after_value = true;
                }
                b';' => (name, after_value) = (String::new(), false),
                byte if byte.is_ascii_whitespace() => {}
                byte if byte.is_ascii_alphabetic() => {
                    name.push(byte.to_ascii_uppercase().into());
                    after_value = false;
                }
                byte => return Err(TagError::Unexpected { line, found: byte.into() }.into()),
            }
            if size > MAX_GAME {
                return Err(Reason::TooLong { limit: MAX_GAME, what: "game" });
            }
        }
    }

    fn value(&mut self, size: &mut usize) -> Result<String, Reason> {
        let mut value = Vec::new();
        loop {
            let byte = match self.byte()?.ok_or(TagError::NoEnd)? {
                b']' => return Ok(text(&value)),
                b'\\' if self.dialect == Dialect::Sgf => self.byte()?.ok_or(TagError::NoEnd)?,
                byte => byte,
            };
            value.push(byte);
            *size += 1;
            if *size > MAX_GAME {
                return Err(Reason::TooLong { limit: MAX_GAME, what: "game" });
            }
        }
    }
}

impl<R: BufRead> Iterator for TagReader<R> {
    type Item = Result<TagList, Fault>;

    fn next(&mut self) -> Option<Result<TagList, Fault>> {
        if self.ended {
            return None;
        }
        let found = self.skip_to_game();
        let line = self.line;
        let game = match found {
            Ok(false) => return None,
            Ok(true) => {
                self.games += 1;
                self.read_game().map_err(|reason| (Place::line(self.games, line), reason))
            }
            Err(reason) => Err((Place { line: Some(line), ..Place::default() }, reason)),
        };
        Some(game.map(|tags| TagList { tags, game: self.games, line }).map_err(
            |(place, reason)| {
                // What follows a game that is too long cannot be told from it.
                self.ended = matches!(reason, Reason::Io(_) | Reason::TooLong { .. });
                Fault::new(place, reason)
            },
        ))
    }
}
