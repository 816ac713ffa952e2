use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use discern_experiment::{Companions, NUMBERS, Reproduction, StudyResults};

use crate::csv_files::csv_files;
use crate::page::{html, study_html};
use crate::text::ReadmeTable;

/// No honest reproduction is larger.
const MOST_BYTES: u64 = 256 << 20;

/// The numbers of a reproduction, from its folder or from the file itself, and
/// the folder that they are in.
///
/// # Errors
/// If they cannot be read; the error names the file.
pub fn read_numbers(path: &Path) -> io::Result<(Reproduction, PathBuf)> {
    let path = if path.is_dir() { path.join(NUMBERS) } else { path.to_owned() };
    let named = |kind, what: String| io::Error::new(kind, format!("{}: {what}", path.display()));
    let bytes =
        discern_files::read(&path, MOST_BYTES).map_err(|e| named(e.kind(), e.to_string()))?;
    let found = Reproduction::from_json(&bytes).map_err(|e| {
        let cause = e.source().map_or_else(String::new, |cause| format!(": {cause}"));
        named(io::ErrorKind::InvalidData, format!("{e}{cause}"))
    })?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok((found, parent.unwrap_or(Path::new(".")).to_owned()))
}

/// Writes the page of a study into a folder; its path is handed back.
///
/// # Errors
/// If it cannot be written; the error names it.
pub fn write_study(folder: &Path, found: &StudyResults) -> io::Result<PathBuf> {
    write(folder, "index.html", study_html(found))
}

/// Writes everything that follows from the numbers into a folder, the report
/// last; its path is handed back. Each file appears whole or not at all.
///
/// # Errors
/// If a file cannot be written; the error names it.
pub fn write_report(
    folder: &Path,
    found: &Reproduction,
    beside: &Companions,
) -> io::Result<PathBuf> {
    for file in csv_files(found) {
        write(folder, file.name, file.text)?;
    }
    write(folder, "table.md", ReadmeTable(found).to_string())?;
    write(folder, "index.html", html(found, beside))
}

fn write(folder: &Path, name: &str, text: String) -> io::Result<PathBuf> {
    let path = folder.join(name);
    let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
    discern_files::write(&path, text.as_bytes(), true).map_err(named)?;
    Ok(path)
}
