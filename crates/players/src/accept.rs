use std::fs::File;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use discern_records::{Format, GameFile};

use crate::error::JobError;
use crate::fingerprint::fingerprint_of_bytes;
use crate::seal::Seal;
use crate::shard_folder::{ShardFolder, ShardState, write_whole};

/// What became of a shard that another machine has made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Accepted {
    /// It was missing, and is whole now.
    New,
    /// It was there already, with the same bytes.
    Same,
    /// It was there already. Clocks and foreign programs never give the same
    /// twice, so the first one stays.
    Kept,
    /// It was there already with other bytes, although the plan is repeatable:
    /// one of the two machines is broken. The first one stays, and the other
    /// one is in this file.
    Differs(PathBuf),
}

impl ShardFolder {
    /// Takes a shard that was made in another folder with the same plan: the
    /// bytes of its games and its seal.
    ///
    /// Everything is checked before anything is written: the seal against the
    /// plan and against the games, the build, and every game by the rules.
    ///
    /// # Errors
    /// What is wrong with it. The folder is as it was then.
    pub fn accept(
        &self,
        shard: u32,
        games: &[u8],
        seal: &str,
        other_build: bool,
    ) -> Result<Accepted, JobError> {
        let wrong = |what: String| JobError::Shards(format!("shard {shard}: {what}"));
        let sealed: Seal =
            serde_json::from_str(seal).map_err(|error| wrong(format!("not a seal: {error}")))?;
        self.check_seal(shard, &sealed).map_err(wrong)?;
        if !other_build && sealed.build != *self.build() {
            return Err(wrong(format!("made by {}, not by {}", sealed.build, self.build())));
        }
        if games.len() as u64 != sealed.bytes || fingerprint_of_bytes(games) != sealed.blake3 {
            return Err(wrong("not the games that were sealed".into()));
        }
        self.check_games(games, &sealed).map_err(wrong)?;
        // One after the other, as in `write`.
        let _turn = File::open(self.path()).and_then(|folder| folder.lock().map(|()| folder));
        let path = self.games_path(shard);
        match self.state(shard)? {
            ShardState::Whole(first) if first.blake3 == sealed.blake3 => Ok(Accepted::Same),
            ShardState::Whole(_) if !self.is_repeatable() => Ok(Accepted::Kept),
            ShardState::Whole(_) => {
                let other = path.with_extension(format!("games.{}", sealed.blake3));
                write_whole(&other, games)?;
                Ok(Accepted::Differs(other))
            }
            state => {
                if let ShardState::Damaged(_) = state {
                    self.set_aside(shard)?;
                }
                write_whole(&path, games)?;
                write_whole(&self.seal_path(shard), seal.as_bytes())?;
                Ok(Accepted::New)
            }
        }
    }

    /// Are these games of this plan and shard, as many as the seal says, and
    /// all by the rules?
    fn check_games(&self, games: &[u8], seal: &Seal) -> Result<(), String> {
        let name = self.games_path(seal.shard);
        let said = |fault: discern_records::FileFault| fault.fault.to_string();
        let input = Cursor::new(games.to_vec());
        let mut file =
            GameFile::from_reader(input, Path::new(&name), Some(Format::Archive)).map_err(said)?;
        let mut count = 0;
        for record in file.by_ref() {
            let source = record.map_err(said)?.source;
            let ours = source.as_ref().is_some_and(|source| {
                *source.plan == *self.name() && source.shard == u64::from(seal.shard)
            });
            if !ours {
                return Err(format!("game {} is not of this shard", count + 1));
            }
            count += 1;
        }
        match count == seal.games {
            true => Ok(()),
            false => Err(format!("{count} games, but the seal says {}", seal.games)),
        }
    }
}
