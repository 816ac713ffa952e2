use discern_eval::Features;
use discern_learn::{DirectSettings, Hindsight};
use discern_players::{Openings, PlayerSpec, Randomness};
use serde::{Deserialize, Serialize};

use crate::TrainError;

/// What a training does. The defaults take some minutes on two cores; a strong
/// model takes hundreds of thousands of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Games of a generation, each from another opening of eight moves.
    pub games: u32,
    /// Plies that the players look ahead: the first generation half as many.
    pub depth: u32,
    /// Moves played blindly, in thousandths: they bring positions that a search
    /// meets and players do not.
    pub blind_permille: u32,
    /// Blind moves are made only while more squares than this are empty.
    pub blind_until: u32,
    /// The first position with this many empty squares is solved.
    pub solve: u32,
    /// How far what came later corrects what a search thought, in thousandths:
    /// the share of [`Hindsight`].
    pub hindsight_permille: u32,
    /// What the model looks at.
    pub features: String,
    /// Generations whose games teach a model: the newest ones.
    pub memory: u32,
    /// Games without blind moves. They teach a model nothing: their outcomes say
    /// what its odds mean.
    pub calm_games: u32,
    /// Groups of games that teach nothing but test, in thousandths.
    pub held_out_permille: u32,
    /// Pairs of games against the generation before.
    pub pairs: u32,
    /// Nodes a move in these.
    pub nodes: u64,
    /// Other seeds give other games.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            games: 2000,
            depth: 6,
            blind_permille: 120,
            blind_until: 24,
            solve: 18,
            hindsight_permille: 800,
            features: DirectSettings::FEATURES.into(),
            memory: 3,
            calm_games: 400,
            held_out_permille: 50,
            pairs: 100,
            nodes: 5000,
            seed: 1,
        }
    }
}

impl Settings {
    /// The features meant.
    ///
    /// # Errors
    /// If one is not known.
    pub fn features(&self) -> Result<Features, TrainError> {
        self.features.parse().map_err(|error| TrainError::Setting(format!("features: {error}")))
    }

    pub(crate) fn check(&self) -> Result<(), TrainError> {
        let most = Openings::Distinct { plies: Openings::MAX_PLIES, count: None }.len();
        let wrong = |what: &str| Err(TrainError::Setting(what.into()));
        self.features()?;
        if [self.games, self.calm_games].iter().any(|&games| games == 0 || games as usize > most) {
            return wrong(&format!("a generation has 1 to {most} games of each kind"));
        }
        if !(1..=20).contains(&self.depth) || !(8..=26).contains(&self.solve) {
            return wrong("the depth is 1 to 20, and 8 to 26 empty squares are solved");
        }
        if [self.blind_permille, self.hindsight_permille].iter().any(|&share| share > 1000) {
            return wrong("a share is at most 1000 thousandths");
        }
        if self.held_out_permille > 500 || self.memory == 0 {
            return wrong("at most half of the games test, and some generation must teach");
        }
        Ok(())
    }

    /// Who plays a generation: first the hand-set heuristics, then the model
    /// of the one before. Calm players make no blind moves.
    pub(crate) fn player(&self, weights: Option<&str>, calm: bool) -> PlayerSpec {
        let text = match weights {
            None => format!("rev,depth={}", (self.depth / 2).max(2)),
            Some(weights) => {
                format!("direct,weights={weights},selective=true,depth={}", self.depth)
            }
        };
        let mut player: PlayerSpec = text.parse().expect("a player");
        player.randomness = Some(Randomness {
            chance_permille: if calm { 0 } else { self.blind_permille },
            margin_millilogits: Randomness::BLIND,
            moves: 1,
            until_empties: self.blind_until,
        });
        player
    }

    /// How the games of a generation are judged: hand-set heuristics know no
    /// odds.
    pub(crate) fn hindsight(&self, generation: u32) -> Hindsight {
        match generation {
            1 => Hindsight::OUTCOMES,
            _ => Hindsight {
                share: self.hindsight_permille as f32 / 1000.0,
                blind_until: self.blind_until,
                ..Hindsight::default()
            },
        }
    }
}
