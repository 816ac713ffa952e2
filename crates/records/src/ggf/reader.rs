use std::io::BufRead;

use discern_board::{Color, Game, Move, Position, Score};

use super::moves::{self, Unit};
use super::{GgfError, OUR_COMMENT, clock};
use crate::ending::Ending;
use crate::evaluation::MoveNote;
use crate::fault::{Fault, Place, Reason};
use crate::record::GameRecord;
use crate::tags::{Dialect, Tag, TagList, TagReader};

/// Reads games in GGF.
pub struct GgfReader<R>(TagReader<R>);

impl<R: BufRead> GgfReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> GgfReader<R> {
        GgfReader(TagReader::new(input, Dialect::Ggf))
    }
}

impl<R: BufRead> Iterator for GgfReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        Some(self.0.next()?.and_then(|list| {
            let place = Place::line(list.game, list.line);
            game_of(&list).map_err(|reason| Fault::new(place, reason))
        }))
    }
}

/// What the RE tag says.
struct Stated {
    score: Option<Score>,
    ending: Option<Ending>,
}

fn game_of(list: &TagList) -> Result<GameRecord, Reason> {
    if let Some(name) = list.value("GM").filter(|name| !name.eq_ignore_ascii_case("othello")) {
        return Err(GgfError::Game(name.to_owned()).into());
    }
    if let Some(kind) = list.value("TY").filter(|kind| !is_usual(kind)) {
        return Err(GgfError::Type(kind.to_owned()).into());
    }
    let start = board(list.value("BO").ok_or(GgfError::NoBoard)?)?;
    let ours = |key: &str| our_word(list, key);
    let unit = if ours("evals") == Some("log-odds") { Unit::LogOdds } else { Unit::Discs };
    let (game, notes) = play(start, &list.tags, unit)?;
    let mut record = GameRecord::new(game);
    if notes.iter().any(|note| *note != MoveNote::default()) {
        record.notes = notes;
    }
    let komi = list.value("KM").is_some();
    if let Some(stated) = list.value("RE").map(result).transpose()? {
        settle(&mut record, &stated, komi);
    }
    if let Some(ending) = ours("ended").and_then(|word| word.parse().ok()) {
        record.ending = ending;
    }
    if let Some(opening) = ours("opening").and_then(|word| word.parse().ok()) {
        record.opening = opening;
    }
    describe(&mut record, list)?;
    record.check()?;
    Ok(record)
}

/// Names, ratings, clocks and remarks.
fn describe(record: &mut GameRecord, list: &TagList) -> Result<(), Reason> {
    for (color, name, rating, time) in
        [(Color::Black, "PB", "RB", "TB"), (Color::White, "PW", "RW", "TW")]
    {
        let player = &mut record.players[color];
        player.name = list.value(name).unwrap_or_default().into();
        // Ratings carry marks ("1723.4@350.0") and question marks.
        let rating = list.value(rating).and_then(|text| text.split('@').next());
        player.rating_centi = rating
            .and_then(|text| text.trim().parse::<f64>().ok())
            .filter(|rating| rating.abs() < 1e6)
            .map(|rating| (rating * 100.0).round() as i32);
        let text = list.value(time).or_else(|| list.value("TI")).filter(|text| !text.is_empty());
        player.limits.clock = text.map(clock::parse).transpose()?;
    }
    record.event = list.value("PC").unwrap_or_default().into();
    record.date = list.value("DT").unwrap_or_default().into();
    let comments = list.tags.iter().filter(|tag| tag.name == "CO").map(Tag::value);
    record.comment = comments.filter(|text| !is_ours(text)).collect::<Vec<_>>().join(" ").into();
    Ok(())
}

fn is_ours(comment: &str) -> bool {
    comment.starts_with(OUR_COMMENT)
}

/// The value of `key=value` in our own comment.
fn our_word<'a>(list: &'a TagList, key: &str) -> Option<&'a str> {
    let mut comments = list.tags.iter().filter(|tag| tag.name == "CO").map(Tag::value);
    let words = comments.find(|text| is_ours(text))?[OUR_COMMENT.len()..].split_whitespace();
    words.filter_map(|word| word.split_once('=')).find(|(name, _)| *name == key).map(|(_, v)| v)
}

