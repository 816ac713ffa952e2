//! The archive as one of the formats of games.

use discern_files::NewFile;

use super::{ArchiveReader, ArchiveWriter, FORMAT_NAME};
use crate::format::{Description, Writing};
use crate::output::{GameSink, WriteError};
use crate::read::Games;
use crate::record::GameRecord;

pub(crate) const FORMAT: Description = Description {
    name: "archive",
    extension: "games",
    // Any version: the reader says what is wrong with other ones.
    fits: |start| start.bytes.starts_with(FORMAT_NAME),
    read: |input, _| ArchiveReader::new(input).map(|reader| Games::Archive(Box::new(reader))),
    write: Writing::File(|file, _, _| {
        let writer = ArchiveWriter::start(file.file()?)?;
        Ok(Box::new(NewArchive { writer, file }))
    }),
};

/// An archive in the making.
struct NewArchive {
    writer: ArchiveWriter,
    file: NewFile,
}

impl GameSink for NewArchive {
    fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        self.writer.add_plan(text)
    }

    fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        self.writer.append(record)
    }

    fn finish(mut self: Box<Self>) -> Result<(), WriteError> {
        self.writer.commit()?;
        Ok(self.file.finish()?)
    }
}
