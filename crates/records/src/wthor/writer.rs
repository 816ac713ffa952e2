use discern_board::{Color, Move, Position, Score};

use super::header::{HEADER_SIZE, Header};
use super::names::NameTable;
use super::{PLAYER_SIZE, RECORD_SIZE, TOURNAMENT_SIZE, USUAL_DEPTH};
use crate::output::WriteError;
use crate::record::GameRecord;

/// Collects games for a `.wtb` file and its two files of names. They are kept
/// in memory (68 bytes per game), since the header needs their number.
#[derive(Debug)]
pub struct WthorWriter {
    games: Vec<u8>,
    players: NameTable,
    tournaments: NameTable,
    /// The year all games so far have in common.
    year: Option<u16>,
}

/// The contents of the three files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WthorFiles {
    /// `.wtb`: the games.
    pub games: Vec<u8>,
    /// `.jou`: the players' names.
    pub players: Vec<u8>,
    /// `.trn`: the tournaments' names.
    pub tournaments: Vec<u8>,
}

impl Default for WthorWriter {
    fn default() -> WthorWriter {
        WthorWriter {
            games: vec![0; HEADER_SIZE],
            players: NameTable::new(PLAYER_SIZE, "???"),
            tournaments: NameTable::new(TOURNAMENT_SIZE, "Diverses parties"),
            year: None,
        }
    }
}

impl WthorWriter {
    /// Adds a game. It must begin at the usual start and have a result.
    pub fn append(&mut self, record: &GameRecord) -> Result<(), WriteError> {
        if record.game.start() != Position::START {
            return Err(WriteError::Unwritable("WTHOR games begin at the usual start"));
        }
        let score = record
            .score_black
            .ok_or(WriteError::Unwritable("WTHOR games have a result, this one has none"))?;
        let full = WriteError::Unwritable("WTHOR has room for 65534 names");
        let tournament = self.tournaments.number(&record.event);
        let black = self.players.number(&record.players.black.name);
        let white = self.players.number(&record.players.white.name);
        let (Some(tournament), Some(black), Some(white)) = (tournament, black, white) else {
            return Err(full);
        };
        let end = self.games.len() + RECORD_SIZE;
        for number in [tournament, black, white] {
            self.games.extend(number.to_le_bytes());
        }
        self.games.push(black_discs(score));
        self.games.push(black_discs(theoretical(record).unwrap_or(score)));
        let squares = record.game.moves().filter_map(Move::square);
        self.games
            .extend(squares.map(|square| (10 * (square.row() + 1) + square.column() + 1) as u8));
        self.games.resize(end, 0);
        let year = record.date.get(..4).and_then(|year| year.parse().ok()).unwrap_or(0);
        self.year = Some(if self.year.is_none_or(|common| common == year) { year } else { 0 });
        Ok(())
    }

    /// Ends the files.
    pub fn finish(mut self) -> WthorFiles {
        let header = Header {
            games: ((self.games.len() - HEADER_SIZE) / RECORD_SIZE) as u32,
            names: 0,
            year: self.year.unwrap_or(0),
            depth: USUAL_DEPTH,
        };
        self.games[..HEADER_SIZE].copy_from_slice(&header.to_bytes());
        WthorFiles {
            games: self.games,
            players: self.players.into_bytes(),
            tournaments: self.tournaments.into_bytes(),
        }
    }
}

/// Black's discs out of 64. Odd differences do not occur once the empties are
/// given to the winner; an awarded score that is odd loses its half disc.
fn black_discs(score: Score) -> u8 {
    ((score.discs() + 64) / 2) as u8
}

/// The proven score at the usual depth, from Black's view.
fn theoretical(record: &GameRecord) -> Option<Score> {
    let ply = record.ply_with_empties(USUAL_DEPTH.into())?;
    let score = record.solved_at(ply)?.verdict.score()?;
    let mover = record.game.plies().get(ply).map_or(record.game.position(), |ply| ply.before).mover;
    Some(if mover == Color::Black { score } else { -score })
}

#[cfg(test)]
mod tests {
    use discern_board::testing::random_games;

    use super::*;
    use crate::evaluation::Verdict;
    use crate::provenance::Solved;
    use crate::wthor::{WthorNames, WthorReader};

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
        assert_eq!(long[1], Err("byte 84: the file goes on behind its 1 records".into()));
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
}
