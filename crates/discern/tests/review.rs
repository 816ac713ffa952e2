//! `discern review` from the outside.

use crate::common::{discern, discern_with_input};
use discern_board::testing::random_games;
use serde_json::Value;

/// Black wipes white out with the ninth move.
const WIPEOUT: &str = "e6f4e3f6g5d6e7f5c5";

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn json_has_an_object_for_each_move_with_the_promised_keys() {
    let arguments = ["review", WIPEOUT, "--depth", "4", "--json"];
    let text = discern(&arguments).success();
    let rows = rows(&text);
    assert_eq!(rows.len(), 9);
    let keys = [
        "ply",
        "move",
        "best",
        "probability_best",
        "probability_played",
        "score_best",
        "score_played",
        "grade",
        "exact",
    ];
    for (ply, row) in rows.iter().enumerate() {
        assert!(keys.iter().all(|key| row.get(key).is_some()), "{row}");
        assert_eq!(row["ply"], ply);
        assert!(row["probability_best"].as_f64() >= row["probability_played"].as_f64());
    }
    assert_eq!((&rows[0]["grade"], &rows[0]["best"]), (&"best".into(), &"e6".into()));
    assert_eq!((&rows[7]["move"], &rows[7]["grade"]), (&"f5".into(), &"blunder".into()));
    assert_eq!((&rows[8]["score_played"], &rows[8]["exact"]), (&64.into(), &true.into()));
    assert_eq!(discern(&arguments).success(), text, "the same every time");
}

#[test]
fn games_come_from_a_file_or_a_pipe_and_one_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("some.txt");
    std::fs::write(&file, format!("f5d6\n{WIPEOUT}\n")).unwrap();
    let file = file.to_str().unwrap();
    let all = rows(&discern(&["review", file, "--depth", "2", "--json"]).success());
    assert_eq!(all.len(), 11);
    assert_eq!((&all[1]["game"], &all[2]["game"]), (&1.into(), &2.into()));
    let one = discern(&["review", file, "--game", "2", "--depth", "2", "--json"]).success();
    assert_eq!(rows(&one), all[2..]);
    let piped = discern_with_input(&["review", "-", "--depth", "2"], "f5d6\n").success();
    assert!(piped.starts_with("game 1: unknown – unknown\n"), "{piped}");
    assert_eq!(
        discern(&["review", file, "--game", "3"]).failure(),
        format!("{file}: there is no game 3, the last one is 2")
    );
}

#[test]
fn people_get_a_table_and_a_summary() {
    let text = discern(&["review", WIPEOUT, "--depth", "4"]).success();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 9 + 1 + 2, "{text}");
    assert!(lines[9].starts_with("8  O  f5") && lines[9].ends_with("blunder"), "{text}");
    assert!(lines[10].ends_with("+64  ="), "{text}");
    assert_eq!(lines[11], "opening: Perpendicular");
    assert!(lines[12].starts_with("black: 5 moves; ") && lines[13].starts_with("white: 4 moves; "));
}

#[test]
fn the_user_chooses_what_counts() {
    let game = random_games(3, 1).next().unwrap().transcript();
    let review = |counts: &str| {
        rows(&discern(&["review", &game, "--depth", "9", "--counts", counts, "--json"]).success())
    };
    let (outcome, discs) = (review("outcome"), review("discs"));
    let mut thrown = 0;
    for (outcome, discs) in outcome.iter().zip(&discs).filter(|(row, _)| row["exact"] == true) {
        let lost = discs["score_best"].as_i64().unwrap() - discs["score_played"].as_i64().unwrap();
        assert_eq!(discs["grade"] == "blunder", lost >= 12, "{discs}");
        if lost > 0 && outcome["probability_best"] == outcome["probability_played"] {
            assert_eq!(outcome["grade"], "good");
            thrown += lost;
        }
    }
    assert!(thrown > 0, "a random player throws discs away");
}

#[test]
fn bad_input_gets_one_sentence() {
    for (arguments, sentence) in [
        (["review", "nosuch.ggf"], "nosuch.ggf: No such file or directory (os error 2)"),
        (
            ["review", "f5f5"],
            "'f5f5' is neither a file nor a game: not a legal game: move 2, column 3: f5 is not a legal move for white",
        ),
        (
            ["review", "/dev/null"],
            "/dev/null: not a format of games we know (archive, transcript, ggf, sgf, wthor, obf)",
        ),
        (["review", ""], "there are no moves to review"),
    ] {
        assert_eq!(discern(&arguments).failure(), sentence);
    }
    assert_eq!(discern(&["review", "f5", "--counts", "style"]).code, Some(2));
}
