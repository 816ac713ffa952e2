use discern_board::{Bitboard, Board, Color, Game, Move, Position, Score};

use super::ArchiveError;
use super::block::BLOCK_GAMES;
use super::bytes::{Field, narrow, unzigzag};
use super::coder::BitDecoder;
use super::columns::{Column, Expected, evaluation, flag, verdict};
use super::order;
use super::source::{Models, Nothing, Source, Stream};
use crate::ending::Ending;
use crate::evaluation::MoveNote;
use crate::limits::{Clock, Limits};
use crate::provenance::{self, Correction, GameId, Solved};
use crate::record::{GameRecord, MAX_SOLVED, MAX_TEXT, Name, Player};

/// Room for the plies of nearly all games, so that they are not copied while
/// the list grows.
const USUAL_PLIES: usize = 64;

/// What the games of a block have in common.
pub struct Memory {
    names: Vec<Name>,
    last_source: (u64, u64),
}

impl Default for Memory {
    fn default() -> Memory {
        // Number 0 is the empty name.
        Memory { names: vec![Name::default()], last_source: (0, 0) }
    }
}

/// Reads games field by field.
pub struct Decoder<'a, S> {
    source: S,
    memory: &'a mut Memory,
}

/// The games of a stream, at most this many with at most this much content,
/// and why there are no more. A few bytes may stand for any amount of content,
/// so the bound holds while they are decoded.
pub fn games_of_stream(
    stream: &[u8],
    count: u32,
    content: u32,
) -> (Vec<GameRecord>, Result<u32, ArchiveError>) {
    let (mut coder, mut models) = (BitDecoder::new(stream), Models::up_to(content));
    let mut memory = Memory::default();
    let source = Stream { coder: &mut coder, models: &mut models, given: Nothing };
    let mut decoder = Decoder::new(source, &mut memory);
    let mut games = Vec::with_capacity(count.min(BLOCK_GAMES) as usize);
    for _ in 0..count {
        match decoder.next_game() {
            Ok(game) => games.push(game),
            Err(error) => return (games, Err(error)),
        }
    }
    (games, Ok(models.size()))
}

impl<'a, S: Source> Decoder<'a, S> {
    pub fn new(source: S, memory: &'a mut Memory) -> Decoder<'a, S> {
        Decoder { source, memory }
    }

    /// The next game.
    pub fn next_game(&mut self) -> Result<GameRecord, ArchiveError> {
        let flags = self.column(Column::Flags).varint()?;
        if flags & !flag::ALL != 0 {
            return Err(ArchiveError::Content("an unknown flag"));
        }
        let black = self.player(flags)?;
        let white = self.player(flags)?;
        let start = if flags & flag::START != 0 { self.start()? } else { Position::START };
        let opening = self.column(Column::Openings).index()?;
        let game = self.moves(start, flags & flag::STOPPED != 0)?;
        let mut record = GameRecord::new(game);
        record.players.black = black;
        record.players.white = white;
        record.opening = opening;
        let ending = usize::from(self.column(Column::Endings).byte()?);
        record.ending =
            *Ending::ALL.get(ending).ok_or(ArchiveError::Content("an unknown ending"))?;
        if flags & flag::SCORE != 0 {
            record.score_black = match self.column(Column::Scores).option()? {
                None => None,
                Some(coded) => Some(
                    Score::new(narrow::<i32>(coded)?.wrapping_sub(64))
                        .ok_or(ArchiveError::Content("a score beyond 64"))?,
                ),
            };
        }
        self.provenance(&mut record, flags)?;
        if flags & flag::NOTES != 0 {
            let mut expected = Expected::default();
            for _ in 0..record.game.plies().len() {
                let note = self.note(&mut expected)?;
                record.notes.push(note);
            }
        }
        if flags & flag::TAGS != 0 {
            record.event = self.name(Column::Tags)?;
            record.date = self.name(Column::Tags)?;
            record.comment = self.name(Column::Tags)?;
            for color in Color::BOTH {
                let rating = self.column(Column::Tags).option()?;
                record.players[color].rating_centi = rating
                    .map(narrow::<u32>)
                    .transpose()?
                    .map(|coded| unzigzag(coded.into()) as i32);
            }
        }
        record.check().map_err(|_| ArchiveError::Content("a game that contradicts itself"))?;
        self.source.end_game()?;
        Ok(record)
    }

    fn column(&mut self, column: Column) -> Field<'_, S> {
        Field { source: &mut self.source, column }
    }

    fn name(&mut self, column: Column) -> Result<Name, ArchiveError> {
        let number = self.column(column).index()?;
        if number == self.memory.names.len() {
            self.new_name()?;
        }
        let name = self.memory.names.get(number).cloned();
        name.ok_or(ArchiveError::Content("a name without an entry"))
    }

    /// Reads a name that was not met before.
    fn new_name(&mut self) -> Result<(), ArchiveError> {
        let mut column = self.column(Column::Names);
        let length = column.index()?;
        if length > MAX_TEXT {
            return Err(ArchiveError::Content("a name is too long"));
        }
        // Lengths come from the file: let the memory grow with what is there.
        let mut bytes = Vec::with_capacity(length.min(1 << 10));
        for _ in 0..length {
            bytes.push(column.byte()?);
        }
        let name =
            String::from_utf8(bytes).map_err(|_| ArchiveError::Content("a name is not UTF-8"))?;
        self.memory.names.push(name.as_str().into());
        Ok(())
    }

