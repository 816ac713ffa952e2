use discern_board::testing::random_games;
use discern_board::{Move, Score};
use discern_records::wthor::{WthorFiles, WthorNames, WthorReader, WthorWriter};
use discern_records::{GameRecord, Solved, Verdict};

fn records() -> Vec<GameRecord> {
    let record = |(index, game)| {
        let mut record = GameRecord::new(game);
        record.players.black.name = format!("Player {}", index % 3).into();
        record.players.white.name = "Müller (program)".into();
        record.event = "Open".into();
        record.date = "1999".into();
        if let Some(ply) = record.ply_with_empties(24) {
            let verdict = Verdict::Score(Score::new(2 * (index as i32 % 9) - 8).unwrap());
            record.solved.push(Solved { ply, verdict });
        }
        record
    };
    random_games(8, 40).enumerate().map(record).collect()
}

fn write(records: &[GameRecord]) -> WthorFiles {
    let mut writer = WthorWriter::default();
    records.iter().for_each(|record| writer.append(record).unwrap());
    writer.finish()
}

fn read(games: &[u8], names: WthorNames) -> Vec<Result<GameRecord, String>> {
    let reader = WthorReader::new(games, names).unwrap();
    reader.map(|game| game.map_err(|fault| fault.to_string())).collect()
}

#[test]
fn games_survive_writing_and_reading() {
    let records = records();
    let passes = records.iter().flat_map(|r| r.game.moves()).filter(|&mv| mv == Move::Pass);
    assert!(passes.count() > 0, "some games should have passes to restore");
    let files = write(&records);
    let names = WthorNames::from_bytes(&files.players, &files.tournaments);
    assert!(read(&files.games, names).into_iter().map(Result::unwrap).eq(records));
}

#[test]
fn without_names_the_numbers_must_do() {
    let files = write(&records()[..2]);
    let games = read(&files.games, WthorNames::default());
    let record = games[1].as_ref().unwrap();
    assert_eq!((&*record.players.black.name, &*record.event), ("#3", "#1"));
}

#[test]
fn broken_records_are_named_and_the_others_read() {
    let mut files = write(&records()[..4]);
    files.games[16 + 8] = 99;
    files.games[16 + 68 + 6] ^= 1;
    files.games[16 + 2 * 68 + 9] = 11;
    let games = read(&files.games, WthorNames::default());
    let error = |index: usize| games[index].clone().unwrap_err();
    assert_eq!(error(0), "game 1, byte 16: move 1: 99 is not the number of a square");
    assert!(error(1).starts_with("game 2, byte 84: the result is given as"), "{}", error(1));
    assert_eq!(error(2), "game 3, byte 152: move 2: a1 is not a legal move for white");
    assert!(games[3].is_ok());
}

#[test]
fn cut_and_overlong_files_are_named() {
    let mut games = write(&records()[..3]).games;
    games.truncate(16 + 2 * 68 + 30);
    let cut = read(&games, WthorNames::default());
    assert_eq!(cut[2], Err("byte 152: the file ends within record 3 of 3".into()));
    assert_eq!(cut.len(), 3);
    let mut games = write(&records()[..1]).games;
    games.extend([1; 100]);
    let long = read(&games, WthorNames::default());
    assert_eq!(long[1], Err("byte 84: there is more in the file after its 1 records".into()));
    assert_eq!(long.len(), 2);
}

#[test]
fn what_wthor_cannot_hold_is_refused() {
    let mut writer = WthorWriter::default();
    let unfinished = GameRecord::new("f5d6".parse().unwrap());
    assert_eq!(
        writer.append(&unfinished).unwrap_err().to_string(),
        "WTHOR games have a result, this one has none"
    );
}
