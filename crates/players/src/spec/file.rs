use std::path::Path;

use serde::Deserialize;

use super::PlayerSpec;

/// No file of players is larger.
const MOST: u64 = 1 << 20;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Players {
    #[serde(default)]
    player: Vec<PlayerSpec>,
}

/// Why a file has no players.
#[derive(Debug, thiserror::Error)]
pub enum PlayersFileError {
    /// It cannot be read.
    #[error("cannot read {0}")]
    Io(String, #[source] std::io::Error),
    /// It is not what it should be.
    #[error("{file}, line {line}: {reason}")]
    Toml {
        /// The file.
        file: String,
        /// Where, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The players of a TOML file.
///
/// # Errors
/// If it cannot be read, or a player in it is wrong.
pub fn read_players(path: &Path) -> Result<Vec<PlayerSpec>, PlayersFileError> {
    let file = || path.display().to_string();
    let text = discern_files::read_text(path, MOST)
        .map_err(|error| PlayersFileError::Io(file(), error))?;
    let players: Players = toml::from_str(&text).map_err(|error| PlayersFileError::Toml {
        file: file(),
        line: error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count()),
        reason: error.message().to_owned(),
    })?;
    Ok(players.player)
}
