use std::fmt::Write;

use discern_board::{Color, Position, Square};

use super::moves::{self, Unit};
use super::{OUR_COMMENT, clock};
use crate::ending::Ending;
use crate::evaluation::{Evaluation, MoveNote};
use crate::record::GameRecord;

/// The game in GGF, without a line end.
pub fn game(record: &GameRecord) -> String {
    let mut text = String::from("(;GM[Othello]");
    let mut tag = |name: &str, value: &str| {
        if !value.is_empty() {
            // A value has no way to hold its own end.
            let value = value.replace(']', ")").replace(['\n', '\r'], " ");
            write!(text, "{name}[{value}]").expect("strings grow");
        }
    };
    tag("PC", &record.event);
    tag("DT", &record.date);
    tag("PB", &record.players.black.name);
    tag("PW", &record.players.white.name);
    for (name, color) in [("RB", Color::Black), ("RW", Color::White)] {
        let rating = record.players[color].rating_centi;
        tag(name, &rating.map_or(String::new(), |centi| format!("{:.2}", f64::from(centi) / 1e2)));
    }
    let clocks = Color::BOTH.map(|color| record.players[color].limits.clock);
    let [black, white] = clocks.map(|time| time.map_or(String::new(), |time| clock::write(&time)));
    if black == white {
        tag("TI", &black);
    } else {
        tag("TB", &black);
        tag("TW", &white);
    }
    tag("TY", "8");
    tag("RE", &result(record));
    let unit = unit_of(record);
    tag("CO", &record.comment);
    tag("CO", &our_comment(record, unit));
    tag("BO", &board(record.game.start()));
    for (index, ply) in record.game.plies().iter().enumerate() {
        let note = record.notes.get(index).copied().unwrap_or(MoveNote::default());
        let name = if ply.before.mover == Color::Black { "B" } else { "W" };
        tag(name, &moves::write(ply.mv, &note, unit));
    }
    text.push_str(";)");
    text
}

/// Log-odds if any move has them: the two cannot be told apart in GGF.
fn unit_of(record: &GameRecord) -> Unit {
    let log_odds = |note: &MoveNote| matches!(note.evaluation, Some(Evaluation::LogOdds(_)));
    if record.notes.iter().any(log_odds) { Unit::LogOdds } else { Unit::Discs }
}

fn result(record: &GameRecord) -> String {
    let flag = match record.ending {
        Ending::Resigned => ":r",
        Ending::Timeout => ":t",
        Ending::Agreed => ":s",
        Ending::Left => ":l",
        _ => "",
    };
    match record.score_black {
        Some(score) => format!("{:+}.00{flag}", score.discs()),
        None => format!("?{flag}"),
    }
}

/// What GGF has no tags for.
fn our_comment(record: &GameRecord, unit: Unit) -> String {
    let mut words = String::new();
    if unit == Unit::LogOdds {
        words.push_str(" evals=log-odds");
    }
    let plain = matches!(record.ending, Ending::Played | Ending::Unfinished);
    if !plain && !result(record).contains(':') {
        write!(words, " ended={}", record.ending).expect("strings grow");
    }
    if record.opening > 0 {
        write!(words, " opening={}", record.opening).expect("strings grow");
    }
    if words.is_empty() { words } else { format!("{OUR_COMMENT}{words}") }
}

/// `8 ` and eight rows of `*`, `O` and `-`, and the mover.
fn board(position: Position) -> String {
    let symbol = |color: Color| if color == Color::Black { '*' } else { 'O' };
    let mut text = String::from("8 ");
    for square in Square::ALL {
        text.push(position.board.disc(square, position.mover).map_or('-', symbol));
        if square.column() == 7 {
            text.push(' ');
        }
    }
    text.push(symbol(position.mover));
    text
}
