use discern_board::testing::random_games;
use discern_board::{Game, Move};
use discern_records::GameRecord;
use discern_records::transcript::{TranscriptReader, line};

fn read(text: &str) -> Vec<Result<GameRecord, String>> {
    TranscriptReader::new(text.as_bytes())
        .map(|game| game.map_err(|fault| fault.to_string()))
        .collect()
}

#[test]
fn games_survive_writing_and_reading() {
    let records: Vec<_> = random_games(4, 50).map(GameRecord::new).collect();
    let text: String = records.iter().map(|record| line(record) + "\n").collect();
    assert!(read(&text).into_iter().map(Result::unwrap).eq(records));
}

#[test]
fn starts_last_passes_and_comments_are_understood() {
    let blocked = "OX-------------------------------------------------------------- X";
    let mut game = Game::new(blocked.parse().unwrap());
    game.play(Move::Pass).unwrap();
    let record = GameRecord::new(game);
    assert_eq!(line(&record), format!("{blocked}; pa"));
    let text = format!("% a list\n\n{}; # blocked\n f5 D6 % short\n", line(&record));
    let games = read(&text);
    assert_eq!(games[0].as_ref(), Ok(&record));
    assert_eq!(games[1].as_ref().unwrap().game.transcript(), "f5d6");
}

#[test]
fn faults_name_game_line_and_column_and_hide_no_other_game() {
    let blocked = "OX-------------------------------------------------------------- X";
    let games = read(&format!("f5d6\n% remark\nf5f5\n{blocked}; c1 zz\n--; f5\nf5"));
    let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
    assert_eq!(
        faults,
        [
            "game 2, line 3: move 2, column 3: f5 is not a legal move for white",
            "game 3, line 4: column 72: 'zz' is not a move",
            "game 4, line 5: a board has 64 squares, this one has 2",
        ]
    );
    assert_eq!(games.len(), 5);
    assert!(games[4].is_ok());
}
