use discern_board::{Game, Move, Score};
use discern_records::obf::{ObfPosition, ObfReader, positions_of};
use discern_records::{Format, GameRecord, NewGameFile};

const BOARD: &str = "---------------------------OX------XO---------------------------";

fn error(rest: &str) -> String {
    let text = format!("% note\n{BOARD}{rest}");
    ObfReader::new(text.as_bytes()).next().unwrap().unwrap_err().to_string()
}

#[test]
fn positions_survive_writing_and_reading() {
    for rest in [" X; F5:+2; D3:-4; C4:+0;", " X;", " O; +12;", " X; -64;"] {
        let line = format!("{BOARD}{rest}");
        let obf = ObfPosition::parse(&line).unwrap();
        assert_eq!(obf.to_string(), line);
    }
    let alone = ObfPosition::parse(&format!("{BOARD} X")).unwrap();
    assert_eq!((alone.moves.len(), alone.best), (0, None));
    let best = ObfPosition::parse(&format!("{BOARD} X;f5:2;d3:+8;")).unwrap().best;
    assert_eq!(best, Score::new(8));
    let blocked = "OX-------------------------------------------------------------- X;";
    for pass in ["PA", "ps"] {
        let obf = ObfPosition::parse(&format!("{blocked} {pass}:-6;")).unwrap();
        assert_eq!(obf.moves, [(Move::Pass, Score::new(-6).unwrap())]);
    }
}

#[test]
fn faults_name_line_and_column() {
    assert_eq!(
        error(" X; F5:+2; k9:+1;"),
        "game 1, line 2: column 76: 'k9' is not a move (a square like f5, or pass)"
    );
    assert_eq!(error(" X; A1:+2;"), "game 1, line 2: column 69: a1 is not legal in this position");
    assert_eq!(
        error(" X; F5:+99;"),
        "game 1, line 2: column 72: '+99' is not a score from -64 to +64"
    );
    assert_eq!(
        error(" X; F5:+2; +4;"),
        "game 1, line 2: the best score is given as +4, but the best move has +2"
    );
    assert!(error(" 1;").contains("not a side to move"));
}

#[test]
fn a_position_is_a_game_without_moves_and_back() {
    let text = format!("{BOARD} X; F5:+2;\n");
    let record = ObfReader::new(text.as_bytes()).into_games().next().unwrap().unwrap();
    assert_eq!(record.check(), Ok(()));
    let back: Vec<String> = positions_of(&record).map(|obf| obf.to_string()).collect();
    assert_eq!(back, [format!("{BOARD} X; +2;")]);
}

#[test]
fn nothing_is_lost_in_silence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.obf");
    let mut file = NewGameFile::create(&path, Format::Obf, false).unwrap();
    let alone = GameRecord::new(Game::new(format!("{BOARD} X").parse().unwrap()));
    file.append(&alone).unwrap();
    let game = GameRecord::new("f5d6".parse().unwrap());
    assert!(file.append(&game).unwrap_err().is_about_the_game());
    file.finish().unwrap();
    assert_eq!(std::fs::read_to_string(path).unwrap(), format!("{BOARD} X;\n"));
}
