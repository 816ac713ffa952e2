use std::io::{self, Write};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

use super::prompt::Prompt;

/// A terminal in which lines are edited, called back and completed with Tab.
pub struct LineEditor(Editor<Words, MemHistory>);

/// What an answer may begin with.
#[derive(Default)]
struct Words(Vec<String>);

impl LineEditor {
    /// The terminal that this program runs in.
    ///
    /// # Errors
    /// If it cannot be used.
    pub fn new() -> io::Result<LineEditor> {
        let editor = Editor::with_history(Config::default(), MemHistory::new());
        let mut editor = editor.map_err(io::Error::other)?;
        editor.set_helper(Some(Words::default()));
        Ok(LineEditor(editor))
    }
}

impl Prompt for LineEditor {
    fn ask(
        &mut self,
        question: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>> {
        out.flush()?;
        self.0.set_helper(Some(Words(words)));
        match self.0.readline(question) {
            Ok(line) => {
                // What is not remembered can be typed again.
                let _ = self.0.add_history_entry(&line);
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, fitting(&self.0, &line[..at])))
    }
}

/// The words that a line may become.
fn fitting(words: &[String], typed: &str) -> Vec<String> {
    let typed = typed.to_lowercase();
    words.iter().filter(|word| word.starts_with(&typed)).cloned().collect()
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_words_are_completed() {
        let words = ["d3", "c4", "hint", "help"].map(str::to_owned);
        assert_eq!(fitting(&words, "D"), ["d3"]);
        assert_eq!(fitting(&words, "h"), ["hint", "help"]);
        assert_eq!(fitting(&words, "x"), [""; 0]);
    }
}
