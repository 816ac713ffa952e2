//! SGF as Edax writes it: `GM[2]`, squares as `f5`, passes as `PA`. Only the
//! main line is read.

use std::fmt::Write;
use std::io::BufRead;

use discern_board::{Bitboard, Board, Color, Game, Move, ParseMoveError, Position, Score, Square};

use crate::ending::Ending;
use crate::fault::{Fault, Place, Reason};
use crate::format::{Description, Format, Start, Writing};
use crate::read::Games;
use crate::record::GameRecord;
use crate::tags::{Dialect, Tag, TagList, TagReader};

pub(crate) const FORMAT: Description = Description {
    name: "sgf",
    extension: "sgf",
    fits: |start| fits(start).unwrap_or(false),
    read: |input, _| Ok(Games::other(SgfReader::new(input))),
    write: Writing::Lines(|record| Ok(game(record))),
};

/// Brackets, and a number for the kind of game.
fn fits(start: &Start) -> Option<bool> {
    let kind = start.behind_bracket()?.split_once("GM[").map(|(_, rest)| rest.trim_start());
    Some(match kind {
        Some(kind) => kind.starts_with(|c: char| c.is_ascii_digit()),
        None => start.named == Some(Format::Sgf),
    })
}

/// Why a game is not SGF that we understand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// Another game.
    #[error("game type GM[{0}], Othello is GM[2]")]
    Game(String),
    /// Not 8×8.
    #[error("board size '{0}', only 8 is supported")]
    Size(String),
    /// Not a move.
    #[error("line {line}: {source}")]
    Move {
        /// Where it stands.
        line: u64,
        /// What stands there.
        source: ParseMoveError,
    },
    /// The wrong side moves.
    #[error("line {line}: {color} moves out of turn")]
    Turn {
        /// Where it stands.
        line: u64,
        /// Who moves.
        color: Color,
    },
    /// A set-up with two discs on one square.
    #[error("the set-up puts two discs on one square")]
    Setup,
    /// Not a colour.
    #[error("'{0}' is not a player (B or W)")]
    Player(String),
    /// Not a result.
    #[error("'{0}' is not a result")]
    Result(String),
}

/// Reads games in SGF.
pub struct SgfReader<R>(TagReader<R>);

impl<R: BufRead> SgfReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> SgfReader<R> {
        SgfReader(TagReader::new(input, Dialect::Sgf))
    }
}

impl<R: BufRead> Iterator for SgfReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        Some(self.0.next()?.and_then(|list| {
            let place = Place::line(list.game, list.line);
            game_of(&list).map_err(|reason| Fault::new(place, reason))
        }))
    }
}

fn game_of(list: &TagList) -> Result<GameRecord, Reason> {
    if let Some(game) = list.value("GM").filter(|&game| game != "2") {
        return Err(SgfError::Game(game.to_owned()).into());
    }
    if let Some(size) = list.value("SZ").filter(|&size| size != "8") {
        return Err(SgfError::Size(size.to_owned()).into());
    }
    let mut record = GameRecord::new(play(start(list)?, &list.tags)?);
    if let Some(text) = list.value("RE") {
        settle(&mut record, text)?;
    }
    record.players.black.name = list.value("PB").unwrap_or_default().into();
    record.players.white.name = list.value("PW").unwrap_or_default().into();
    record.event = list.value("EV").or(list.value("PC")).unwrap_or_default().into();
    record.date = list.value("DT").unwrap_or_default().into();
    record.comment = list.value("GC").unwrap_or_default().into();
    record.check()?;
    Ok(record)
}

/// The set-up, or the usual start without one.
fn start(list: &TagList) -> Result<Position, Reason> {
    let mut discs = [Bitboard::EMPTY; 2];
    for tag in &list.tags {
        let color = match tag.name.as_str() {
            "AB" => Color::Black,
            "AW" => Color::White,
            _ => continue,
        };
        for value in &tag.values {
            let square: Square = value.trim().parse().map_err(|_| SgfError::Move {
                line: tag.line,
                source: ParseMoveError(value.clone()),
            })?;
            discs[color as usize] |= Bitboard::of(square);
        }
    }
    let mover = match list.value("PL") {
        None => Color::Black,
        Some(text) if text.eq_ignore_ascii_case("b") => Color::Black,
        Some(text) if text.eq_ignore_ascii_case("w") => Color::White,
        Some(text) => return Err(SgfError::Player(text.to_owned()).into()),
    };
    let [black, white] = discs;
    if black.is_empty() && white.is_empty() {
        return Ok(Position { mover, ..Position::START });
    }
    let board = match mover {
        Color::Black => Board::new(black, white),
        Color::White => Board::new(white, black),
    };
    Ok(Position { board: board.ok_or(SgfError::Setup)?, mover })
}

