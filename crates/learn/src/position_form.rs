use std::io::{self, Write};
use std::path::{Path, PathBuf};

use discern_files::NewFile;

use crate::pattern_rows::PatternRows;
use crate::position_file::encode;
use crate::tree::{LabelledPosition, write_parquet};

/// In which form classified positions are written; the end of a file's name
/// says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionForm {
    /// For pandas, DuckDB and R.
    Parquet,
    /// Our own, for `discern fit --positions`.
    Positions,
    /// Configurations of patterns as LIBSVM text.
    Svm {
        /// Within zstd?
        compressed: bool,
    },
}

/// A name that no form has.
#[derive(Debug, thiserror::Error)]
#[error("{0}: the name must end in .parquet, .positions, .svm or .svm.zst")]
pub struct UnknownForm(String);

impl PositionForm {
    /// The form that a file's name stands for.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(path: &Path) -> Result<PositionForm, UnknownForm> {
        let name = path.to_string_lossy();
        let endings = [
            (".parquet", PositionForm::Parquet),
            (".positions", PositionForm::Positions),
            (".svm", PositionForm::Svm { compressed: false }),
            (".svm.zst", PositionForm::Svm { compressed: true }),
        ];
        let found = endings.into_iter().find(|(ending, _)| name.ends_with(ending));
        found.map(|(_, form)| form).ok_or_else(|| UnknownForm(path.display().to_string()))
    }

    /// Writes a file of positions, and beside it the manifest.
    ///
    /// # Errors
    /// If they cannot be written, or are there and must not be replaced.
    pub fn save(
        path: &Path,
        labelled: &[LabelledPosition],
        manifest: &str,
        force: bool,
    ) -> io::Result<()> {
        let form = PositionForm::of(path).map_err(io::Error::other)?;
        let mut file = NewFile::create(path, force)?;
        form.write(&mut file, labelled, manifest)?;
        file.finish()?;
        discern_files::write(PositionForm::manifest_of(path), manifest.as_bytes(), force)
    }

    /// Where the manifest of a file is.
    pub fn manifest_of(path: &Path) -> PathBuf {
        path.with_added_extension("manifest.json")
    }

    /// Writes positions; the manifest goes into the forms that have a place for
    /// it.
    ///
    /// # Errors
    /// If the output refuses the bytes.
    pub fn write(
        self,
        mut output: impl Write + Send,
        labelled: &[LabelledPosition],
        manifest: &str,
    ) -> io::Result<()> {
        match self {
            PositionForm::Parquet => {
                write_parquet(output, labelled, manifest).map_err(io::Error::other)
            }
            PositionForm::Positions => {
                let positions: Vec<_> = labelled.iter().map(|one| one.position).collect();
                output.write_all(&encode(&positions)?)
            }
            PositionForm::Svm { compressed } => {
                let positions = labelled.iter().map(|one| &one.position);
                PatternRows::default().write(output, compressed, positions)
            }
        }
    }
}
