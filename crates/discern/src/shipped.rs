//! What the program brings along, so that it needs no other file.

/// The game database.
pub const GAMES: Option<&[u8]> = None;

/// Nearly even openings, as `discern openings` writes them.
pub const OPENINGS: Option<&[u8]> = None;
