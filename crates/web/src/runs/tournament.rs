use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use discern_arena::Rules;
use discern_arena::stats::Interval;
use discern_arena::tournament::{Contestant, Match, Plan, Results, Schedule, Standings};
use discern_board::Game;
use discern_records::archive::ArchiveReader;
use discern_records::{GameRecord, Name, Source};
use serde::Serialize;

/// How plans of tournaments are named in their archives.
const PLAN: &str = "tournament-";

/// Seed of the resampling behind intervals: the same table every time.
const SEED: u64 = 1;

/// Games read at most.
const MOST: usize = 1_000_000;

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

#[derive(Debug, Serialize)]
struct PlayerRow {
    name: String,
    limits: String,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    rating: f64,
    rating_error: f64,
    seconds_per_move: Option<f64>,
    nodes_per_second: Option<f64>,
    mean_depth: Option<f64>,
}

#[derive(Debug, Serialize)]
struct MatchRow {
    first: String,
    second: String,
    pairs: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    percentage: f64,
    percentage_interval: [f64; 2],
    pentanomial: [u64; 5],
    elo: f64,
    elo_error: f64,
    p_conservative: f64,
    p_paired: f64,
    disc_margin: Option<f64>,
}

impl TournamentTable {
    /// Does this archive hold the games of a tournament? Its first game tells.
    pub fn is_one(path: &Path) -> Result<bool, String> {
        let mut games = ArchiveReader::open(path).map_err(|fault| fault.to_string())?;
        match games.next() {
            None => Ok(false),
            Some(Ok(record)) => Ok(plan_of(&record).is_some()),
            Some(Err(fault)) => Err(fault.to_string()),
        }
    }

    /// Reads an archive; a game that is just being written is left out.
    pub fn load(path: &Path, title: String, running: bool) -> Result<TournamentTable, String> {
        let archive = ArchiveReader::open(path).map_err(|fault| fault.to_string())?;
        let records: Vec<GameRecord> =
            archive.take(MOST).collect::<Result<_, _>>().map_err(|fault| fault.to_string())?;
        let name = records.first().and_then(plan_of).ok_or("not a tournament")?.to_string();
        if records.iter().any(|record| plan_of(record).is_none_or(|plan| **plan != *name)) {
            return Err("games of several tournaments".into());
        }
        let (plan, results) = arranged(&records);
        let standings = Standings::new(&plan, &results, None, SEED);
        let row = |player: usize| player_row(&plan, &standings, player);
        let played = standings.matches.iter().filter(|m| m.summary.tally.games() > 0);
        let endings = standings.endings.iter();
        Ok(TournamentTable {
            kind: "tournament",
            title,
            plan: name,
            games: results.len(),
            running,
            players: (0..plan.contestants.len()).map(row).collect(),
            matches: played.map(|game| match_row(&plan, game)).collect(),
            endings: endings.map(|(ending, &count)| (ending.to_string(), count)).collect(),
        })
    }
}

fn plan_of(record: &GameRecord) -> Option<&Name> {
    record.source.as_ref().map(|source| &source.plan).filter(|plan| plan.starts_with(PLAN))
}

/// The games of a pairing by pair, and whether the first player had White.
type Pairs<'a> = BTreeMap<u64, Vec<(bool, &'a GameRecord)>>;

/// A plan in which these games can be found. The archive does not hold the
/// tournament's own plan, and of one under way nobody knows yet who else will
/// play; so everybody seen so far meets everybody, and pairs are counted anew.
fn arranged(records: &[GameRecord]) -> (Plan, Results) {
    let mut contestants: Vec<Contestant> = Vec::new();
    let mut pairs: BTreeMap<(usize, usize), Pairs> = BTreeMap::new();
    for record in records {
        let Some(Source { game, .. }) = &record.source else { continue };
        let [black, white] = [&record.players.black, &record.players.white].map(|player| {
            let known = contestants.iter().position(|c| *c.name == *player.name);
            known.unwrap_or_else(|| {
                contestants.push(Contestant {
                    name: player.name.to_string(),
                    description: String::new(),
                    limits: player.limits,
                    build: Arc::new(|| Err("a table plays no games".into())),
                });
                contestants.len() - 1
            })
        });
        let pairing = (black.min(white), black.max(white));
        pairs
            .entry(pairing)
            .or_default()
            .entry(game / 2)
            .or_default()
            .push((black > white, record));
    }
    let plan = Plan {
        contestants,
        schedule: Schedule::RoundRobin,
        openings: vec![Game::default()],
        pairs: pairs.values().map(|pairs| pairs.len() as u64).max().unwrap_or(0),
        rules: Rules::default(),
    };
    let mut results = Results::default();
    let pairings = plan.pairings();
    for (index, pairing) in pairings.iter().enumerate() {
        let of_pairing = pairs.get(pairing).into_iter().flat_map(BTreeMap::values);
        for (pair, games) in (0..).zip(of_pairing) {
            for &(reversed, record) in games {
                let number = 2 * (pair * pairings.len() as u64 + index as u64);
                results.add(number + u64::from(reversed), record);
            }
        }
    }
    (plan, results)
}

fn player_row(plan: &Plan, standings: &Standings, player: usize) -> PlayerRow {
    let (contestant, standing) = (&plan.contestants[player], &standings.players[player]);
    PlayerRow {
        name: contestant.name.clone(),
        limits: contestant.limits.to_string(),
        wins: standing.tally.wins,
        draws: standing.tally.draws,
        losses: standing.tally.losses,
        points: standing.tally.points(),
        rating: standings.ratings.elo[player],
        rating_error: 1.96 * standings.ratings.standard_error[player],
        seconds_per_move: standing.effort.time_per_move().map(|time| time.as_secs_f64()),
        nodes_per_second: standing.effort.nodes_per_second(),
        mean_depth: standing.effort.mean_depth(),
    }
}

fn match_row(plan: &Plan, game: &Match) -> MatchRow {
    let summary = &game.summary;
    let Interval { low, high } = summary.score_interval;
    MatchRow {
        first: plan.contestants[game.first].name.clone(),
        second: plan.contestants[game.second].name.clone(),
        pairs: summary.pentanomial.pairs(),
        wins: summary.tally.wins,
        draws: summary.tally.draws,
        losses: summary.tally.losses,
        percentage: summary.percentage(),
        percentage_interval: [100.0 * low, 100.0 * high],
        pentanomial: summary.pentanomial.0,
        elo: summary.elo.value,
        elo_error: summary.elo.error,
        p_conservative: summary.conservative,
        p_paired: summary.label_swap,
        disc_margin: summary.margin.as_ref().map(|margin| margin.mean),
    }
}
