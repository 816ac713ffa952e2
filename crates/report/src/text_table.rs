//! Tables for the terminal.

use std::fmt;

use discern_files::printable;

/// Which side of its column a cell keeps to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names and words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under a header, columns as wide as their widest cell.
///
/// ```
/// use discern_report::{Align, TextTable};
///
/// let mut table = TextTable::new([("feature", Align::Left), ("estimate", Align::Right)]);
/// table.row(["mobility", "0.25"]);
/// assert_eq!(
///     table.to_string(),
///     "feature   estimate\n\
///      ──────────────────\n\
///      mobility      0.25\n"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct TextTable {
    header: Vec<String>,
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
    indent: usize,
}

impl TextTable {
    /// A table with these columns.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Align)>) -> Self {
        let (header, align) = columns.into_iter().map(|(name, a)| (cell(name), a)).unzip();
        Self { header, align, rows: Vec::new(), indent: 0 }
    }

    /// Moves the table to the right.
    pub fn indent(mut self, columns: usize) -> Self {
        self.indent = columns;
        self
    }

    /// Adds a row; missing cells are empty.
    pub fn row<C: Into<String>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut cells: Vec<String> = cells.into_iter().map(cell).collect();
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }
}

/// Names come from files: a terminal must not obey them.
fn cell(text: impl Into<String>) -> String {
    printable(&text.into()).into_owned()
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let widths: Vec<usize> = (0..self.header.len())
            .map(|column| {
                let cells = self.rows.iter().map(|row| row[column].chars().count());
                cells.chain([self.header[column].chars().count()]).max().unwrap_or(0)
            })
            .collect();
        let line = |cells: &[String]| {
            let padded: Vec<String> = cells
                .iter()
                .zip(&widths)
                .zip(&self.align)
                .map(|((cell, &width), align)| match align {
                    Align::Left => format!("{cell:<width$}"),
                    Align::Right => format!("{cell:>width$}"),
                })
                .collect();
            let text = padded.join("  ");
            format!("{:indent$}{}", "", text.trim_end(), indent = self.indent)
        };
        let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        writeln!(f, "{}", line(&self.header))?;
        writeln!(f, "{:indent$}{}", "", "─".repeat(total), indent = self.indent)?;
        for row in &self.rows {
            writeln!(f, "{}", line(row))?;
        }
        Ok(())
    }
}
