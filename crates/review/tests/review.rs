//! Reviews with a search that says what it is told, and with our engine.

use discern_board::testing::{Seeded, random_games};
use discern_board::{Board, Game, Move, Position, Score};
use discern_eval::{Rev, STRONGEST, Value, evaluator};
use discern_review::{
    Comparison, Counts, EngineSearch, Grade, ReviewedMove, Search, Summary, review,
};
use discern_search::{Certainty, Engine, Limits, Line, Options, Searcher, StopFlag, engine};

/// Says the same of every position: how much the best move, the first legal
/// one that was not played, is better at each step. Begins with its doubt.
struct Fake(f64, Vec<(Certainty, Value, Value)>);

fn line(mv: Move, value: Value, certainty: Certainty) -> Line {
    Line { mv, value, certainty, pv: vec![mv] }
}

impl Search for Fake {
    fn compare(&mut self, board: &Board, played: Move) -> Option<Vec<Comparison>> {
        let other = board.moves().squares().map(Move::from).find(|&mv| mv != played)?;
        let step = |&(certainty, best, value): &(Certainty, Value, Value)| Comparison {
            best: line(other, best, certainty),
            played: line(played, value, certainty),
            doubt: self.0,
        };
        Some(self.1.iter().map(step).collect())
    }
}

/// Log-odds of the best move and of the one played at depths from 8 on.
fn estimates(values: &[(f64, f64)]) -> Fake {
    let odds = Value::from_log_odds;
    let step = |(depth, &(best, played))| (Certainty::Depth(depth), odds(best), odds(played));
    Fake(0.0, (8..).zip(values).map(step).collect())
}

fn proven(certainty: Certainty, best: i32, played: i32) -> (Certainty, Value, Value) {
    let value = |discs| Value::proven(Score::new(discs).unwrap());
    (certainty, value(best), value(played))
}

/// The judgement of the second move of f5d6, which has rivals.
fn judged(mut search: Fake, counts: Counts) -> ReviewedMove {
    review(&"f5d6".parse().unwrap(), &mut search, counts).next().unwrap()
}

#[test]
fn a_loss_that_all_depths_agree_on_is_graded() {
    let found = judged(estimates(&[(0.4, -0.1), (0.1, -0.3), (0.4, 0.0)]), Counts::Both);
    assert_eq!((found.ply, found.depth, found.exact), (1, 10, false));
    assert_eq!((found.best.to_string().as_str(), found.grade), ("f4", Grade::Mistake));
    // Shown halfway to the depth before, which the swing does not change.
    assert!((found.loss - 0.0996).abs() < 1e-4, "{}", found.loss);
    assert!((found.certain_loss - 0.0987).abs() < 2e-3, "{}", found.certain_loss);
    assert_eq!((found.score_best, found.score_played), (1, -1));
    assert!((found.black_probability - 0.5374).abs() < 1e-4, "{}", found.black_probability);
}

#[test]
fn a_loss_that_a_deeper_search_may_take_back_is_not_graded() {
    let lost = |doubt| Fake(doubt, estimates(&[(0.5, 0.0), (0.5, 0.0), (0.5, 0.0)]).1);
    let [sure, doubtful, open] = [0.0, 0.2, 0.45].map(|doubt| judged(lost(doubt), Counts::Both));
    assert_eq!(
        [sure.grade, doubtful.grade, open.grade],
        [Grade::Mistake, Grade::Mistake, Grade::Good]
    );
    assert_eq!((sure.loss, sure.loss), (doubtful.loss, open.loss), "what is shown stays");
    assert!(sure.certain_loss > doubtful.certain_loss && doubtful.certain_loss > open.certain_loss);
    // Discs are no surer than the odds they come from.
    let decided = |doubt| Fake(doubt, estimates(&[(5.0, 3.2), (5.0, 3.2), (5.0, 3.2)]).1);
    assert_eq!(judged(decided(0.0), Counts::Both).grade, Grade::Mistake);
    assert_eq!(judged(decided(1.6), Counts::Both).grade, Grade::Good);
    // Proofs leave no doubt.
    let proof = Fake(9.0, vec![proven(Certainty::Score, 40, 22)]);
    assert_eq!(judged(proof, Counts::Both).grade, Grade::Blunder);
}

