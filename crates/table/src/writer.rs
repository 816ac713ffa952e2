//! Rows on their way out.

use std::io::{Error, Result, Write};

/// Writes rows of texts, each with numbers behind them: as CSV below a header,
/// or as one JSON object a line.
pub enum RowWriter<W: Write> {
    /// CSV.
    Csv(Box<csv::Writer<W>>),
    /// JSON Lines.
    Json {
        /// Where they go.
        out: W,
        /// The names of all columns.
        header: Vec<String>,
    },
}

impl<W: Write> RowWriter<W> {
    /// Begins with the names of all columns, texts first.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn new(out: W, header: Vec<String>, json: bool) -> Result<Self> {
        if json {
            return Ok(Self::Json { out, header });
        }
        let mut writer = Box::new(csv::Writer::from_writer(out));
        writer.write_record(&header).map_err(io_error)?;
        Ok(Self::Csv(writer))
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If the output fails.
    pub fn write<'a>(
        &mut self,
        texts: impl Iterator<Item = &'a str>,
        numbers: &[f64],
    ) -> Result<()> {
        match self {
            Self::Csv(writer) => {
                for text in texts {
                    writer.write_field(text).map_err(io_error)?;
                }
                for value in numbers {
                    writer.write_field(value.to_string()).map_err(io_error)?;
                }
                writer.write_record(None::<&[u8]>).map_err(io_error)
            }
            Self::Json { out, header } => {
                let texts = texts.map(serde_json::Value::from);
                let values = texts.chain(numbers.iter().map(|&value| value.into()));
                let object: serde_json::Map<_, _> = header.iter().cloned().zip(values).collect();
                serde_json::to_writer(&mut *out, &object).map_err(Error::from)?;
                writeln!(out)
            }
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// If the output fails.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::Csv(mut writer) => writer.flush(),
            Self::Json { mut out, .. } => out.flush(),
        }
    }
}

/// The error of the system within, so that a broken pipe is known as one.
fn io_error(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => Error::other(format!("{other:?}")),
    }
}
