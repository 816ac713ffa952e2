use std::sync::Arc;

use anyhow::{Context, Result, bail};
use discern_arena::player::{Command, EnginePlayer, GtpPlayer, NBoardPlayer, Player};
use discern_arena::tournament::{Builder, Contestant};
use discern_records::Limits;
use discern_search::Model;

use super::entry::Entry;
use super::limits::limits;
use crate::engine_args::EngineArgs;

/// A small table: games of a tournament are short searches, and every worker
/// has one per player.
const DEFAULT_HASH: u32 = 16;

/// What the program needs from what the user wrote.
pub fn contestant(entry: &Entry, default: Limits) -> Result<Contestant> {
    let name = &entry.name;
    let limits = limits(entry, default)?;
    let (description, build) = match &entry.cmd {
        Some(cmd) => program(entry, cmd, &limits)?,
        None => engine(entry, &limits)?,
    };
    Ok(Contestant { name: name.clone(), description, limits, build })
}

fn engine(entry: &Entry, limits: &Limits) -> Result<(String, Builder)> {
    let name = &entry.name;
    if entry.protocol.is_some() || entry.dir.is_some() {
        bail!("{name}: protocol and dir belong to a program (cmd=…)");
    }
    if limits.is_unknown() {
        bail!(
            "{name}: no limit: give time, move-time, depth or nodes, or --time and so on for all"
        );
    }
    let model = entry
        .model
        .as_deref()
        .map(|model| model.to_lowercase().parse::<Model>().with_context(|| name.clone()));
    let args = EngineArgs {
        model: model.transpose()?,
        weights: entry.weights.as_ref().map(Into::into),
        threads: entry.threads.unwrap_or(1),
        hash: entry.hash.unwrap_or(DEFAULT_HASH),
    };
    if args.threads == 0 || args.threads > 256 || args.hash == 0 {
        bail!("{name}: threads from 1 to 256, hash from 1 MiB");
    }
    let solve = entry.solve;
    let selective = entry.selective == Some(true);
    // Other weights are another player.
    let weights = args.weights_fingerprint().with_context(|| format!("{name}: weights"))?;
    let (model, threads, hash) = (args.model(), args.threads, args.hash);
    let mut description = format!("{model} {weights:?} threads={threads} hash={hash} {solve:?}");
    if selective {
        description.push_str(" selective");
    }
    let build = move || -> Result<Box<dyn Player>, _> {
        let player = EnginePlayer::new(args.engine()?, solve);
        Ok(Box::new(if selective { player.selective() } else { player }) as _)
    };
    Ok((description, Arc::new(build)))
}

fn program(entry: &Entry, cmd: &str, limits: &Limits) -> Result<(String, Builder)> {
    let name = &entry.name;
    let settings = [
        entry.model.is_some(),
        entry.weights.is_some(),
        entry.threads.is_some(),
        entry.hash.is_some(),
        entry.selective.is_some(),
    ];
    if settings.contains(&true) {
        bail!(
            "{name}: model, weights, threads, hash and selective belong to our engine; \
             put them into cmd"
        );
    }
    let mut command = Command::parse(cmd).with_context(|| format!("{name}: cmd"))?;
    command.folder = entry.dir.as_ref().map(Into::into);
    let protocol = entry.protocol.as_deref().unwrap_or("gtp");
    let description = format!("{protocol} {command:?}");
    let build: Builder = match protocol {
        "gtp" => {
            if limits.depth.is_some() || limits.nodes.is_some() {
                bail!("{name}: GTP cannot limit depth or nodes; put them into cmd");
            }
            Arc::new(move || Ok(Box::new(GtpPlayer::start(&command)?) as Box<dyn Player>))
        }
        "nboard" => {
            if limits.nodes.is_some() {
                bail!("{name}: NBoard cannot limit nodes; put them into cmd");
            }
            Arc::new(move || Ok(Box::new(NBoardPlayer::start(&command)?) as Box<dyn Player>))
        }
        other => bail!("{name}: protocol '{other}' is neither gtp nor nboard"),
    };
    Ok((description, build))
}
