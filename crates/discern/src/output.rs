//! Results on standard output, for people or for programs.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use discern_files::NewFile;
use serde::Serialize;

use crate::place::At;

/// Prints one JSON object, or what `text` writes.
pub fn show(
    json: bool,
    object: &impl Serialize,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    show_all(json, [object], text)
}

/// Prints a JSON object a line, or what `text` writes.
///
/// Unlike `print!` it does not panic when the reader of our output goes away.
pub fn show_all(
    json: bool,
    objects: impl IntoIterator<Item = impl Serialize>,
    text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    let mut out = io::stdout().lock();
    if !json {
        text(&mut out)?;
        return Ok(out.flush()?);
    }
    for object in objects {
        serde_json::to_writer(&mut out, &object).map_err(io::Error::from)?;
        writeln!(out)?;
    }
    Ok(out.flush()?)
}

/// Prints a text.
pub fn print(text: &str) -> Result<()> {
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Lets `write` fill a new file, or the standard output. The file is begun
/// first: a folder that is not there shows at once.
pub fn write_to<T>(
    path: Option<&Path>,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<T>,
) -> Result<T> {
    let Some(path) = path else { return write(&mut io::stdout()) };
    let mut file = NewFile::create(path, force).at(path)?;
    let written = write(&mut file)?;
    file.finish().at(path)?;
    Ok(written)
}
