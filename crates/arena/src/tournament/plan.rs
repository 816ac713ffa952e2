use discern_board::Color;
use discern_players::{Cut, Defaults, Job, JobError, Openings, PlayerSpec, Rules, Shard, Site};
use discern_records::{GameRecord, Limits, Name, Source};
use serde::{Deserialize, Serialize};

use super::worker::Worker;

/// Plans come from files, too: these bound what a plan can ask for.
const MOST_PLAYERS: usize = 256;
const MOST_GAMES: u64 = 10_000_000;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Everybody meets everybody; with two players, a match.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

impl Schedule {
    /// The words for them, and what they mean.
    pub const WORDS: [(&str, &str, Schedule); 2] = [
        ("round-robin", "Everybody meets everybody", Schedule::RoundRobin),
        ("gauntlet", "The first player meets all others", Schedule::Gauntlet),
    ];
}

/// All games of a tournament, numbered: game n is always the same game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentPlan {
    /// Who takes part; at least two, with different names.
    pub players: Vec<PlayerSpec>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// The openings; pair k of a pairing begins with opening k, round and
    /// round. At least one.
    pub openings: Openings,
    /// Pairs of games in each pairing.
    pub pairs: u64,
    /// What holds for every game.
    pub rules: Rules,
    /// What randomness of players depends on, and the bootstrap.
    pub seed: u64,
    /// The number of parts. The games of a pair are in one part.
    pub shards: u32,
}

/// One game of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: u64,
    /// The pairing's index in [`TournamentPlan::pairings`].
    pub pairing: usize,
    /// The pair within the pairing.
    pub pair: u64,
    /// 0: the pairing's first player has Black; 1: the second has.
    pub leg: usize,
    /// Index of the opening.
    pub opening: usize,
    /// Index of the player with the black discs.
    pub black: usize,
    /// Index of the player with the white discs.
    pub white: usize,
}

impl Fixture {
    /// Index of the player with this colour.
    pub fn player(&self, color: Color) -> usize {
        if color == Color::Black { self.black } else { self.white }
    }
}

impl TournamentPlan {
    /// What players are given that do not say otherwise, with these limits.
    pub fn defaults(limits: Limits) -> Defaults {
        Defaults { limits, hash_mebibytes: 16, endgame: None, randomness: None }
    }

    /// The same plan in parts of about this many games.
    pub fn in_shards_of(self, games: u64) -> TournamentPlan {
        let all = self.number_of_games();
        let shards = all.div_ceil(games).min(all / 2).min(Shard::MOST.into()) as u32;
        TournamentPlan { shards, ..self }
    }

    /// The pairings, first player first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let players = self.players.len();
        let rivals = |first: usize| (first + 1..players).map(move |second| (first, second));
        match self.schedule {
            Schedule::RoundRobin => (0..players).flat_map(rivals).collect(),
            Schedule::Gauntlet => rivals(0).collect(),
        }
    }

    /// How many pairings there are.
    pub(super) fn number_of_pairings(&self) -> u64 {
        let players = self.players.len() as u64;
        match self.schedule {
            Schedule::RoundRobin => players * players.saturating_sub(1) / 2,
            Schedule::Gauntlet => players.saturating_sub(1),
        }
    }

    /// The players of a pairing: an entry of [`TournamentPlan::pairings`].
    fn pairing(&self, mut index: usize) -> (usize, usize) {
        let mut first = 0;
        // Each first player meets one rival less than the one before.
        while self.schedule == Schedule::RoundRobin && index >= self.players.len() - 1 - first {
            index -= self.players.len() - 1 - first;
            first += 1;
        }
        (first, first + 1 + index)
    }

    /// The number of games.
    pub fn number_of_games(&self) -> u64 {
        self.pairs.saturating_mul(2 * self.number_of_pairings())
    }

    /// Game number n. All pairings advance together, and the two games of a
    /// pair follow each other.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.number_of_pairings();
        let leg = (number % 2) as usize;
        let pairing = (number / 2 % pairings) as usize;
        let pair = number / 2 / pairings;
        let (first, second) = self.pairing(pairing);
        let (black, white) = if leg == 0 { (first, second) } else { (second, first) };
        let opening = (pair % self.openings.len() as u64) as usize;
        Fixture { number, pairing, pair, leg, opening, black, white }
    }

    /// The numbers of a shard's games.
    pub fn numbers(&self, shard: u32) -> std::ops::Range<u64> {
        let range = self.cut().range(shard);
        2 * range.start as u64..2 * range.end as u64
    }

    /// The shard that has a game: the inverse of [`TournamentPlan::numbers`].
    pub fn shard_of(&self, number: u64) -> u32 {
        let pairs = self.number_of_games() / 2;
        (((number / 2 + 1) * u64::from(self.shards) - 1) / pairs) as u32
    }

    /// Does a clock of any kind run?
    pub fn is_timed(&self) -> bool {
        let timed = |limits: &Limits| limits.clock.is_some() || limits.move_ms.is_some();
        self.players.iter().any(|player| timed(&player.limits))
    }
}

