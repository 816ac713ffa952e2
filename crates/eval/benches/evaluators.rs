//! Evaluations per second in a walk like that of a search, and what the
//! quadratic form costs: `cargo bench -p discern-eval`.
//!
//! The walk plays all lines of three moves from boards of random games and
//! evaluates every leaf, carrying the state along. "walk" is the same without
//! an evaluator, so that the difference is the cost of the evaluation. The
//! evaluators take turns, and the least of the repeats counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use discern_board::testing::{Seeded, random_boards_with_empties};
use discern_board::{Bitboard, Board, Square};
use discern_eval::{
    AnyEvaluator, Basis, Evaluator, Features, LinearModel, LinearPhase, Model, Phases,
    QuadraticModel, QuadraticPhase, Rev, Stages, TableSet, TableValue, Tables, Value,
};

const REPEATS: usize = 15;

/// What the flagship looks at: sixteen patterns, and the moves of both sides.
const WIDE: &str =
    "MOVES,REPLIES,R1,C2x4,C2x5,E2X,TRI,C3x3D,E2x4,I3x3C,M2x4,R2C,R3X,R4I,D8C,D7C,D6X,D5B";

/// Evaluates to nothing: what the walk itself costs.
struct Nothing;

impl Evaluator for Nothing {
    type State = ();

    fn state(&self, _: &Board) {}

    #[inline(always)]
    fn play(&self, _: &(), _: Square, _: Bitboard) {}

    fn pass(&self, _: &()) {}

    #[inline(always)]
    fn value(&self, _: &(), board: &Board) -> Value {
        Value::from_thousandths(board.mover().0 as i32)
    }
}

/// Models with arbitrary numbers: speed does not depend on them.
fn models(features: Features) -> (Basis, LinearModel, QuadraticModel) {
    let count = features.len();
    let mut random = Seeded::new(1);
    let mut number = move || random.below(2001) as f64 / 1000.0 - 1.0;
    let linear = Phases::from_fn(|_| LinearPhase {
        intercept: number(),
        weights: (0..count).map(|_| number()).collect(),
        errors: None,
    });
    let quad = linear.map(|_, phase| {
        let q = |a: usize| (0..count).map(|b| 0.1 * phase.weights[(a + b) % count]).collect();
        QuadraticPhase {
            constant: phase.intercept,
            linear: phase.weights.clone(),
            quadratic: (0..count).map(q).collect(),
        }
    });
    let stages = Stages::default();
    let mut random = Seeded::new(2);
    let mut value = || TableValue::from_steps(random.below(8191) as i16 - 4095).expect("in range");
    let sets = (0..stages.count()).map(|_| TableSet::from_fn(&features, |_, _| value())).collect();
    let basis = Basis::new(features.clone(), Tables::new(stages, sets));
    (basis, LinearModel { phases: linear }, QuadraticModel { phases: quad })
}

/// Evaluates all leaves `depth` moves away; their number and a sum of values.
fn walk<E: Evaluator>(evaluator: &E, state: &E::State, board: &Board, depth: u32) -> (u64, i64) {
    if depth == 0 {
        return (1, i64::from(evaluator.value(state, board).thousandths()));
    }
    let (mut leaves, mut sum) = (0, 0);
    for square in board.moves() {
        let flips = board.flips(square);
        let child = board.play_unchecked(square, flips);
        let below = walk(evaluator, &evaluator.play(state, square, flips), &child, depth - 1);
        leaves += below.0;
        sum -= below.1;
    }
    (leaves, sum)
}

/// The time of one walk from each board, and the leaves.
fn time<E: Evaluator>(evaluator: &E, boards: &[Board]) -> (Duration, u64) {
    let start = Instant::now();
    let mut leaves = 0;
    for board in boards {
        let found = walk(evaluator, &evaluator.state(board), board, 3);
        leaves += black_box(found).0;
    }
    (start.elapsed(), leaves)
}

fn main() {
    let (wide_basis, wide, _) = models(WIDE.parse().expect("features"));
    let AnyEvaluator::Wide(wide) = wide.evaluator(&wide_basis) else {
        unreachable!("patterns beyond the paper's")
    };
    let (basis, log, quad) = models(Features::default());
    let start = Instant::now();
    let AnyEvaluator::Linear(log) = log.evaluator(&basis) else { unreachable!("a linear model") };
    let folding = start.elapsed();
    let start = Instant::now();
    let AnyEvaluator::Quad(quad) = quad.evaluator(&basis) else {
        unreachable!("of packed features")
    };
    let packing = start.elapsed();
    println!("folding LOG {:.0} ms, preparing QUAD {:.0} ms", ms(folding), ms(packing));

    for empties in [40, 28, 16] {
        let boards: Vec<Board> = random_boards_with_empties(3, empties, 100).collect();
        let mut least = [Duration::MAX; 5];
        let mut leaves = 0;
        for _ in 0..REPEATS {
            let times = [
                time(&Nothing, &boards),
                time(&log, &boards),
                time(&quad, &boards),
                time(&Rev::default(), &boards),
                time(&wide, &boards),
            ];
            leaves = times[0].1;
            for (least, (time, _)) in least.iter_mut().zip(times) {
                *least = (*least).min(time);
            }
        }
        let nanoseconds = least.map(|time| time.as_secs_f64() * 1e9 / leaves as f64);
        println!("\n{empties} empties, {leaves} leaves");
        for (name, ns) in ["walk", "LOG", "QUAD", "rev", "wide"].iter().zip(nanoseconds) {
            let own = ns - nanoseconds[0];
            println!(
                "{name:>5} {ns:6.1} ns per leaf ({own:5.1} ns of its own), {:5.1} million/s",
                1e3 / ns
            );
        }
        let slowdown = 100.0 * (1.0 - nanoseconds[1] / nanoseconds[2]);
        println!("QUAD evaluates {slowdown:.0} % fewer leaves per second than LOG");
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
