use discern_board::testing::{random_boards_with_empties, random_games};
use discern_board::{Color, Game, Position, Score};
use discern_records::sgf::{SgfReader, game};
use discern_records::{Ending, GameRecord};

fn read(text: &str) -> Vec<Result<GameRecord, String>> {
    SgfReader::new(text.as_bytes()).map(|g| g.map_err(|fault| fault.to_string())).collect()
}

#[test]
fn games_survive_writing_and_reading() {
    let mut records: Vec<_> = random_games(4, 20).map(GameRecord::new).collect();
    records[0].players.black.name = "A [strange\\] name".into();
    records[0].event = "Café".into();
    for (i, board) in random_boards_with_empties(5, 30, 10).enumerate() {
        records.push(GameRecord::new(Game::new(Position { board, mover: Color::BOTH[i % 2] })));
    }
    let text: String = records.iter().map(|record| game(record) + "\n").collect();
    let back: Vec<_> = read(&text).into_iter().map(Result::unwrap).collect();
    assert_eq!(back, records);
}

#[test]
fn only_the_main_line_is_read() {
    let text = "(;GM[2]SZ[8];B[f5](;W[d6];B[c3])(;W[f6];B[e6]))";
    assert_eq!(read(text)[0].as_ref().unwrap().game.transcript(), "f5d6c3");
}

#[test]
fn results_are_understood() {
    let ended = |result: &str| {
        let game = &read(&format!("(;GM[2]RE[{result}];B[f5];W[d6])"))[0];
        game.clone().map(|record| (record.ending, record.score_black.map(Score::discs)))
    };
    assert_eq!(ended("W+Resign"), Ok((Ending::Resigned, Some(-64))));
    assert_eq!(ended("B+T"), Ok((Ending::Timeout, Some(64))));
    assert_eq!(ended("B+12"), Ok((Ending::Unfinished, Some(12))));
    assert_eq!(ended("?"), Ok((Ending::Unfinished, None)));
    assert_eq!(ended("B+70"), Err("game 1, line 1: 'B+70' is not a result".into()));
}

#[test]
fn faults_name_game_and_line() {
    let error = |text: &str| read(text)[0].clone().unwrap_err();
    assert_eq!(error("(;GM[1];B[aa])"), "game 1, line 1: game type GM[1], Othello is GM[2]");
    assert_eq!(
        error("(;GM[2]\n;B[f5]\n;B[d6])"),
        "game 1, line 1: line 3: black moves out of turn"
    );
    assert_eq!(error("(;GM[2];B[f5]"), "game 1, line 1: the game has no end");
    assert_eq!(
        error("(;GM[2]AB[d4]AW[d4])"),
        "game 1, line 1: the set-up puts two discs on one square"
    );
    assert_eq!(error("(;GM[2];B[a1])"), "game 1, line 1: move 1: a1 is not a legal move for black");
}
