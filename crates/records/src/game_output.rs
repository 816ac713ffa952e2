use crate::archive::ArchiveWriter;
use crate::output::{NewGameFile, WriteError};
use crate::record::GameRecord;

/// Games on their way into a new file or to the end of an archive.
pub enum GameOutput {
    /// A new file.
    New(NewGameFile),
    /// Nothing is written before all games are known to be good: an archive
    /// that is added to cannot take games back.
    Append {
        /// The archive.
        writer: Box<ArchiveWriter>,
        /// Plans of the games.
        plans: Vec<String>,
        /// The games.
        waiting: Vec<GameRecord>,
    },
}

impl GameOutput {
    /// Adds to an archive, all games or none.
    pub fn append_to(writer: ArchiveWriter) -> GameOutput {
        let (plans, waiting) = (Vec::new(), Vec::new());
        GameOutput::Append { writer: Box::new(writer), plans, waiting }
    }

    /// Adds the plan of games to come.
    pub fn add_plan(&mut self, text: &str) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.add_plan(text)?,
            GameOutput::Append { plans, .. } => plans.push(text.to_owned()),
        }
        Ok(())
    }

    /// Adds a game.
    pub fn append(&mut self, record: GameRecord) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.append(&record),
            GameOutput::Append { waiting, .. } => {
                record.check()?;
                waiting.push(record);
                Ok(())
            }
        }
    }

    /// Ends the output and puts it in its place.
    pub fn finish(self) -> Result<(), WriteError> {
        match self {
            GameOutput::New(file) => file.finish(),
            GameOutput::Append { mut writer, plans, waiting } => {
                let mut add = || {
                    plans.iter().try_for_each(|plan| writer.add_plan(plan))?;
                    waiting.iter().try_for_each(|record| writer.append(record))?;
                    writer.commit()
                };
                // Should taking back fail too, the archive still is a row of
                // whole blocks.
                add().inspect_err(|_| drop(writer.take_back()))
            }
        }
    }
}
