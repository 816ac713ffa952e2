//! Matches that other machines play: a folder with a plan for each of them.

use std::path::PathBuf;

use discern_arena::tournament::TournamentPlan;
use discern_players::{Plan, RunFolder, merge};

use super::{Contest, Hall, Result};
use crate::error::{Doing, ExperimentError};
use crate::folder::Folder;

/// Takes the games of matches that were played elsewhere, and plans those that
/// are to be.
///
/// # Errors
/// Where they are, if shards are missing.
pub(super) fn take(
    hall: &Hall,
    contests: &[Contest],
    plans: &[Plan<TournamentPlan>],
    folder: &Folder,
) -> Result<()> {
    let mut waiting: Vec<PathBuf> = Vec::new();
    for (contest, plan) in contests.iter().zip(plans) {
        let archive = folder.work(&format!("{}.games", contest.file));
        let place = folder.work(&format!("{}.plan", contest.file));
        if archive.exists() || !(hall.plans_only || place.exists()) {
            continue;
        }
        // The experiment's own guard says whether another program began.
        let shared =
            RunFolder::create(&place, plan.work.clone(), hall.store, true).to_file(&place)?;
        match shared.missing().to_file(&place)?.is_empty() {
            true => drop(merge(&shared, &archive, false).to_file(&place)?),
            false => waiting.push(place),
        }
    }
    match waiting.is_empty() {
        true => Ok(()),
        false => Err(ExperimentError::Planned(waiting)),
    }
}
