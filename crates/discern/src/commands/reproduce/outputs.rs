//! The results as files, each of which appears whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::Result;
use discern_report::reproduction::Reproduction;
use discern_report::{csv_files, html};

use super::folder::write_whole;

/// Writes everything that follows from the numbers into a folder, the report
/// last; its path is handed back.
pub fn write(folder: &Path, found: &Reproduction) -> Result<PathBuf> {
    for file in csv_files(found) {
        write_whole(&folder.join(file.name), file.text.as_bytes())?;
    }
    let report = folder.join("index.html");
    write_whole(&report, html(found).as_bytes())?;
    Ok(report)
}
