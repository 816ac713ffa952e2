//! What programs say without a program, for fuzz targets.

use std::time::Duration;

use super::{gtp, nboard};

/// Reads these lines as a program's words and answers, in both protocols.
pub fn hear(lines: &str) {
    let mut talk = nboard::Talk::default();
    for line in lines.lines() {
        talk.hear(line);
        if let Some((mv, evaluation)) = nboard::parse_answer(line) {
            talk.choice(mv, evaluation, 20, Duration::ZERO);
        }
        let _ = gtp::without_id(line).trim().parse::<discern_board::Move>();
    }
}