fn play(start: Position, tags: &[Tag]) -> Result<Game, Reason> {
    let mut game = Game::new(start);
    for tag in tags {
        let color = match tag.name.as_str() {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        let line = tag.line;
        let mv = match tag.value() {
            "" => Move::Pass,
            text => text.parse().map_err(|source| SgfError::Move { line, source })?,
        };
        if mv == Move::Pass && game.is_over() {
            continue;
        }
        let number = game.plies().len() + 1;
        if color != game.position().mover {
            if !game.position().board.must_pass() {
                return Err(SgfError::Turn { line, color }.into());
            }
            game.play(Move::Pass).map_err(|source| Reason::Illegal { number, source })?;
        }
        game.play(mv).map_err(|source| Reason::Illegal { number, source })?;
    }
    Ok(game)
}

/// `B+12`, `W+Resign`, `0`, `?` and the like.
fn settle(record: &mut GameRecord, text: &str) -> Result<(), SgfError> {
    let error = || SgfError::Result(text.to_owned());
    let (sign, margin) = match text.split_once('+') {
        Some((winner, margin)) if winner.eq_ignore_ascii_case("b") => (1, margin.trim()),
        Some((winner, margin)) if winner.eq_ignore_ascii_case("w") => (-1, margin.trim()),
        None if matches!(text, "" | "?" | "Void") => return Ok(()),
        None if matches!(text, "0" | "Draw") => (1, "0"),
        _ => return Err(error()),
    };
    let (score, ending) = match margin.to_ascii_lowercase().as_str() {
        // Who gives up or runs out of time loses; by how much nobody says.
        "r" | "resign" => (Score::new(sign * 64), Some(Ending::Resigned)),
        "t" | "time" => (Score::new(sign * 64), Some(Ending::Timeout)),
        "f" | "forfeit" => (Score::new(sign * 64), Some(Ending::Adjudicated)),
        "" => (None, None),
        digits => {
            let discs: i32 = digits.parse().map_err(|_| error())?;
            (Some(Score::new(sign * discs.min(99)).ok_or_else(error)?), None)
        }
    };
    if let Some(ending) = ending.filter(|_| !record.game.is_over()) {
        record.ending = ending;
    }
    record.score_black =
        score.filter(|_| ending.is_none() || !record.game.is_over()).or(record.score_black);
    Ok(())
}

/// The game in SGF, without a line end.
pub fn game(record: &GameRecord) -> String {
    let mut text = String::from("(;FF[4]GM[2]SZ[8]AP[discern]");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            let value = value.replace('\\', "\\\\").replace(']', "\\]").replace(['\n', '\r'], " ");
            write!(text, "{name}[{value}]").expect("strings grow");
        }
    };
    tag("EV", &record.event);
    tag("DT", &record.date);
    tag("PB", &record.players.black.name);
    tag("PW", &record.players.white.name);
    tag("GC", &record.comment);
    tag("RE", &result(record));
    let start = record.game.start();
    if start.board != Position::START.board || start.mover != Color::Black {
        for (name, color) in [("AB", Color::Black), ("AW", Color::White)] {
            let squares: Vec<String> =
                start.discs_of(color).squares().map(|square| square.to_string()).collect();
            if !squares.is_empty() {
                write!(text, "{name}[{}]", squares.join("][")).expect("strings grow");
            }
        }
    }
    write!(text, "PL[{}]", letter(start.mover)).expect("strings grow");
    for ply in record.game.plies() {
        let mv = ply.mv.square().map_or("PA".to_owned(), |square| square.to_string());
        write!(text, ";{}[{mv}]", letter(ply.before.mover)).expect("strings grow");
    }
    text.push(')');
    text
}

fn letter(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

fn result(record: &GameRecord) -> String {
    let Some(score) = record.score_black else { return "?".to_owned() };
    let winner = match score.discs().signum() {
        0 => return "0".to_owned(),
        1 => 'B',
        _ => 'W',
    };
    match record.ending {
        Ending::Resigned => format!("{winner}+Resign"),
        Ending::Timeout => format!("{winner}+Time"),
        _ => format!("{winner}+{}", score.discs().abs()),
    }
}
