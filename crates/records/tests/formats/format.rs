use std::path::Path;

use discern_records::Format;

fn detect(name: &str, start: &str) -> Option<Format> {
    Format::detect(Path::new(name), start.as_bytes())
}

#[test]
fn content_tells_the_format_whatever_the_name() {
    let board = "---------------------------OX------XO--------------------------- X";
    assert_eq!(detect("x", "discern games 1\n"), Some(Format::Archive));
    assert_eq!(detect("x", "2 (;GM[Othello]PC[x]"), Some(Format::Ggf));
    assert_eq!(detect("x", "\n(;FF[4]GM[2]"), Some(Format::Sgf));
    assert_eq!(detect("x", "% games\nF5 d6c3"), Some(Format::Transcript));
    assert_eq!(detect("x", &format!("{board}; f5d6")), Some(Format::Transcript));
    assert_eq!(detect("x", &format!("{board}; F5:+2;")), Some(Format::Obf));
    assert_eq!(detect("x", &format!("{board}; +12;")), Some(Format::Obf));
    assert_eq!(detect("x", &format!("{board};")), Some(Format::Obf));
    assert_eq!(detect("x", "what is this?"), None);
    assert_eq!(detect("x", ""), None);
}

#[test]
fn the_name_decides_where_the_content_does_not() {
    assert_eq!(detect("a.txt", "what is this?"), Some(Format::Transcript));
    assert_eq!(detect("A.GGF", ""), Some(Format::Ggf));
    assert_eq!(detect("a.wtb", "rubbish"), Some(Format::Wthor));
}

#[test]
fn names_survive_printing_and_parsing() {
    for format in Format::ALL {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    assert_eq!(
        "pgn".parse::<Format>().unwrap_err().to_string(),
        "'pgn' is not a format (archive, transcript, ggf, sgf, wthor, obf)"
    );
}
