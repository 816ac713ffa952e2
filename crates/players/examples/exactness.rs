//! Exact means exact: every way to the solver against plain minimax.
//!
//! ```text
//! cargo run --release -p discern-players --example exactness -- [POSITIONS] [EMPTIES] [SEED]
//! ```
//! Takes positions of random games with up to so many empty squares (1,000
//! with up to 10 if nothing is said), solves each for its score and for its
//! outcome, values all its moves, and lets GTP play on, all with one thread and
//! with two. Prints how many answers were compared; a wrong one ends it.

use std::time::Instant;

use discern_board::testing::{Seeded, random_games};
use discern_board::{Board, Game, Move, Score};
use discern_eval::evaluator;
use discern_players::serve::{GtpServer, TimeMeaning};
use discern_search::{Engine, Limits, Options, Report, StopFlag, engine};

/// The score under best play, found the slow way: no table, no order, nothing
/// but the bounds of what both sides have already.
fn minimax(board: &Board, alpha: i32, beta: i32) -> i32 {
    let moves = board.moves();
    if moves.is_empty() {
        return match board.opponent_moves().is_empty() {
            true => board.final_score().discs(),
            false => -minimax(&board.pass(), -beta, -alpha),
        };
    }
    let mut best = -64;
    for square in moves.squares() {
        let next = board.play_unchecked(square, board.flips(square));
        best = best.max(-minimax(&next, -beta, -alpha.max(best)));
        if best >= beta {
            break;
        }
    }
    best
}

/// Every legal move with its score for the side that makes it.
fn scores(board: &Board) -> Vec<(Move, i32)> {
    let score = |mv: Move| (mv, -minimax(&board.play(mv).expect("legal"), -64, 64));
    match board.moves().is_empty() {
        true => vec![score(Move::Pass)],
        false => board.moves().squares().map(|square| score(square.into())).collect(),
    }
}

/// All ways to the solver with so many threads.
struct Ways {
    threads: usize,
    engine: Box<dyn Engine>,
    gtp: GtpServer,
}

impl Ways {
    fn new(threads: usize) -> Ways {
        let make = || {
            let weights = Some(discern_data::weights());
            let evaluator = evaluator("direct", weights).expect("a shipped model");
            engine(evaluator, Options { threads, table_mebibytes: 4 }).expect("little memory")
        };
        let gtp = GtpServer::new(make(), Limits::SOLVE, TimeMeaning::default(), "exactness");
        Ways { threads, engine: make(), gtp }
    }

    fn search(&mut self, board: &Board, limits: &Limits) -> Report {
        self.engine.forget();
        self.engine.search(board, limits, &StopFlag::new(), &mut |_| {})
    }

    /// Compares all answers for the last position of a game, and counts them.
    fn compare(&mut self, game: &Game, scores: &[(Move, i32)]) -> u64 {
        let board = &game.position().board;
        let best = scores.iter().map(|&(_, score)| score).max().expect("a move");
        let of = |mv: Move| scores.iter().find(|known| known.0 == mv).expect("a legal move").1;
        let outcome = Score::new(best).expect("a score").outcome();
        let place = format!("{} with {} threads", game.position(), self.threads);

        let solved = self.search(board, &Limits::SOLVE);
        let line = solved.best().expect("a line");
        assert_eq!(line.score().map(Score::discs), Some(best), "score of {place}");
        assert_eq!(of(line.mv), best, "move of {place}");

        let solved = self.search(board, &Limits::SOLVE_OUTCOME);
        let line = solved.best().expect("a line");
        assert_eq!(line.outcome(), Some(outcome), "outcome of {place}");
        let kept = Score::new(of(line.mv)).expect("a score").outcome();
        assert_eq!(kept, outcome, "move that keeps the outcome of {place}");

        let all = self.search(board, &Limits { lines: 64, ..Limits::SOLVE });
        assert_eq!(all.lines.len(), scores.len(), "moves of {place}");
        for line in &all.lines {
            let found = line.score().map(Score::discs);
            assert_eq!(found, Some(of(line.mv)), "{} in {place}", line.mv);
        }

        let mut compared = 2 + all.lines.len() as u64;
        if scores[0].0 != Move::Pass {
            assert_eq!(of(self.play_by_gtp(game)), best, "GTP in {place}");
            compared += 1;
        }
        compared
    }

    fn play_by_gtp(&mut self, game: &Game) -> Move {
        let mut commands = "clear_board\n".to_owned();
        for ply in game.plies().iter().filter(|ply| ply.mv != Move::Pass) {
            commands += &format!("play {} {}\n", ply.before.mover, ply.mv);
        }
        commands += &format!("genmove {}\n", game.position().mover);
        let mut answers = Vec::new();
        self.gtp.serve(commands.as_bytes(), &mut answers).expect("memory to memory");
        let answers = String::from_utf8(answers).expect("text");
        let last = answers.trim_end().rsplit("\n\n").next().unwrap_or_default();
        last.trim_start_matches("= ").parse().unwrap_or_else(|_| panic!("GTP answers {answers}"))
    }
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let count = numbers.next().unwrap_or(1000);
    let most = numbers.next().unwrap_or(10) as usize;
    let seed = numbers.next().unwrap_or(1);
    let mut random = Seeded::new(seed);
    let mut ways = [Ways::new(1), Ways::new(2)];
    let (mut positions, mut answers) = (0, 0);
    let start = Instant::now();
    for game in random_games(seed, usize::MAX) {
        if positions == count {
            break;
        }
        let empties = 1 + random.below(most) as u32;
        let mut begun = Game::default();
        for mv in game.moves() {
            if begun.position().board.empties() <= empties {
                break;
            }
            begun.play(mv).expect("the moves of a game");
        }
        let board = begun.position().board;
        if board.is_over() || board.empties() != empties {
            continue;
        }
        let scores = scores(&board);
        answers += ways.iter_mut().map(|ways| ways.compare(&begun, &scores)).sum::<u64>();
        positions += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{positions} positions with up to {most} empty squares, {answers} answers: all exact ({seconds:.0} s)"
    );
}
