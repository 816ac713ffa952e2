use std::collections::HashSet;
use std::path::{Path, PathBuf};

use discern_records::{CanonicalGame, Format, GameFile, GameRecord, NewGameFile, WriteError};
use serde::Serialize;

use crate::build::Build;
use crate::error::JobError;
use crate::fingerprint::{Fingerprint, fingerprint_of_file};
use crate::folder::RunFolder;
use crate::job::Job;
use crate::plan::Plan;
use crate::seal::Seal;
use crate::shard_folder::{ShardFolder, ShardState, write_whole};

/// What to do with a game that is another one, turned or mirrored perhaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Duplicates {
    /// There should be none.
    Refuse,
    /// Keep the first.
    Drop,
    /// They are games like all others.
    Keep,
}

/// What was merged: the manifest that stands beside the archive.
///
/// It has no times in it: merging again gives the same bytes.
#[derive(Debug, Clone, Serialize)]
pub struct Merged<J> {
    /// Format and version.
    pub format: &'static str,
    /// Name of the archive.
    pub archive: String,
    /// Size of the archive.
    pub bytes: u64,
    /// Its content.
    pub blake3: Fingerprint,
    /// Games in it.
    pub games: u64,
    /// Games that were there before and come first.
    pub games_before: u64,
    /// Games left out because they were there already.
    pub duplicates: u64,
    /// Names the plan.
    pub plan_name: Fingerprint,
    /// The plan of the run.
    pub plan: Plan<J>,
    /// The builds that made shards, the one that began first.
    pub builds: Vec<Build>,
    /// The shards in their order.
    pub shards: Vec<ShardSummary>,
}

impl<J> Merged<J> {
    /// How many games there are, and what became of the others.
    pub fn sentence(&self) -> String {
        let &Merged { games, games_before, duplicates, bytes, .. } = self;
        match games_before {
            0 => format!("{games} games of {} shards in {bytes} bytes", self.shards.len()),
            before => format!(
                "{games} games, {} of them new, {duplicates} left out as known games",
                games - before
            ),
        }
    }
}

/// One shard of a merged run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShardSummary {
    /// Its games.
    pub games: u64,
    /// Its content.
    pub blake3: Fingerprint,
}

impl<J> Merged<J> {
    /// Names the builds if there were several.
    pub fn several_builds(&self) -> Option<String> {
        let builds: Vec<String> = self.builds.iter().map(ToString::to_string).collect();
        let several = builds.len() > 1;
        several.then(|| format!("shards of {} builds: {}", builds.len(), builds.join("; ")))
    }
}

/// Puts all shards of a run together, behind the games of its archive if it has
/// one. Refuses gaps, damage, the same shard twice and shards of another plan;
/// then nothing is written.
pub fn merge<J: Job>(
    folder: &RunFolder<J>,
    output: &Path,
    force: bool,
) -> Result<Merged<J>, JobError> {
    let seals = whole_shards(folder)?;
    let failed = |error: WriteError| JobError::writing(output, error);
    let manifest = output.with_added_extension("manifest.json");
    discern_files::check_free(&manifest, force)
        .map_err(|error| JobError::Io(manifest.clone(), error))?;
    let mut file = NewGameFile::create(output, Format::Archive, force).map_err(failed)?;
    let mut seen: HashSet<CanonicalGame> = HashSet::new();
    let mut games_before = 0;
    if let Some(path) = folder.work().archive(folder.path()) {
        let mut games = games_of(&path)?;
        while let Some(record) = games.next() {
            let record = record?;
            for plan in games.plans() {
                file.add_plan(plan).map_err(failed)?;
            }
            seen.insert(CanonicalGame::of(&record.game));
            file.append(&record).map_err(failed)?;
            games_before += 1;
        }
    }
    let mut dropped = 0;
    file.add_plan(folder.plan_text()).map_err(failed)?;
    for shard in 0..seals.len() as u32 {
        for (number, record) in games_of(&folder.games_path(shard))?.enumerate() {
            let record: GameRecord = record?;
            if J::DUPLICATES == Duplicates::Keep || seen.insert(CanonicalGame::of(&record.game)) {
                file.append(&record).map_err(failed)?;
            } else if J::DUPLICATES == Duplicates::Drop {
                dropped += 1;
            } else {
                let number = number + 1;
                let what = format!("shard {shard}: game {number} is the same as another one");
                return Err(JobError::Shards(what));
            }
        }
    }
    let games = file.games();
    file.finish().map_err(failed)?;
    let io = |error| JobError::Io(output.to_owned(), error);
    let merged = Merged {
        format: "discern archive manifest 2",
        archive: output.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bytes: std::fs::metadata(output).map_err(io)?.len(),
        blake3: fingerprint_of_file(output).map_err(io)?,
        games,
        games_before,
        duplicates: dropped,
        plan_name: folder.name().into(),
        plan: folder.plan().clone(),
        builds: builds(folder.plan(), &seals),
        shards: seals
            .into_iter()
            .map(|seal| ShardSummary { games: seal.games, blake3: seal.blake3 })
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&merged).expect("plain data");
    text.push('\n');
    write_whole(&manifest, text.as_bytes())?;
    Ok(merged)
}

