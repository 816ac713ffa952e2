//! What people paste: moves with numbers, header lines, addresses, drawn
//! boards.

use discern_board::{Color, Game, Position};

use crate::record::{GameRecord, Player};

/// Reads games or a position from text that follows no format. `None` if there
/// is neither, or if something in it looks like a move and is none.
///
/// * Moves may be numbered (`1. f5 d6 2. c3`), in lines, with comments in
///   braces and a result behind.
/// * Lines like `[Black "Ada"]` or `Black: Ada` say who played; where such a
///   line follows moves, another game begins.
/// * In an address the longest row of moves counts.
/// * A board may be drawn in eight lines of eight symbols, with or without
///   coordinates; the side to move may be said in words.
pub fn pasted(text: &str) -> Option<Vec<GameRecord>> {
    if let Some(position) = drawn(text) {
        return Some(vec![GameRecord::new(Game::new(position))]);
    }
    let mut games = Vec::new();
    let mut draft = Draft::default();
    for line in text.lines() {
        match header(line) {
            Some((key, value)) => {
                if !draft.moves.is_empty() {
                    games.push(std::mem::take(&mut draft).finish()?);
                }
                draft.describe(&key, value);
            }
            None => draft.read(line)?,
        }
    }
    if !draft.moves.is_empty() {
        games.push(draft.finish()?);
    }
    (!games.is_empty()).then_some(games)
}

/// A game as far as it has been read.
#[derive(Default)]
struct Draft {
    black: String,
    white: String,
    event: String,
    date: String,
    moves: String,
    /// Inside a comment that goes over several lines.
    comment: bool,
}

impl Draft {
    fn describe(&mut self, key: &str, value: &str) {
        let part = match key {
            "black" | "pb" | "黒" | "黒番" => &mut self.black,
            "white" | "pw" | "白" | "白番" => &mut self.white,
            "event" | "tournament" | "site" if self.event.is_empty() => &mut self.event,
            "date" | "time" if self.date.is_empty() => &mut self.date,
            _ => return,
        };
        *part = value.to_owned();
    }

    /// Takes the moves of a line; `None` if there is something like a move
    /// that is none.
    fn read(&mut self, line: &str) -> Option<()> {
        if let Some(start) = line.find("://") {
            // An address without moves is only an address.
            self.moves.push_str(&longest_run(&line[start..]).unwrap_or_default());
            return Some(());
        }
        let mut plain = String::new();
        for symbol in line.chars() {
            match symbol {
                '{' => self.comment = true,
                '}' => self.comment = false,
                _ if self.comment => {}
                '(' | ')' | ',' | ';' | '|' => plain.push(' '),
                _ => plain.push(symbol),
            }
        }
        for token in plain.split_whitespace() {
            self.moves.push_str(&moves_of(token)?);
        }
        Some(())
    }

    fn finish(self) -> Option<GameRecord> {
        let mut record = GameRecord::new(self.moves.parse().ok()?);
        record.players.black = Player::named(&self.black);
        record.players.white = Player::named(&self.white);
        record.event = self.event.into();
        record.date = self.date.into();
        Some(record)
    }
}

/// The moves of a word, empty if it is something else.
fn moves_of(token: &str) -> Option<String> {
    // `1.`, `1)`, `1:` and the same glued to a move.
    let word = match token.find(|c: char| !c.is_ascii_digit()) {
        Some(end) if end > 0 && token[end..].starts_with(['.', ')', ':']) => {
            token[end..].trim_start_matches(['.', ')', ':'])
        }
        _ => token,
    };
    let word = word.trim_matches(['!', '?', '.', '…', '=', '+']).to_ascii_lowercase();
    if matches!(word.as_str(), "pass" | "pa" | "ps" | "--") {
        return Some("--".into());
    }
    if is_moves(&word) {
        return Some(word);
    }
    let mut rest = word.chars().zip(word.chars().skip(1));
    let suspicious = rest.any(|(a, b)| a.is_ascii_alphabetic() && b.is_ascii_digit());
    (!suspicious).then(String::new)
}

fn is_square(pair: &[u8]) -> bool {
    matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'1'..=b'8'])
}

fn is_moves(word: &str) -> bool {
    !word.is_empty() && word.len().is_multiple_of(2) && word.as_bytes().chunks(2).all(is_square)
}

/// The longest row of squares in an address, at least two moves.
fn longest_run(address: &str) -> Option<String> {
    let bytes = address.as_bytes();
    // Squares in a row from each place on, from the end to the start: each looks only at the next.
    let mut runs = vec![0; bytes.len() + 2];
    for start in (0..bytes.len()).rev() {
        let is_first = bytes.get(start..start + 2).is_some_and(is_square);
        runs[start] = if is_first { runs[start + 2] + 1 } else { 0 };
    }
    let best = (0..bytes.len()).max_by_key(|&start| (runs[start], bytes.len() - start))?;
    let length = runs[best];
    (length >= 2).then(|| address[best..best + 2 * length].to_ascii_lowercase())
}

/// The key, in lower case, and the value of a line that describes a game.
fn header(line: &str) -> Option<(String, &str)> {
    let line = line.trim();
    let bare = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
    let (key, value) = match bare {
        Some(tag) => tag.split_once(char::is_whitespace)?,
        None => line.split_once([':', '：'])?,
    };
    let key = key.trim();
    // Not `1: f5`, not the middle of an address, and not `My game: https://…`.
    let site = bare.is_some() || key.eq_ignore_ascii_case("site");
    let fits = !key.is_empty()
        && key.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '_'))
        && !value.starts_with("//")
        && (site || !value.contains("://"));
    fits.then(|| (key.to_lowercase(), value.trim().trim_matches('"').trim()))
}

/// A drawn board with the side to move.
fn drawn(text: &str) -> Option<Position> {
    let lines: Vec<&str> = text.lines().collect();
    let start = (0..lines.len()).find(|&at| {
        lines.get(at..at + 8).is_some_and(|rows| rows.iter().all(|row| rank(row).is_some()))
    })?;
    let cells: String = lines[start..start + 8].iter().filter_map(|row| rank(row)).collect();
    let around = [&lines[..start], &lines[start + 8..]].concat().join("\n").to_lowercase();
    let said = |words: [&str; 5]| words.iter().any(|word| around.contains(word));
    let mover = if said(["black to", "x to", "black's", "黒番", "* to"]) {
        Color::Black
    } else if said(["white to", "o to", "white's", "白番", "o's"]) {
        Color::White
    } else {
        // Without a pass, black moves when an even number of discs is there.
        let discs = cells.chars().filter(|&cell| cell != '-').count();
        if discs.is_multiple_of(2) { Color::Black } else { Color::White }
    };
    format!("{cells} {}", mover.symbol()).parse().ok()
}

/// The cells of a drawn rank, coordinates and frames left out.
fn rank(line: &str) -> Option<String> {
    let inner = line.trim().trim_matches(|c: char| c.is_ascii_digit() || c.is_whitespace());
    let mut cells = String::new();
    for symbol in inner.chars() {
        cells.push(match symbol {
            'X' | 'x' | '*' | '#' | '●' | '⚫' => 'X',
            'O' | 'o' | '0' | '○' | '⚪' => 'O',
            '-' | '.' | '_' | '·' | '+' => '-',
            ' ' | '|' | '\t' => continue,
            _ => return None,
        });
    }
    (cells.len() == 8).then_some(cells)
}
