use std::io::{self, BufRead, IsTerminal, Write};

use super::editor::LineEditor;
use super::lines::{InputLine, read_line};

/// The longest wish that is read.
const LONGEST: usize = 4096;

/// Whoever answers questions a line at a time.
pub trait Prompt {
    /// Asks and waits for a line; `None` if there will be none. An answer may
    /// begin with one of `words`.
    ///
    /// # Errors
    /// If input or output fail.
    fn ask(
        &mut self,
        question: &str,
        words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>>;
}

/// The person at standard input: at a terminal with lines that can be edited,
/// else plain.
///
/// # Errors
/// If the terminal cannot be used.
pub fn person() -> io::Result<Box<dyn Prompt>> {
    let stdin = io::stdin();
    let typed = stdin.is_terminal();
    Ok(match typed && io::stdout().is_terminal() {
        true => Box::new(LineEditor::new()?),
        false => Box::new(PlainPrompt { echo: !typed, input: stdin.lock() }),
    })
}

/// Lines of a file or a pipe, and of terminals that cannot be edited in.
pub struct PlainPrompt<R> {
    /// Where they come from.
    pub input: R,
    /// Does nobody see what is typed, so that lines must be ended for them?
    pub echo: bool,
}

impl<R: BufRead> Prompt for PlainPrompt<R> {
    fn ask(
        &mut self,
        question: &str,
        _words: Vec<String>,
        out: &mut dyn Write,
    ) -> io::Result<Option<String>> {
        write!(out, "{question}")?;
        out.flush()?;
        let line = read_line(&mut self.input, LONGEST)?;
        if line.is_none() || self.echo {
            // Nobody typed a newline that the terminal would have shown.
            writeln!(out)?;
        }
        Ok(line.map(|line| match line {
            InputLine::Text(text) => text,
            InputLine::TooLong => String::new(),
        }))
    }
}
