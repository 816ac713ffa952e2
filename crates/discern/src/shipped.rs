//! What the program brings along, so that it works from any directory. How
//! these files were made is in `data/manifest.json`.

/// The game database.
pub const GAMES: &[u8] = include_bytes!("../../../data/othello.games");

/// Nearly even openings, as `discern openings` writes them.
pub const OPENINGS: &[u8] = include_bytes!("../../../data/openings.txt");