/// Usual Othello is `8` with letters for synchro, komi and colour, and perhaps
/// random discs, which the start position shows.
fn is_usual(kind: &str) -> bool {
    let (mut size, mut random, mut anti) = (String::new(), false, false);
    for symbol in kind.chars() {
        match symbol {
            '0'..='9' if !random => size.push(symbol),
            '0'..='9' => {}
            _ => {
                random = symbol.eq_ignore_ascii_case(&'r');
                anti |= symbol.eq_ignore_ascii_case(&'a');
            }
        }
    }
    (size == "8" || size.is_empty()) && !anti
}

/// `8 ` and 64 squares and the mover, with blanks anywhere.
fn board(text: &str) -> Result<Position, Reason> {
    let error = || GgfError::Board(text.to_owned());
    let rest = text.trim().strip_prefix('8').ok_or_else(error)?;
    let symbols: Vec<char> = rest.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    if symbols.len() != 65 {
        return Err(error().into());
    }
    let squares: String = symbols[..64].iter().collect();
    Ok(format!("{squares} {}", symbols[64]).parse()?)
}

fn play(start: Position, tags: &[Tag], unit: Unit) -> Result<(Game, Vec<MoveNote>), Reason> {
    let mut game = Game::new(start);
    let mut notes = Vec::new();
    for tag in tags {
        let color = match tag.name.as_str() {
            "B" => Color::Black,
            "W" => Color::White,
            _ => continue,
        };
        let line = tag.line;
        let found = || GgfError::Move { line, found: tag.value().to_owned() };
        let (mv, note) = moves::parse(tag.value(), unit).ok_or_else(found)?;
        let board = game.position().board;
        // Some programs write passes after the end of the game.
        if mv == Move::Pass && board.is_over() {
            continue;
        }
        let number = game.plies().len() + 1;
        if color != game.position().mover {
            // Some leave passes out.
            if !board.must_pass() {
                return Err(GgfError::Turn { line, color }.into());
            }
            game.play(Move::Pass).map_err(|source| Reason::Illegal { number, source })?;
            notes.push(MoveNote::default());
        }
        game.play(mv).map_err(|source| Reason::Illegal { number, source })?;
        notes.push(note);
    }
    Ok((game, notes))
}

/// `+12.00`, Black's view, with a flag for how it came about; `?` = none.
fn result(text: &str) -> Result<Stated, GgfError> {
    let error = || GgfError::Result(text.to_owned());
    let (number, flag) = match text.split_once(':') {
        Some((number, flag)) => (number.trim(), flag.trim()),
        None => (text, ""),
    };
    let ending = match flag.to_ascii_lowercase().as_str() {
        "" => None,
        "r" => Some(Ending::Resigned),
        "t" => Some(Ending::Timeout),
        "s" => Some(Ending::Agreed),
        "l" => Some(Ending::Left),
        _ => return Err(error()),
    };
    if number.is_empty() || number == "?" {
        return Ok(Stated { score: None, ending });
    }
    let discs: f64 = number.parse().map_err(|_| error())?;
    let whole = Some(discs.round()).filter(|discs| discs.abs() <= 64.0).ok_or_else(error)?;
    Ok(Stated { score: Score::new(whole as i32), ending })
}

/// Brings the stated result and the board together.
fn settle(record: &mut GameRecord, stated: &Stated, komi: bool) {
    if let Some(ending) = stated.ending {
        record.ending = ending;
        record.score_black = stated.score;
        return;
    }
    let Some(reached) = record.score_black else {
        record.score_black = stated.score;
        return;
    };
    let same = stated.score.is_none_or(|score| {
        score == reached || score.discs() == difference_black(record.game.position())
    });
    // With komi the stated result is no disc difference; the board decides.
    if !same && !komi {
        record.score_black = stated.score;
    }
}

/// Disc difference with the empty squares left out, as some servers count.
fn difference_black(position: Position) -> i32 {
    let board = position.board;
    let difference = board.mover().count() as i32 - board.opponent().count() as i32;
    if position.mover == Color::Black { difference } else { -difference }
}