/// The games of all shards in their order, for work that does not end in an
/// archive. Refuses what [`merge`] refuses.
pub fn shard_games(
    folder: &ShardFolder,
) -> Result<impl Iterator<Item = Result<GameRecord, JobError>>, JobError> {
    let mut paths: Vec<PathBuf> =
        (0..whole_shards(folder)?.len() as u32).map(|shard| folder.games_path(shard)).collect();
    paths.reverse();
    let mut open: Option<GameFile> = None;
    Ok(std::iter::from_fn(move || {
        loop {
            if let Some(record) = open.as_mut().and_then(Iterator::next) {
                return Some(record.map_err(JobError::from));
            }
            match games_of(&paths.pop()?) {
                Ok(file) => open = Some(file),
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

/// Who made the shards, the build that began first.
fn builds<J>(plan: &Plan<J>, seals: &[Seal]) -> Vec<Build> {
    let mut builds = vec![plan.build.clone()];
    for seal in seals {
        if !builds.contains(&seal.build) {
            builds.push(seal.build.clone());
        }
    }
    builds
}

fn games_of(path: &Path) -> Result<GameFile, JobError> {
    Ok(GameFile::open(path, Some(Format::Archive))?)
}

/// Every shard exactly once, or what is wrong.
fn whole_shards(folder: &ShardFolder) -> Result<Vec<Seal>, JobError> {
    let wrong = |what: String| Err(JobError::Shards(what));
    let mut owners: Vec<Option<PathBuf>> = vec![None; folder.shards() as usize];
    for (path, seal) in folder.seals()? {
        let place = path.display();
        if seal.plan != folder.name() {
            return wrong(format!("{place}: a shard of another plan ({})", seal.plan));
        }
        match owners.get_mut(seal.shard as usize) {
            None => return wrong(format!("{place}: the plan has no shard {}", seal.shard)),
            Some(Some(other)) => {
                return wrong(format!(
                    "shard {} is there twice: {} and {place}",
                    seal.shard,
                    other.display()
                ));
            }
            Some(owner) => *owner = Some(path),
        }
    }
    let mut shards = Vec::new();
    let mut missing = Vec::new();
    for shard in 0..folder.shards() {
        match folder.state(shard)? {
            ShardState::Whole(seal) => shards.push(seal),
            ShardState::Missing => missing.push(shard),
            ShardState::Damaged(what) => return wrong(what),
        }
    }
    match missing[..] {
        [] => Ok(shards),
        [first, ..] => wrong(format!(
            "{} of {} shards are missing, the first is {first}",
            missing.len(),
            folder.shards()
        )),
    }
}
