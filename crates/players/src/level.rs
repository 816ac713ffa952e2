use crate::spec::PlayerSpec;

/// A strength that people choose by name.
///
/// Weak levels look a few plies ahead and stray from the best move by a margin:
/// the smaller the loss, the likelier, so that they err like people, who miss
/// what is subtle and seldom give away a corner for nothing. Strong levels
/// stray only in the opening and only among moves that are nearly as good, so
/// that no game is played twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// What requests and commands call it.
    pub name: &'static str,
    /// Its rating among the levels, the weakest being 500 by definition.
    pub elo: i32,
    /// Half the 95 % interval of the difference to the level below.
    pub error: i32,
    /// How it plays, as [`PlayerSpec`] is written.
    player: &'static str,
}

impl Level {
    /// All levels, the weakest first. `docs/levels.md` says how they were
    /// measured.
    pub const ALL: [Level; 10] = [
        level("beginner", [500, 0], "log,depth=1,chance=850,margin=4000,among=64,stray-until=0"),
        level("novice", [690, 78], "log,depth=1,chance=750,margin=2600,among=64,stray-until=0"),
        level("casual", [860, 61], "log,depth=1,chance=650,margin=1700,among=64,stray-until=0"),
        level("club", [1110, 74], "log,depth=2,chance=600,margin=1400,among=64,stray-until=0"),
        level("strong", [1440, 95], "log,depth=3,chance=500,margin=1100,among=64,stray-until=0"),
        level(
            "expert",
            [1930, 222],
            "log,depth=4,outcome=10,score=8,chance=350,margin=600,among=64,stray-until=8",
        ),
        level(
            "master",
            [2160, 92],
            "log,depth=6,outcome=12,score=10,chance=400,margin=450,among=8,stray-until=10",
        ),
        level(
            "grandmaster",
            [2430, 80],
            "direct,depth=5,outcome=13,score=11,chance=400,margin=400,among=8,stray-until=10",
        ),
        level(
            "champion",
            [2760, 87],
            "direct,depth=8,selective=true,outcome=16,score=14,chance=400,margin=150,among=4,stray-until=30",
        ),
        level(
            "world",
            [3060, 79],
            "direct,depth=14,selective=true,outcome=20,score=18,chance=500,margin=60,among=4,stray-until=48",
        ),
    ];

    /// The level with this name.
    pub fn named(name: &str) -> Option<&'static Level> {
        Level::ALL.iter().find(|level| level.name == name)
    }

    /// The level with this name, or a sentence that lists those there are.
    ///
    /// # Errors
    /// If there is none.
    pub fn parse(name: &str) -> Result<&'static Level, String> {
        let missing = || format!("there is no level '{name}' ({})", Level::names());
        Level::named(name).ok_or_else(missing)
    }

    /// The names of all levels, for sentences.
    pub fn names() -> String {
        Level::ALL.map(|level| level.name).join(", ")
    }

    /// How it plays.
    pub fn player(&self) -> PlayerSpec {
        let mut player: PlayerSpec = self.player.parse().expect("levels are well written");
        player.name = self.name.into();
        player
    }
}

const fn level(name: &'static str, [elo, error]: [i32; 2], player: &'static str) -> Level {
    Level { name, elo, error, player }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_can_play_and_is_stronger_than_the_one_before() {
        for level in &Level::ALL {
            level.player().check().expect("a player that can play");
            assert_eq!(Level::named(level.name), Some(level));
        }
        assert!(Level::ALL.is_sorted_by(|weak, strong| weak.elo < strong.elo));
    }
}
