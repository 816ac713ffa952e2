use discern_board::Outcome;
use discern_board::Score;
use discern_board::testing::random_games;
use discern_records::{Ending, GameRecord, MoveNote, Solved, Verdict};

#[test]
fn a_finished_game_knows_its_result() {
    for game in random_games(1, 20) {
        let record = GameRecord::new(game);
        assert_eq!((record.ending, record.check()), (Ending::Played, Ok(())));
        assert!(record.is_decided());
    }
    let record = GameRecord::new("f5d6".parse().unwrap());
    assert_eq!((record.ending, record.score_black), (Ending::Unfinished, None));
    assert!(!record.is_decided());
}

#[test]
fn contradictions_are_found() {
    let good = GameRecord::new("e6f4e3f6g5d6e7f5c5".parse().unwrap());
    let broken = |change: &dyn Fn(&mut GameRecord)| {
        let mut record = good.clone();
        change(&mut record);
        record.check().unwrap_err().to_string()
    };
    assert_eq!(
        broken(&|record| record.score_black = Some(Score::DRAW)),
        "the result is given as 0 for black, the board says +64"
    );
    assert_eq!(
        broken(&|record| record.game = "f5".parse().unwrap()),
        "said to be played to the end, but white can still move after ply 1"
    );
    assert_eq!(broken(&|r| r.notes = vec![MoveNote::default(); 3]), "3 notes for 9 plies");
    assert_eq!(
        broken(&|record| record.opening = 10),
        "the opening refers to ply 10 of a game of 9 plies"
    );
    assert_eq!(
        broken(&|record| record.comment = "x".repeat(70_000).into()),
        "a text of 70000 bytes, at most 65536 are kept"
    );
    let lost = Verdict::Outcome(Outcome::Win);
    assert_eq!(
        broken(&|record| record.solved.push(Solved { ply: 9, verdict: lost })),
        "the position after ply 9 is over, but its proven result is not that of the board"
    );
}
