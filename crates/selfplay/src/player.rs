use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use discern_eval::Weights;
use discern_records::{Limits as RecordedLimits, Player};
use discern_search::{Engine, Limits, Model, Options, UnknownModel};
use serde::{Deserialize, Serialize};

use crate::error::JobError;
use crate::fingerprint::{fingerprint_of_bytes, fingerprint_of_file};

/// Memory of a player's table. Small, so that it stays in the cache of a core;
/// part of what makes games reproducible, since searches remember.
const TABLE_MEBIBYTES: usize = 4;

/// A program and what it may use: the same moves on every machine, since
/// nothing depends on time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerPlan {
    /// The evaluation function.
    #[serde(with = "by_name")]
    pub model: Model,
    /// The weight file: a path as typed, the content's fingerprint once the
    /// plan is in its folder ([`PlayerPlan::bring_weights`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Plies of search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Cuts off what a shallow look makes improbable.
    #[serde(default, skip_serializing_if = "is_false")]
    pub selective: bool,
    /// Proves win, draw or loss from this many empty squares on.
    pub outcome_empties: u32,
    /// Proves the score from this many empty squares on.
    pub score_empties: u32,
}

impl PlayerPlan {
    /// A player with the usual endgame: the outcome from 16 empty squares, the
    /// score from 12.
    pub fn new(model: Model, depth: u32) -> PlayerPlan {
        PlayerPlan {
            model,
            weights: None,
            depth: Some(depth),
            nodes: None,
            selective: false,
            outcome_empties: 16,
            score_empties: 12,
        }
    }

    /// What games call the player: the model and, if learned, the weights.
    pub fn name(&self) -> String {
        match &self.weights {
            Some(weights) => format!("{}-{}", self.model.name(), &weights[..weights.len().min(8)]),
            None => self.model.name().to_owned(),
        }
    }

    /// The player as records describe it.
    pub fn recorded(&self) -> Player {
        let mut player = Player::named(&self.name());
        player.limits =
            RecordedLimits { depth: self.depth, nodes: self.nodes, ..RecordedLimits::default() };
        player
    }

    /// What ends the player's searches.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            selective: self.selective,
            outcome_empties: self.outcome_empties,
            score_empties: self.score_empties,
            ..Limits::default()
        }
    }

    /// Does the plan make sense?
    pub(crate) fn check(&self) -> Result<(), JobError> {
        let wrong = |what: &str| Err(JobError::Plan(format!("player {}: {what}", self.name())));
        match (self.model.is_learned(), &self.weights) {
            (true, None) => return wrong("a learned model needs its weights"),
            (false, Some(_)) => return wrong("this model has no weight file"),
            _ => {}
        }
        match (self.depth, self.nodes) {
            (None, None) => wrong("no limit: give depth=N or nodes=N"),
            (Some(0), _) | (_, Some(0)) => wrong("a limit of 0"),
            _ if self.outcome_empties.max(self.score_empties) > 24 => {
                wrong("endgames of more than 24 empty squares take too long to prove")
            }
            _ => Ok(()),
        }
    }

    /// Copies the weights, the shipped ones if no file is named, into a run's
    /// folder and names them by their content, so that the folder is all that
    /// another machine needs.
    pub fn bring_weights(&mut self, folder: &Path) -> Result<(), JobError> {
        let bytes: Cow<'static, [u8]> = match self.weights.take().map(PathBuf::from) {
            Some(source) => {
                let failed = |what: String| JobError::File(source.clone(), what);
                let bytes = std::fs::read(&source).map_err(|error| failed(error.to_string()))?;
                // A file that does not load must not get into a plan.
                Weights::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
                bytes.into()
            }
            None if self.model.is_learned() => Weights::shipped_file().into(),
            None => return Ok(()),
        };
        let name = fingerprint_of_bytes(&bytes);
        let target = weights_path(folder, &name);
        if !target.exists() {
            crate::folder::write_whole(&target, &bytes)?;
        }
        self.weights = Some(name);
        Ok(())
    }

    /// A searcher for this player, with the weights of the run's folder.
    pub(crate) fn engine(&self, folder: &Path) -> Result<Box<dyn Engine>, JobError> {
        let options = Options { threads: 1, table_mebibytes: TABLE_MEBIBYTES };
        let weights = self.model.is_learned().then(|| self.load_weights(folder)).transpose()?;
        self.model
            .evaluator(weights.as_ref())
            .map_err(|missing| JobError::Plan(missing.to_string()))?
            .engine(options)
            .map_err(|error| JobError::Plan(format!("no memory for a table: {error}")))
    }

    fn load_weights(&self, folder: &Path) -> Result<Weights, JobError> {
        let name = self.weights.as_deref().unwrap_or_default();
        let path = weights_path(folder, name);
        let failed = |what: String| JobError::File(path.clone(), what);
        let found = fingerprint_of_file(&path).map_err(|error| failed(error.to_string()))?;
        if found != name {
            return Err(failed(format!("these are not the plan's weights, but {found}")));
        }
        Weights::load(&path).map_err(|error| failed(error.to_string()))
    }
}

