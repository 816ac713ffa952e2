use std::path::Path;

use crate::error::{Doing, ExperimentError};
use crate::results::of_this_format;
use crate::{NUMBERS, ReadError, Reproduction, Study, StudyResults};

/// What lies beside a reproduction and belongs into its report: the same at a
/// tenth of the time, and studies.
#[derive(Debug, Clone, Default)]
pub struct Companions {
    /// The reproduction in the folder [`TENTH`].
    pub tenth: Option<Reproduction>,
    /// The studies in folders by their names.
    pub studies: Vec<StudyResults>,
}

/// The folder of the same reproduction at a tenth of the time.
pub const TENTH: &str = "tenth";

/// No honest result is larger.
const MOST: u64 = 256 << 20;

impl Companions {
    /// Those in the folder of a reproduction.
    ///
    /// # Errors
    /// If one is there and cannot be read.
    pub fn beside(folder: &Path) -> Result<Companions, ExperimentError> {
        let tenth = read(&folder.join(TENTH).join(NUMBERS), Reproduction::from_json)?;
        let study = |study: Study| {
            let path = folder.join(study.word()).join(study.file());
            read(&path, StudyResults::from_json)
        };
        let studies = [Study::Labels, Study::Rivals].map(study);
        let studies = studies.into_iter().filter_map(Result::transpose);
        Ok(Companions { tenth, studies: studies.collect::<Result<_, _>>()? })
    }
}

/// A file, if it is there.
fn read<T>(
    path: &Path,
    from: fn(&[u8]) -> Result<T, ReadError>,
) -> Result<Option<T>, ExperimentError> {
    match discern_files::read(path, MOST) {
        Ok(bytes) => from(&bytes).map(Some).to_file(path),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).to_file(path),
    }
}

impl StudyResults {
    /// Reads the content of a study's file.
    ///
    /// # Errors
    /// If it is something else, of another format, or damaged.
    pub fn from_json(bytes: &[u8]) -> Result<StudyResults, ReadError> {
        of_this_format(bytes)
    }
}