#[test]
fn a_loss_that_was_hardly_looked_at_is_doubted_more() {
    let seen = |from: u32, steps: usize| {
        let mut search = Fake(0.3, estimates(&[(0.8, 0.0); 3][..steps]).1);
        for ((certainty, ..), depth) in search.1.iter_mut().zip(from..) {
            *certainty = Certainty::Depth(depth);
        }
        judged(search, Counts::Both)
    };
    assert_eq!(seen(4, 3).grade, Grade::Mistake, "depths 4, 5 and 6");
    assert_eq!(seen(3, 3).grade, Grade::Good, "depths 3, 4 and 5");
    assert_eq!(seen(8, 2).grade, Grade::Good, "two depths may share a swing");
    assert!(seen(3, 3).loss > 0.15, "what is shown stays");
}

#[test]
fn a_depth_that_is_reported_often_counts_once() {
    let mut search = estimates(&[(0.5, 0.0), (0.0, 0.0), (0.6, 0.0)]);
    for _ in 0..3 {
        search.1.push((Certainty::Depth(10), Value::from_log_odds(0.7), Value::from_log_odds(0.0)));
    }
    assert_eq!(judged(search, Counts::Both).grade, Grade::Good);
}

#[test]
fn a_loss_within_the_swing_of_the_depths_is_not() {
    let found = judged(estimates(&[(0.4, -0.1), (0.0, 0.0), (0.6, 0.0)]), Counts::Both);
    assert!(found.loss > 0.14 && found.certain_loss == 0.0);
    assert_eq!((found.grade, found.best.to_string().as_str()), (Grade::Good, "f4"));
    // Depths before the last three are forgotten.
    let found = judged(estimates(&[(0.0, 0.0), (0.7, 0.0), (0.7, 0.0), (0.7, 0.0)]), Counts::Both);
    assert_eq!(found.grade, Grade::Blunder);
}

#[test]
fn a_move_that_is_valued_higher_than_the_best_is_the_best() {
    let found = judged(estimates(&[(0.4, 0.1), (0.4, 0.2), (0.4, 0.5)]), Counts::Both);
    assert_eq!((found.grade, found.best, found.loss), (Grade::Best, found.played, 0.0));
    assert_eq!(found.probability_best, found.probability_played);
}

#[test]
fn moves_that_are_images_of_each_other_are_the_same_move() {
    for first in ["f5", "d3", "c4", "e6"] {
        let game: Game = first.parse().unwrap();
        let mut search = estimates(&[(0.9, 0.0), (0.9, 0.0), (0.9, 0.0)]);
        let found = review(&game, &mut search, Counts::Both).next().unwrap();
        assert_eq!((found.grade, found.best.to_string().as_str()), (Grade::Best, first));
        assert_eq!((found.loss, found.score_best), (0.0, found.score_played));
    }
}

#[test]
fn discs_count_once_the_outcome_is_decided() {
    let thrown = || Fake(0.0, vec![proven(Certainty::Score, 40, 22)]);
    let found = judged(thrown(), Counts::Both);
    assert_eq!((found.grade, found.loss, found.discs_lost()), (Grade::Blunder, 0.0, 18));
    assert_eq!((found.score_best, found.score_played, found.exact), (40, 22, true));
    assert_eq!(judged(thrown(), Counts::Outcome).grade, Grade::Good);
    // An estimate decides as well, if it is sure.
    let sure = || estimates(&[(5.0, 3.2), (4.8, 3.1), (5.0, 3.1)]);
    let found = judged(sure(), Counts::Both);
    assert_eq!((found.grade, found.discs_lost()), (Grade::Mistake, 8));
    // Before, discs count only for those who say so.
    let open = || estimates(&[(0.6, -0.9), (0.6, -0.9), (0.6, -0.9)]);
    assert_eq!(judged(open(), Counts::Both).grade, Grade::Blunder);
    assert_eq!(judged(open(), Counts::Discs).grade, Grade::Mistake);
}

