use std::path::PathBuf;

use discern_records::{FileFault, Findings, Reading, files_of_all};

use crate::library::{Full, Library};

/// Faults that are spelled out; the others are counted.
const FAULTS: usize = 5;

/// How much a library may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// Games.
    pub games: usize,
    /// Bytes, about.
    pub bytes: usize,
}

impl Default for Bound {
    /// Four million games, half a gibibyte.
    fn default() -> Bound {
        Bound { games: 4_000_000, bytes: 512 << 20 }
    }
}

impl Library {
    /// Reads files and folders of files; `progress` hears the bytes read and
    /// those of all files. With the library come sentences about it: its size,
    /// and what could not be read.
    ///
    /// # Errors
    /// If a path leads nowhere or a folder has no files of games. Faults
    /// within files are sentences, not errors.
    pub fn open(
        paths: &[PathBuf],
        bound: Bound,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<(Library, Vec<String>), FileFault> {
        let files = files_of_all(paths)?;
        let all = Reading::bytes(&files);
        let (library, findings) = Library::read(&files, bound, &mut |read| progress(read, all));
        let mut notes = match findings {
            Ok(findings) => findings.fault_sentences(FAULTS),
            Err(full) => vec![format!("{full}: further games are left out")],
        };
        notes.push(format!(
            "{} games of {} players to search in",
            library.len(),
            library.players()
        ));
        Ok((library, notes))
    }

    /// Reads files of any format; `progress` hears the bytes read. What could
    /// not be read stands in the findings; games beyond the bound are left out,
    /// and then [`Full`] comes with the library.
    pub fn read(
        files: &[PathBuf],
        bound: Bound,
        progress: &mut dyn FnMut(u64),
    ) -> (Library, Result<Findings, Full>) {
        let mut library = Library::within(bound);
        let reading = Reading { files, format: None, progress };
        let findings = reading.run(|_| Ok(()), |record, _, _| library.add(&record));
        library.settle();
        (library, findings)
    }
}