    fn player(&mut self, flags: u64) -> Result<Player, ArchiveError> {
        let name = self.name(Column::Players)?;
        let limits = if flags & flag::LIMITS != 0 { self.limits()? } else { Limits::default() };
        Ok(Player { name, rating_centi: None, limits })
    }

    fn limits(&mut self) -> Result<Limits, ArchiveError> {
        let mut column = self.column(Column::Limits);
        Ok(Limits {
            depth: column.option()?.map(narrow).transpose()?,
            nodes: column.option()?,
            move_ms: column.option()?,
            clock: match column.option()? {
                None => None,
                Some(main_ms) => Some(Clock {
                    main_ms,
                    increment_ms: column.varint()?,
                    grace_ms: column.varint()?,
                }),
            },
        })
    }

    fn start(&mut self) -> Result<Position, ArchiveError> {
        let mut column = self.column(Column::Starts);
        let black = Bitboard(column.u64()?);
        let white = Bitboard(column.u64()?);
        let (mover, discs) = match column.byte()? {
            0 => (Color::Black, [black, white]),
            1 => (Color::White, [white, black]),
            _ => return Err(ArchiveError::Content("an unknown colour")),
        };
        let board = Board::new(discs[0], discs[1])
            .ok_or(ArchiveError::Content("a square with two discs"))?;
        Ok(Position { board, mover })
    }

    fn moves(&mut self, start: Position, stopped: bool) -> Result<Game, ArchiveError> {
        let plies = if stopped { Some(self.column(Column::Lengths).index()?) } else { None };
        let mut game = Game::with_capacity(start, USUAL_PLIES);
        while plies != Some(game.plies().len()) {
            let board = game.position().board;
            let moves = board.moves();
            let square = match moves.count() {
                0 if board.opponent_moves().is_empty() => break,
                0 => {
                    game.play_unchecked(Move::Pass, board.pass());
                    continue;
                }
                1 => moves.first().expect("one move"),
                _ => {
                    let number = self.source.move_number(moves.count(), board.empties())?;
                    order::square_of(&board, moves, number)
                        .ok_or(ArchiveError::Content("a move's number is too large"))?
                }
            };
            let after = board.play_unchecked(square, board.flips(square));
            game.play_unchecked(square.into(), after);
        }
        match plies {
            Some(plies) if plies != game.plies().len() || game.is_over() => {
                Err(ArchiveError::Content("moves follow the end of a stopped game"))
            }
            _ => Ok(game),
        }
    }

    fn provenance(&mut self, record: &mut GameRecord, flags: u64) -> Result<(), ArchiveError> {
        if flags & flag::SEED != 0 {
            record.seed = Some(self.column(Column::Seeds).u64()?);
        }
        if flags & flag::SOURCE != 0 {
            let plan = self.name(Column::Sources)?;
            let (shard, game) = self.memory.last_source;
            let mut column = self.column(Column::Sources);
            let shard = shard.wrapping_add(column.signed()? as u64);
            let game = game.wrapping_add(column.signed()? as u64);
            self.memory.last_source = (shard, game);
            record.source = Some(provenance::Source { plan, shard, game });
        }
        if flags & flag::SOLVED != 0 {
            let mut column = self.column(Column::Solved);
            let count = column.index()?;
            if count > MAX_SOLVED {
                return Err(ArchiveError::Content("too many proven results"));
            }
            for _ in 0..count {
                let ply = column.index()?;
                record.solved.push(Solved { ply, verdict: verdict(column.byte()?)? });
            }
        }
        if flags & flag::CORRECTION != 0 {
            let mut column = self.column(Column::Corrections);
            record.correction = Some(Correction {
                parent: GameId(column.u64()?),
                ply: column.index()?,
                played: evaluation(column.varint()?)?,
                better: evaluation(column.varint()?)?,
                depth: narrow(column.varint()?)?,
            });
        }
        Ok(())
    }

    fn note(&mut self, expected: &mut Expected) -> Result<MoveNote, ArchiveError> {
        Ok(MoveNote {
            evaluation: expected.evaluation(self.column(Column::Evaluations).option()?)?,
            time_ms: self.column(Column::Times).option()?,
            depth: self.column(Column::Depths).option()?.map(narrow).transpose()?,
            nodes: self.column(Column::Nodes).option()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::bytes::put;
    use super::*;

    /// What a few bits of a stream may stand for: flags, the number of a name,
    /// and lengths of some thousand millions.
    struct Huge {
        flags: std::vec::IntoIter<u8>,
        name: u8,
        length: std::vec::IntoIter<u8>,
    }

    impl Source for Huge {
        fn byte(&mut self, column: Column) -> Result<u8, ArchiveError> {
            Ok(match column {
                Column::Flags => self.flags.next().expect("flags are read once"),
                Column::Players => self.name,
                Column::Solved | Column::Names => self.length.next().expect("only the length"),
                _ => 0,
            })
        }

        fn move_number(&mut self, _: u32, _: u32) -> Result<u8, ArchiveError> {
            Ok(0)
        }

        fn end_game(&mut self) -> Result<(), ArchiveError> {
            Ok(())
        }
    }

    #[test]
    fn lengths_beyond_all_bounds_are_refused_before_anything_is_read() {
        let bytes_of = |number: u64| {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            bytes.into_iter()
        };
        for (flags, name, said) in
            [(flag::SOLVED, 0, "too many proven results"), (0, 1, "a name is too long")]
        {
            let source = Huge { flags: bytes_of(flags), name, length: bytes_of(1 << 32) };
            let mut memory = Memory::default();
            let read = Decoder::new(source, &mut memory).next_game();
            assert_eq!(read, Err(ArchiveError::Content(said)));
        }
    }
}