#[test]
fn a_lost_outcome_is_a_blunder_however_few_the_discs() {
    let found = judged(Fake(0.0, vec![proven(Certainty::Score, 2, -2)]), Counts::Both);
    assert_eq!((found.grade, found.loss), (Grade::Blunder, 1.0));
    assert_eq!(
        judged(Fake(0.0, vec![proven(Certainty::Score, 2, -2)]), Counts::Discs).grade,
        Grade::Inaccuracy
    );
    let drawn = judged(Fake(0.0, vec![proven(Certainty::Score, 0, -2)]), Counts::Both);
    assert_eq!((drawn.probability_best, drawn.grade), (0.5, Grade::Blunder));
}

#[test]
fn a_proven_outcome_keeps_its_sign_and_is_no_exact_score() {
    let mut search = estimates(&[(0.9, -0.2), (1.0, -0.3), (1.1, -0.5)]);
    search.1.push(proven(Certainty::Outcome, 2, 2));
    let found = judged(search, Counts::Both);
    assert_eq!((found.probability_played, found.score_best, found.score_played), (1.0, 4, 2));
    assert!(!found.exact);
    // Both win, and the search is sure of 2 discs only.
    assert_eq!(found.grade, Grade::Inaccuracy);
}

#[test]
fn moves_come_from_the_last_to_the_first_and_passes_not_at_all() {
    let blocked: Position = format!("OX{} X", "-".repeat(62)).parse().unwrap();
    let game = Game::from_transcript(blocked, "c1").unwrap();
    assert_eq!(game.plies().len(), 2);
    let mut engine =
        Searcher::new(Rev::default(), Options { threads: 1, table_mebibytes: 1 }).unwrap();
    let stop = StopFlag::new();
    let limits = Limits::depth(3);
    let mut search = EngineSearch { engine: &mut engine, limits, stop: &stop };
    let moves: Vec<_> = review(&game, &mut search, Counts::Both).collect();
    assert_eq!(moves.len(), 1);
    assert_eq!((moves[0].ply, moves[0].score_played, moves[0].exact), (1, 64, true));
    assert_eq!(moves[0].grade, Grade::Best);
}

#[test]
fn a_stopped_search_ends_the_review() {
    struct Once(u32);
    impl Search for Once {
        fn compare(&mut self, board: &Board, played: Move) -> Option<Vec<Comparison>> {
            self.0 += 1;
            (self.0 == 1).then(|| estimates(&[(0.0, 0.0)]).compare(board, played))?
        }
    }
    let game = "f5d6c3".parse().unwrap();
    assert_eq!(review(&game, &mut Once(0), Counts::Both).count(), 1);
    let mut engine =
        Searcher::new(Rev::default(), Options { threads: 1, table_mebibytes: 1 }).unwrap();
    let stop = StopFlag::new();
    stop.stop();
    let mut search = EngineSearch { engine: &mut engine, limits: Limits::depth(9), stop: &stop };
    assert_eq!(review(&game, &mut search, Counts::Both).count(), 0);
}

#[test]
fn a_review_is_plain_data() {
    let found = judged(estimates(&[(0.7, 0.0)]), Counts::Both);
    let json = serde_json::to_value(&found).unwrap();
    assert_eq!((&json["move"], &json["best"]), (&"d6".into(), &"f4".into()));
    assert_eq!(
        (&json["grade"], &json["mover"], &json["pv"]),
        (&"blunder".into(), &"white".into(), &"f4".into())
    );
    let summary: Summary = [&found].into_iter().collect();
    assert_eq!((summary.white.total.blunders, summary.white.opening.discs_lost), (1, 3));
    assert_eq!(summary.black.total.moves, 0);
}

