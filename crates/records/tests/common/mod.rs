//! Records with everything in them, made from seeds.
#![allow(dead_code)]

use discern_board::testing::{Seeded, random_games};
use discern_board::{Color, Game, Outcome, Position, Score};
use discern_records::{
    Clock, Correction, Ending, Evaluation, GameId, GameRecord, Limits, MoveNote, Solved, Source,
    Verdict,
};

/// Plain finished games.
pub fn plain_records(seed: u64, count: usize) -> Vec<GameRecord> {
    random_games(seed, count).map(GameRecord::new).collect()
}

/// Games that between them use every field of a record.
pub fn rich_records(seed: u64, count: usize) -> Vec<GameRecord> {
    let mut random = Seeded::new(seed);
    random_games(seed, count).map(|game| rich_record(game, &mut random)).collect()
}

fn rich_record(game: Game, random: &mut Seeded) -> GameRecord {
    let mut once_in = |n: usize| random.below(n) == 0;
    let [elsewhere, stopped, noted, solved, corrected, limited, tagged, sourced] =
        std::array::from_fn(|index| once_in(2 + index % 3));
    let mut moves: Vec<_> = game.plies().to_vec();
    if stopped {
        moves.truncate(random.below(moves.len() + 1));
    }
    let mut start = Position::START;
    if elsewhere && moves.len() > 10 {
        start = moves[10].before;
        moves.drain(..10);
    }
    let mut game = Game::new(start);
    moves.iter().for_each(|ply| game.play(ply.mv).unwrap());
    let plies = game.plies().len();
    let mut record = GameRecord::new(game);
    if stopped && !record.game.is_over() {
        record.ending = Ending::ALL[1 + random.below(10)];
        record.score_black =
            Score::new(random.below(129) as i32 - 64).filter(|_| random.below(2) == 0);
    }
    record.players.black.name = format!("player {}", random.below(5)).into();
    record.players.white.name = ["", "Zoë", "李"][random.below(3)].into();
    record.opening = random.below(plies + 1);
    if limited {
        record.players.black.limits = Limits::depth(random.below(20) as u32);
        let clock = Clock { main_ms: random.next_u64() >> 40, increment_ms: 7, grace_ms: 0 };
        record.players.white.limits = Limits {
            nodes: Some(random.next_u64() >> 30),
            move_ms: Some(50),
            depth: None,
            clock: Some(clock),
        };
    }
    if sourced {
        record.seed = Some(random.next_u64());
        record.source = Some(Source {
            plan: "plan-7f".into(),
            shard: random.next_u64() >> random.below(64),
            game: random.next_u64() >> random.below(64),
        });
    }
    if noted {
        record.notes = (0..plies).map(|_| note(random)).collect();
    }
    if solved && plies > 1 {
        let verdict = match random.below(2) {
            0 => Verdict::Outcome([Outcome::Loss, Outcome::Draw, Outcome::Win][random.below(3)]),
            _ => Verdict::Score(Score::new(random.below(129) as i32 - 64).unwrap()),
        };
        record.solved.push(Solved { ply: random.below(plies), verdict });
    }
    if corrected {
        record.correction = Some(Correction {
            parent: GameId(random.next_u64()),
            ply: random.below(plies + 1),
            played: evaluation(random),
            better: evaluation(random),
            depth: 12,
        });
    }
    if tagged {
        record.event = "An open tournament".into();
        record.date = "1995-11-03".into();
        record.comment = format!("comment {}", random.below(100)).into();
        record.players[Color::White].rating_centi = Some(random.below(300_000) as i32 - 1000);
    }
    record.check().unwrap();
    record
}

fn evaluation(random: &mut Seeded) -> Evaluation {
    match random.below(4) {
        0 => Evaluation::LogOdds(random.next_u64() as i32),
        1 => Evaluation::Discs(random.next_u64() as i32),
        2 => Evaluation::Proven(Verdict::Outcome(Outcome::Draw)),
        _ => Evaluation::Proven(Verdict::Score(Score::new(random.below(129) as i32 - 64).unwrap())),
    }
}

fn note(random: &mut Seeded) -> MoveNote {
    let mut some = |bits: u32| Some(random.next_u64() >> bits).filter(|number| number % 3 != 0);
    MoveNote {
        time_ms: some(44),
        depth: some(58).map(|depth| depth as u32),
        nodes: some(20),
        evaluation: some(60).map(|_| evaluation(random)),
    }
}