impl Job for TournamentPlan {
    const FORMAT: &'static str = "discern tournament plan 2";

    type Worker = Worker;

    fn check(&self) -> Result<(), JobError> {
        let wrong = |what: String| Err(JobError::Plan(what));
        if !(2..=MOST_PLAYERS).contains(&self.players.len()) {
            return wrong(format!(
                "a tournament needs two players, and has room for {MOST_PLAYERS}"
            ));
        }
        for (index, player) in self.players.iter().enumerate() {
            player.check()?;
            if self.players[..index].iter().any(|other| other.name == player.name) {
                return wrong(format!("two players are called '{}'", player.name));
            }
        }
        if self.openings.is_empty() || self.pairs == 0 {
            return wrong("no games to play".into());
        }
        let pairs = self.number_of_games() / 2;
        if pairs > MOST_GAMES / 2 {
            return wrong(format!("a tournament has at most {MOST_GAMES} games"));
        }
        self.cut().check("pairs of games")
    }

    fn players(&self) -> &[PlayerSpec] {
        &self.players
    }

    /// Both games of a pair are in one shard.
    fn cut(&self) -> Cut {
        Cut { things: (self.number_of_games() / 2) as usize, shards: self.shards }
    }

    fn units_each(&self) -> u64 {
        2
    }

    fn worker(&self, site: &Site) -> Result<Worker, JobError> {
        Worker::new(self, site.store.clone())
    }

    /// Where no clock runs, nobody's time is recorded: it never repeats.
    fn shard(
        &self,
        worker: &mut Worker,
        site: &Site,
        shard: u32,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<GameRecord>, JobError> {
        let mut records = Vec::new();
        for number in self.numbers(shard) {
            let played = worker.play(self, self.fixture(number), site.halt)?;
            if let Some((color, failure)) = &played.failure
                && failure.is_fatal()
                && !(site.restart && played.record.score_black.is_some())
            {
                let name = &self.players[self.fixture(number).player(*color)].name;
                let how = "--restart would start it again";
                return Err(match site.halt.is_aborting() {
                    true => JobError::Halted,
                    false => JobError::Plan(format!("{name}: {failure}; {how}")),
                });
            }
            let mut record = played.record;
            record.source = Some(self.source(site.plan.clone(), number));
            if !self.is_timed() {
                record.notes.iter_mut().for_each(|note| note.time_ms = None);
            }
            records.push(record);
            progress(1);
        }
        Ok(records)
    }
}

impl TournamentPlan {
    /// Where a game of this plan comes from.
    pub(super) fn source(&self, plan: Name, number: u64) -> Source {
        Source { plan, shard: self.shard_of(number).into(), game: number }
    }
}