/// Models in files go by their names.
mod by_name {
    use discern_search::Model;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub fn serialize<S: Serializer>(model: &Model, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(model.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Model, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// Whether a setting is at its default, and so left out of files.
fn is_false(setting: &bool) -> bool {
    !setting
}

/// Where a run's folder keeps weights.
fn weights_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.weights"))
}

/// Why a text is not a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlayerError {
    /// No such evaluation function.
    #[error(transparent)]
    Model(#[from] UnknownModel),
    /// Not a setting with its value.
    #[error(
        "'{0}' is not a setting (weights=FILE, depth=N, nodes=N, selective=true, outcome=N, score=N)"
    )]
    Setting(String),
}

impl FromStr for PlayerPlan {
    type Err = ParsePlayerError;

    /// A model and its settings, `log,weights=first.weights,depth=6,outcome=16`.
    /// Without a limit the player looks six plies ahead.
    fn from_str(text: &str) -> Result<PlayerPlan, ParsePlayerError> {
        let mut words = text.split(',');
        let model = words.next().unwrap_or_default().parse()?;
        let mut player = PlayerPlan { depth: None, ..PlayerPlan::new(model, 1) };
        for setting in words {
            let wrong = || ParsePlayerError::Setting(setting.to_owned());
            let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
            let number = || value.parse().map_err(|_| wrong());
            match name {
                "weights" => player.weights = Some(value.to_owned()),
                "depth" => player.depth = Some(number()?),
                "nodes" => player.nodes = Some(value.parse().map_err(|_| wrong())?),
                "selective" => player.selective = value.parse().map_err(|_| wrong())?,
                "outcome" => player.outcome_empties = number()?,
                "score" => player.score_empties = number()?,
                _ => return Err(wrong()),
            }
        }
        if player.depth.is_none() && player.nodes.is_none() {
            player.depth = Some(6);
        }
        Ok(player)
    }
}

impl fmt::Display for PlayerPlan {
    /// In the form that is parsed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.model.name())?;
        if let Some(weights) = &self.weights {
            write!(f, ",weights={weights}")?;
        }
        if let Some(depth) = self.depth {
            write!(f, ",depth={depth}")?;
        }
        if let Some(nodes) = self.nodes {
            write!(f, ",nodes={nodes}")?;
        }
        if self.selective {
            f.write_str(",selective=true")?;
        }
        write!(f, ",outcome={},score={}", self.outcome_empties, self.score_empties)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_survive_printing_and_parsing() {
        for text in [
            "rev,depth=6,outcome=16,score=12",
            "rev-edges,nodes=5000,outcome=14,score=10",
            "log,weights=a.weights,depth=8,nodes=100000,outcome=18,score=12",
            "direct,weights=a.weights,depth=10,selective=true,outcome=20,score=12",
        ] {
            let player: PlayerPlan = text.parse().unwrap();
            assert_eq!(player.to_string(), text);
        }
        assert_eq!("rev".parse::<PlayerPlan>().unwrap().depth, Some(6));
    }

    #[test]
    fn wrong_players_are_named_with_the_reason() {
        let parsed = |text: &str| text.parse::<PlayerPlan>().unwrap_err().to_string();
        assert!(parsed("edax").starts_with("'edax' is not a model"));
        assert!(parsed("rev,depth").starts_with("'depth' is not a setting"));
        assert!(parsed("rev,depth=-1").starts_with("'depth=-1' is not a setting"));
        let checked =
            |text: &str| text.parse::<PlayerPlan>().unwrap().check().unwrap_err().to_string();
        assert!(checked("log").contains("needs its weights"));
        assert!(checked("rev,weights=x").contains("has no weight file"));
        assert!(checked("rev,depth=0").contains("a limit of 0"));
        assert!(checked("rev,outcome=30").contains("more than 24"));
    }

    #[test]
    fn learned_players_bring_the_shipped_weights_unless_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let mut shipped: PlayerPlan = "log".parse().unwrap();
        shipped.bring_weights(folder.path()).unwrap();
        let name = shipped.weights.clone().unwrap();
        let file = folder.path().join(format!("{name}.weights"));
        assert_eq!(std::fs::read(&file).unwrap(), Weights::shipped_file());
        assert!(shipped.check().is_ok() && shipped.engine(folder.path()).is_ok());
        let mut named: PlayerPlan = format!("quad,weights={}", file.display()).parse().unwrap();
        named.bring_weights(folder.path()).unwrap();
        assert_eq!(named.weights, Some(name));
        let mut heuristic: PlayerPlan = "rev".parse().unwrap();
        heuristic.bring_weights(folder.path()).unwrap();
        assert_eq!(heuristic.weights, None);
        std::fs::write(&file, "nothing of the kind").unwrap();
        let refused = named.engine(folder.path()).err().unwrap().to_string();
        assert!(refused.contains("not the plan's weights"), "{refused}");
    }
}
