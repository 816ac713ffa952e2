use std::io::{BufRead, Read};

use discern_board::{Color, Game, Score, Square};

use super::header::{HEADER_SIZE, Header};
use super::{RECORD_SIZE, WthorError, WthorNames};
use crate::evaluation::Verdict;
use crate::fault::{Fault, Place, Reason};
use crate::provenance::Solved;
use crate::record::{GameRecord, Name};

/// Reads the games of a `.wtb` file.
///
/// Passes, which the format does not store, are put back. The real score is
/// kept and checked against the board; the theoretical score becomes the
/// proven result of the position with as many empty squares as the header
/// says.
pub struct WthorReader<R> {
    input: R,
    names: WthorNames,
    header: Header,
    year: Name,
    /// Records read so far.
    read: u32,
    ended: bool,
}

impl<R: BufRead> WthorReader<R> {
    /// Reads the header.
    pub fn new(mut input: R, names: WthorNames) -> Result<WthorReader<R>, Fault> {
        let fault = |reason: Reason| Fault::new(Place::default(), reason);
        let mut bytes = Vec::new();
        let read = (&mut input).take(HEADER_SIZE as u64).read_to_end(&mut bytes);
        read.map_err(|error| fault(error.into()))?;
        let header = Header::parse(&bytes).map_err(|error| fault(error.into()))?;
        let year = if header.year == 0 { Name::default() } else { header.year.to_string().into() };
        Ok(WthorReader { input, names, header, year, read: 0, ended: false })
    }

    fn next_record(&mut self) -> Result<Option<[u8; RECORD_SIZE]>, Reason> {
        let announced = self.header.games;
        let mut bytes = Vec::with_capacity(RECORD_SIZE);
        (&mut self.input).take(RECORD_SIZE as u64).read_to_end(&mut bytes)?;
        match <[u8; RECORD_SIZE]>::try_from(bytes.as_slice()) {
            Ok(_) if self.read == announced => Err(WthorError::Long { announced }.into()),
            Ok(record) => Ok(Some(record)),
            Err(_) if bytes.is_empty() && self.read == announced => Ok(None),
            Err(_) if self.read == announced => Err(WthorError::Long { announced }.into()),
            Err(_) => Err(WthorError::Short { number: u64::from(self.read) + 1, announced }.into()),
        }
    }

    fn game_of(&self, record: &[u8; RECORD_SIZE]) -> Result<GameRecord, Reason> {
        let number = |at: usize| u16::from_le_bytes([record[at], record[at + 1]]);
        let mut result = GameRecord::new(play(&record[8..])?);
        result.event = self.names.tournament(number(0));
        result.players.black.name = self.names.player(number(2));
        result.players.white.name = self.names.player(number(4));
        result.date = self.year.clone();
        result.score_black = Some(score_black(record[6])?);
        let theoretical = score_black(record[7])?;
        let ply = result.ply_with_empties(self.header.depth.into());
        result.solved.extend(ply.map(|ply| {
            let mover = match result.game.plies().get(ply) {
                Some(ply) => ply.before.mover,
                None => result.game.position().mover,
            };
            let score = if mover == Color::Black { theoretical } else { -theoretical };
            Solved { ply, verdict: Verdict::Score(score) }
        }));
        result.check()?;
        Ok(result)
    }
}

fn play(moves: &[u8]) -> Result<Game, Reason> {
    let mut game = Game::default();
    for (index, &code) in moves.iter().enumerate().take_while(|&(_, &code)| code != 0) {
        let number = index + 1;
        let (row, column) = (usize::from(code / 10), usize::from(code % 10));
        let square = Square::at(column.wrapping_sub(1), row.wrapping_sub(1))
            .ok_or(WthorError::Square { number, code })?;
        game.play_after_pass(square.into()).map_err(|source| Reason::Illegal { number, source })?;
    }
    Ok(game)
}

/// Black's discs with the empties given to the winner, as a difference.
fn score_black(discs: u8) -> Result<Score, WthorError> {
    Score::new(2 * i32::from(discs) - 64).ok_or(WthorError::Score(discs))
}

impl<R: BufRead> Iterator for WthorReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        if self.ended {
            return None;
        }
        let number = u64::from(self.read) + 1;
        let offset = HEADER_SIZE as u64 + u64::from(self.read) * RECORD_SIZE as u64;
        let record = match self.next_record() {
            Ok(Some(record)) => record,
            Ok(None) => return None,
            Err(reason) => {
                self.ended = true;
                let place = Place { offset: Some(offset), ..Place::default() };
                return Some(Err(Fault::new(place, reason)));
            }
        };
        self.read += 1;
        let place = Place::offset(number, offset);
        Some(self.game_of(&record).map_err(|reason| Fault::new(place, reason)))
    }
}
