use std::error::Error;
use std::fmt::{self, Write};
use std::sync::Arc;

use discern_board::{Color, Game};
use discern_records::Limits;

use crate::player::Player;
use crate::referee::Rules;

/// Makes a player; called once per worker and after a player's death.
pub type Builder =
    Arc<dyn Fn() -> Result<Box<dyn Player>, Box<dyn Error + Send + Sync>> + Send + Sync>;

/// Somebody who takes part in a tournament.
#[derive(Clone)]
pub struct Contestant {
    /// Unique in the tournament.
    pub name: String,
    /// Everything besides the limits that makes him play as he does: model,
    /// weights, command. Another description is another tournament.
    pub description: String,
    /// What he may use: different limits are a handicap.
    pub limits: Limits,
    /// Makes the player.
    pub build: Builder,
}

impl fmt::Debug for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}, {})", self.name, self.description, self.limits)
    }
}

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Everybody meets everybody; with two players, a match.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// All games of a tournament, numbered: game n is always the same game.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Who takes part; at least two.
    pub contestants: Vec<Contestant>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// The openings; pair k of a pairing begins with opening k, round and
    /// round. At least one.
    pub openings: Vec<Game>,
    /// Pairs of games in each pairing.
    pub pairs: u64,
    /// What holds for every game.
    pub rules: Rules,
}

/// One game of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: u64,
    /// The pairing's index in [`Plan::pairings`].
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

impl Plan {
    /// The pairings, first player first.
    pub fn pairings(&self) -> Vec<(usize, usize)> {
        let players = self.contestants.len();
        let rivals = |first: usize| (first + 1..players).map(move |second| (first, second));
        match self.schedule {
            Schedule::RoundRobin => (0..players).flat_map(rivals).collect(),
            Schedule::Gauntlet => rivals(0).collect(),
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs * self.pairings().len() as u64
    }

    /// Game number n. All pairings advance together, and the two games of a
    /// pair follow each other.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.pairings();
        let leg = (number % 2) as usize;
        let pairing = (number / 2 % pairings.len() as u64) as usize;
        let pair = number / 2 / pairings.len() as u64;
        let (first, second) = pairings[pairing];
        let (black, white) = if leg == 0 { (first, second) } else { (second, first) };
        let opening = (pair % self.openings.len() as u64) as usize;
        Fixture { number, pairing, pair, leg, opening, black, white }
    }

    /// A name that only this plan has: games of another one do not belong to
    /// it. Names are hashes of everything that the games depend on.
    pub fn id(&self) -> String {
        let mut text = format!("{:?} {} pairs", self.schedule, self.pairs);
        let Rules { margin, patience: _, adjudicate_empties } = self.rules;
        let mut line = |part: fmt::Arguments<'_>| writeln!(text, "{part}").expect("strings grow");
        line(format_args!(" {margin:?} {adjudicate_empties:?}"));
        self.contestants.iter().for_each(|contestant| line(format_args!("{contestant:?}")));
        for opening in &self.openings {
            line(format_args!("{} {opening}", opening.start()));
        }
        let fnv = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, fnv);
        format!("tournament-{hash:016x}")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use discern_search::{AnyEvaluator, Options};

    use super::*;
    use crate::player::EnginePlayer;

    /// A player that counts discs, some plies deep.
    pub fn material(name: &str, depth: u32) -> Contestant {
        let options = Options { threads: 1, table_mebibytes: 1 };
        Contestant {
            name: name.into(),
            description: "material".into(),
            limits: Limits::depth(depth),
            build: Arc::new(move || {
                let engine = AnyEvaluator::Material.engine(options)?;
                Ok(Box::new(EnginePlayer::new(engine, None)))
            }),
        }
    }

    pub fn plan(players: usize, schedule: Schedule, pairs: u64) -> Plan {
        let names = ["a", "b", "c", "d"];
        Plan {
            contestants: (0..players).map(|i| material(names[i], i as u32 + 1)).collect(),
            schedule,
            openings: ["f5d6c3", "f5f6e6", "f5d6c4"].map(|text| text.parse().unwrap()).into(),
            pairs,
            rules: Rules::default(),
        }
    }

    #[test]
    fn everybody_meets_everybody_with_both_colours_from_every_opening() {
        let plan = plan(4, Schedule::RoundRobin, 3);
        assert_eq!((plan.pairings().len(), plan.games()), (6, 36));
        let mut met = std::collections::BTreeSet::new();
        for number in 0..plan.games() {
            let fixture = plan.fixture(number);
            assert_eq!(fixture.number, number);
            assert!(met.insert((fixture.black, fixture.white, fixture.opening)));
        }
        assert_eq!(met.len(), 4 * 3 * 3);
    }

    #[test]
    fn in_a_gauntlet_only_the_first_meets_all() {
        let plan = plan(4, Schedule::Gauntlet, 1);
        assert_eq!(plan.pairings(), [(0, 1), (0, 2), (0, 3)]);
    }

    #[test]
    fn whatever_changes_the_games_changes_the_name() {
        let original = plan(2, Schedule::RoundRobin, 3);
        assert_eq!(original.id(), plan(2, Schedule::RoundRobin, 3).id());
        let mut others = vec![plan(3, Schedule::RoundRobin, 3), plan(2, Schedule::RoundRobin, 2)];
        let mut changed = |change: &dyn Fn(&mut Plan)| {
            let mut plan = original.clone();
            change(&mut plan);
            others.push(plan);
        };
        changed(&|plan| plan.contestants[0].limits = Limits::depth(9));
        changed(&|plan| plan.contestants[1].description.push('x'));
        changed(&|plan| plan.openings.truncate(2));
        changed(&|plan| plan.rules.adjudicate_empties = Some(5));
        for other in others {
            assert_ne!(other.id(), original.id());
        }
    }
}
