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
