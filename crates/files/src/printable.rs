use std::borrow::Cow;

/// Text from outside, fit for a terminal or a log line: control characters,
/// and those that turn the direction of writing, are escaped.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return text.into();
    }
    let mut printable = String::with_capacity(text.len() + 16);
    for symbol in text.chars() {
        match is_unprintable(symbol) {
            true => printable.extend(symbol.escape_default()),
            false => printable.push(symbol),
        }
    }
    printable.into()
}

fn is_unprintable(symbol: char) -> bool {
    symbol.is_control()
        || matches!(symbol, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_all_else_stays() {
        assert_eq!(printable("a\nb\u{1b}[31m\u{9b}\u{202e}"), "a\\nb\\u{1b}[31m\\u{9b}\\u{202e}");
        assert!(matches!(printable("Müller – 駒 ‘x’"), Cow::Borrowed(_)));
    }
}
