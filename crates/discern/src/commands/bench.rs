use std::io::Write;

use anyhow::Result;
use clap::Args as ClapArgs;
use discern_board::Position;
use discern_board::flips::KERNEL;
use discern_search::{Limits, StopFlag};
use serde::Serialize;

use crate::engine_args::EngineArgs;

/// Search fixed positions: node-count signature and speed.
///
/// The signature is the number of nodes visited. It is the same on every
/// machine and with every kernel; a change of search or evaluation, new weights
/// included, shows in it.
#[derive(ClapArgs)]
#[command(after_help = "Examples:
  discern bench                   signature and nodes per second
  discern bench --model rev       the signature that the tests compare: no weights")]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// Depth of the midgame searches
    #[arg(long, default_value_t = 9, value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: u32,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Midgame positions of games between heuristic players.
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

#[derive(Serialize)]
struct Bench {
    kernel: &'static str,
    signature: u64,
    midgame: Part,
    endgame: Part,
}

#[derive(Serialize)]
struct Part {
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
}

pub fn run(args: Args) -> Result<()> {
    let midgame = measure(&args.engine, &MIDGAME, &Limits::depth(args.depth))?;
    let endgame = measure(&args.engine, &ENDGAME, &Limits::SOLVE)?;
    let signature = midgame.nodes + endgame.nodes;
    let bench = Bench { kernel: KERNEL, signature, midgame, endgame };
    let mut stdout = std::io::stdout().lock();
    if args.json {
        writeln!(stdout, "{}", serde_json::to_string(&bench)?)?;
        return Ok(());
    }
    for (name, part) in [("midgame", &bench.midgame), ("endgame", &bench.endgame)] {
        let speed = part.nodes_per_second / 1e6;
        writeln!(
            stdout,
            "{name:9} {:>12} nodes {:>7.3} s {speed:>6.1} million/s",
            part.nodes, part.seconds
        )?;
    }
    writeln!(stdout, "kernel    {}", bench.kernel)?;
    writeln!(stdout, "signature {}", bench.signature)?;
    Ok(())
}

fn measure(args: &EngineArgs, positions: &[&str], limits: &Limits) -> Result<Part> {
    let mut engine = args.engine()?;
    let (mut nodes, mut seconds) = (0, 0.0);
    for text in positions {
        let position: Position = text.parse()?;
        engine.forget();
        let report = engine.search(&position.board, limits, &StopFlag::new(), &mut |_| {});
        nodes += report.nodes;
        seconds += report.time.as_secs_f64();
    }
    Ok(Part { nodes, seconds, nodes_per_second: nodes as f64 / seconds })
}