/// A random player loses games and discs, and the discs he loses from solved
/// positions are exactly those that the solver says.
#[test]
fn thrown_discs_are_found() {
    let mut engine: Box<dyn Engine> = Box::new(
        Searcher::new(Rev::default(), Options { threads: 1, table_mebibytes: 4 }).unwrap(),
    );
    let stop = StopFlag::new();
    let limits = Limits { score_empties: 9, outcome_empties: 0, ..Limits::depth(4) };
    for game in random_games(3, 4) {
        let mut search = EngineSearch { engine: engine.as_mut(), limits, stop: &stop };
        let moves: Vec<_> = review(&game, &mut search, Counts::Both).collect();
        let score = |board: &Board, engine: &mut dyn Engine| -> i32 {
            if board.is_over() {
                return board.final_score().discs();
            }
            let report = engine.search(board, &Limits::SOLVE, &stop, &mut |_| {});
            report.best().unwrap().score().unwrap().discs()
        };
        for found in moves.iter().filter(|found| found.position.board.empties() <= 9) {
            let board = found.position.board;
            let after = board.play(found.played).unwrap();
            assert!(found.exact);
            assert_eq!(found.score_best, score(&board, engine.as_mut()));
            assert_eq!(found.score_played, -score(&after, engine.as_mut()));
            assert_eq!(found.grade == Grade::Best, found.discs_lost() == 0);
        }
        let summary: Summary = moves.iter().collect();
        let sides = [summary.black.total, summary.white.total];
        assert!(sides.iter().all(|side| side.blunders > 0 && side.discs_lost > 20), "{sides:?}");
    }
}

/// Two copies of the shipped engine play the beginning of fifty games, with a
/// random choice among moves that are images of each other. Reviews of twelve
/// depths, odd and even, find nothing wrong with their first two moves. Nor do
/// they with the other good answer, however the board is turned.
#[test]
fn fifty_games_by_two_good_copies_get_no_false_mark_at_the_start() {
    let weights = discern_data::weights();
    let options = Options { threads: 1, table_mebibytes: 4 };
    let direct = || evaluator(STRONGEST, Some(weights)).unwrap();
    let mut players = [engine(direct(), options).unwrap(), engine(direct(), options).unwrap()];
    let mut judge = engine(direct(), options).unwrap();
    let stop = StopFlag::new();
    let mut random = Seeded::new(50);
    let mut beginnings = Vec::new();
    let mut check = |beginning: &str, depth: u32| {
        let game = Game::from_transcript(Position::START, beginning).unwrap();
        let limits = Limits::depth(depth);
        let mut search = EngineSearch { engine: judge.as_mut(), limits, stop: &stop };
        let moves: Vec<_> = review(&game, &mut search, Counts::Both).collect();
        assert_eq!(moves.len(), 2);
        for found in moves {
            assert!(found.grade < Grade::Inaccuracy, "{beginning}, depth {depth}: {found:?}");
        }
    };
    for number in 0..50 {
        let mut game = Game::default();
        for ply in 0..8 {
            let board = game.position().board;
            let search = &mut players[ply % 2];
            let report = search.search(&board, &Limits::depth(9), &stop, &mut |_| {});
            let wanted = board.play(report.best().unwrap().mv).unwrap().canonical();
            // Moves that lead to images of one position are equally good.
            let same = |mv: &Move| board.play(*mv).unwrap().canonical() == wanted;
            let equal: Vec<Move> = board.moves().squares().map(Move::from).filter(same).collect();
            game.play(equal[random.below(equal.len())]).unwrap();
        }
        let beginning = game.transcript()[..4].to_owned();
        check(&beginning, 1 + number % 12);
        beginnings.push(beginning);
    }
    beginnings.sort();
    beginnings.dedup();
    for (number, diagonal) in ["f5f6", "d3c3", "c4c3", "e6f6"].into_iter().enumerate() {
        for depth in (1..=12).filter(|depth| depth % 2 == number as u32 % 2) {
            check(diagonal, depth);
        }
    }
    assert!(beginnings.len() >= 4, "all four first moves: {beginnings:?}");
}
