use std::collections::BTreeMap;
use std::path::Path;

use discern_arena::tournament::{MatchRow, PlayerRow, Results, Resumed, Standings};
use serde::Serialize;

/// More games than this are not shown: every one takes memory.
const MOST_GAMES: u64 = 500_000;

/// The table of a tournament, complete or under way.
#[derive(Debug, Serialize)]
pub struct TournamentTable {
    kind: &'static str,
    title: String,
    plan: String,
    games: u64,
    running: bool,
    players: Vec<PlayerRow>,
    matches: Vec<MatchRow>,
    endings: BTreeMap<String, u64>,
}

impl TournamentTable {
    /// Does this archive hold the games of a tournament? Its plan says so.
    pub fn is_one(path: &Path) -> Result<bool, String> {
        Resumed::plan_of(path).map(|plan| plan.is_some()).map_err(|error| error.to_string())
    }

    /// Reads an archive; a game that is just being written is left out.
    pub fn load(path: &Path, title: String, running: bool) -> Result<TournamentTable, String> {
        let plan = Resumed::plan_of(path).map_err(|error| error.to_string())?;
        let plan = plan.ok_or("not a tournament")?;
        if plan.work.number_of_games() > MOST_GAMES {
            return Err(format!("a tournament of more than {MOST_GAMES} games"));
        }
        let results = Results::load(path, &plan).map_err(|error| error.to_string())?;
        let (name, plan) = (plan.name(), &plan.work);
        let standings = Standings::new(plan, &results, None);
        let matches = standings.match_rows(plan).into_iter().filter(|row| row.pairs > 0);
        Ok(TournamentTable {
            kind: "tournament",
            title,
            plan: name,
            games: results.len(),
            running,
            players: standings.player_rows(plan),
            matches: matches.collect(),
            endings: standings.endings_by_name(),
        })
    }
}
