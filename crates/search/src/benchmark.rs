use std::time::Duration;

use discern_board::Position;

use crate::{Engine, Limits, StopFlag};

/// Midgame positions from games between heuristic players.
const MIDGAME: [&str; 8] = [
    "-----------XX------XX----OOOOO-----XXX------XXX--------X-------- X",
    "-----------------O-------XXXX------XXX---OOOXOO----OXXO----O---O X",
    "------------------OX-X-----OXXX---OOOXXX-OOOOXXX--OO-O----O----- X",
    "-----------------OX-O----OXXO---OOOOOOO-OOXOOO----OXXX---OOO-X-- X",
    "------------------XXOO-O--OOOOO---OOXOOX---OOXXX--XXOOXX-XXX-O-X X",
    "--------------XX--OOOXXX--XOXXOX--XOOOOX--XOOOOX---OOOOO---OOOOO X",
    "--XXXXX---XXXX-OOXXXXXO-OXXXXOX-OXOXOX--OOOOXX--O---XX------X--- X",
    "----------XO----XXXXOOO-XOXXXO--XXXOOX--X-XXOX------------------ X",
];

/// Endgames with 18 to 21 empty squares.
const ENDGAME: [&str; 6] = [
    "XXXXXXXXOOOOOOOOOXXOOOO-O-XXOO----XXXOO---OOOXO---OO--X--OOO---- X",
    "XXXXXX--XXXXOX--XXXXXX--XXXXOXOOXXXOOXO-XXXOXX-XX-X-OX----X----- O",
    "OOOOOOOOXXOOOXO-OOOOXXX-OOOOOX--OOXOXX--OOOXX-----XXX------XX--- X",
    "XXXXXXXX--OXOXOOO-OOXOOX-OXXXXOX--OOOOXX--OOX-OX---OO------OO--- O",
    "-XXXXXX--OXOXX-O-OXOOXOOOOXOXOXOOOXOOOOOOOXOOO-O--OO-----O-O---- X",
    "-----------OO---X-OOOO--XXXOXOXXXXOOOOOX-OOXOOOXOOOOOOOX--OOOOOX X",
];

/// Fixed positions searched: how many nodes, how fast.
#[derive(Debug, Clone, Copy)]
pub struct Benchmark {
    /// Searches to a fixed depth.
    pub midgame: Effort,
    /// Endgames solved exactly.
    pub endgame: Effort,
}

/// Nodes visited and the time it took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    /// Nodes visited.
    pub nodes: u64,
    /// The time for them.
    pub time: Duration,
}

impl Benchmark {
    /// Searches the midgame positions to this depth and solves the endgames.
    pub fn run(engine: &mut dyn Engine, depth: u32) -> Benchmark {
        Benchmark {
            midgame: Effort::of(engine, &MIDGAME, &Limits::depth(depth)),
            endgame: Effort::of(engine, &ENDGAME, &Limits::SOLVE),
        }
    }

    /// All nodes: with one thread the same number on every machine and with
    /// every kernel, until search, evaluation or weights change.
    pub fn signature(&self) -> u64 {
        self.midgame.nodes + self.endgame.nodes
    }
}

impl Effort {
    fn of(engine: &mut dyn Engine, positions: &[&str], limits: &Limits) -> Effort {
        let mut effort = Effort::default();
        for text in positions {
            let position: Position = text.parse().expect("one of ours");
            engine.forget();
            let report = engine.search(&position.board, limits, &StopFlag::new(), &mut |_| {});
            effort.nodes += report.nodes;
            effort.time += report.time;
        }
        effort
    }

    /// Nodes per second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}
