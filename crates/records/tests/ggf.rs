//! GGF as programs write it, and back.

use crate::common::rich_records;
use discern_board::{Color, Score};
use discern_records::{Ending, Evaluation, GameRecord, ggf};

const BOARD: &str = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";

fn read(text: &str) -> Vec<Result<GameRecord, String>> {
    ggf::GgfReader::new(text.as_bytes()).map(|g| g.map_err(|fault| fault.to_string())).collect()
}

fn one(tags: &str) -> Result<GameRecord, String> {
    let mut games = read(&format!("(;GM[Othello]{tags}BO[{BOARD}]B[f5]W[d6];)"));
    assert_eq!(games.len(), 1);
    games.remove(0)
}

#[test]
fn a_game_of_the_server_is_understood() {
    let text = format!(
        "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_12:33:18.MST]PB[ant]PW[bee]RB[1723.40]RW[?]\
         TI[05:00//02:00]TY[8]RE[?]XX[unknown tag]BO[{BOARD}]\nB[F5//0.5]\nW[d6/-1.25/2.1]\n;)"
    );
    let record = read(&text).remove(0).unwrap();
    assert_eq!(record.game.transcript(), "f5d6");
    assert_eq!(&*record.players.black.name, "ant");
    assert_eq!(record.players.black.rating_centi, Some(172_340));
    assert_eq!(record.players.white.rating_centi, None);
    assert_eq!(record.players.white.limits.to_string(), "5:00/0:00/2:00");
    assert_eq!(&*record.event, "GGS/os");
    assert_eq!(&*record.date, "2003.12.15_12:33:18.MST");
    assert_eq!(record.notes[0].time_ms, Some(500));
    assert_eq!(record.notes[0].evaluation, None);
    assert_eq!(record.notes[1].evaluation, Some(Evaluation::Discs(-125)));
    assert_eq!((record.ending, record.score_black), (Ending::Unfinished, None));
}

#[test]
fn both_games_of_a_synchro_match_are_read() {
    let game = format!("(;GM[Othello]TY[s8r14]BO[{BOARD}]B[f5];)");
    for text in [format!("2 {game}{game}"), format!("2{game}\n{game}\n1 {game}")] {
        let games = read(&text);
        assert!(games.len() >= 2 && games.iter().all(Result::is_ok));
    }
}

#[test]
fn flags_say_how_a_game_ended() {
    let ended = |result: &str| {
        one(&format!("RE[{result}]"))
            .map(|record| (record.ending, record.score_black.map(Score::discs)))
    };
    assert_eq!(ended("+12.00:r"), Ok((Ending::Resigned, Some(12))));
    assert_eq!(ended("-64.000:t"), Ok((Ending::Timeout, Some(-64))));
    assert_eq!(ended("0:s"), Ok((Ending::Agreed, Some(0))));
    assert_eq!(ended("+2.0:l"), Ok((Ending::Left, Some(2))));
    assert_eq!(ended("?"), Ok((Ending::Unfinished, None)));
    assert_eq!(ended("+99"), Err("game 1, line 1: '+99' is not a result".into()));
    assert_eq!(ended("+1:x"), Err("game 1, line 1: '+1:x' is not a result".into()));
}

#[test]
fn results_without_the_empties_are_those_of_the_board() {
    let wipe_out = "B[e6]W[f4]B[e3]W[f6]B[g5]W[d6]B[e7]W[f5]B[c5]";
    let game = |result: &str| {
        read(&format!("(;GM[Othello]RE[{result}]BO[{BOARD}]{wipe_out}W[pa]B[PA];)")).remove(0)
    };
    for result in ["+64.00", "+13.00"] {
        let record = game(result).unwrap();
        assert_eq!((record.ending, record.score_black), (Ending::Played, Some(Score::MAX)));
    }
    assert_eq!(
        game("+12.00").unwrap_err(),
        "game 1, line 1: the result is given as +12 for black, the board says +64"
    );
}

#[test]
fn records_survive_as_far_as_ggf_can_hold_them() {
    let mut compared = 0;
    for record in rich_records(21, 400) {
        let text = ggf::game(&record);
        let back = read(&text).remove(0).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
        assert_eq!(back.game, record.game);
        assert_eq!((back.ending, back.score_black), (record.ending, record.score_black));
        assert_eq!((&back.event, &back.date), (&record.event, &record.date));
        assert_eq!((&back.comment, back.opening), (&record.comment, record.opening));
        for color in Color::BOTH {
            assert_eq!(back.players[color].name, record.players[color].name);
            assert_eq!(back.players[color].rating_centi, record.players[color].rating_centi);
            assert_eq!(back.players[color].limits.clock, record.players[color].limits.clock);
        }
        for (back, note) in back.notes.iter().zip(&record.notes) {
            assert_eq!(back.time_ms, note.time_ms);
            compared += 1;
        }
        // What was read once is written the same.
        assert_eq!(ggf::game(&back), text);
    }
    assert!(compared > 1000);
}

#[test]
fn faults_name_game_and_line_and_hide_no_other_game() {
    let good = format!("(;GM[Othello]BO[{BOARD}]B[f5];)");
    let text = format!(
        "{good}\n(;GM[Othello]BO[{BOARD}]\nB[f5]\nB[d6];)\n(;GM[chess];)\n(;GM[Othello];)\n\
         (;GM[Othello]TY[10]BO[10];)\n(;GM[Othello]BO[{BOARD}]B[a1];)\n(;GM[Othello]BO[8 --];)\n\
         (;GM[Othello]BO[{BOARD}]B[f5/x];)\nrubbish\n{good}(;GM[Othello]"
    );
    let games = read(&text);
    let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
    assert_eq!(
        faults,
        [
            "game 2, line 2: line 4: black moves out of turn",
            "game 3, line 5: a game of 'chess', not of Othello",
            "game 4, line 6: the start position (tag BO) is missing",
            "game 5, line 7: type '10': only the usual game on 8x8 squares is supported",
            "game 6, line 8: move 1: a1 is not a legal move for black",
            "game 7, line 9: '8 --' is not a board of 8x8 squares with the side to move",
            "game 8, line 10: line 10: 'f5/x' is not a move with evaluation and time",
            "line 12: 'rubbish' stands outside of a game",
            "game 10, line 12: the game has no end",
        ]
    );
    assert_eq!(games.iter().flatten().count(), 2);
}
