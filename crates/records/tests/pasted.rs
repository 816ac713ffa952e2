//! What people paste is read.

use discern_board::Position;
use discern_records::pasted;

fn moves(text: &str) -> String {
    let games = pasted(text).unwrap_or_else(|| panic!("not read: {text}"));
    assert_eq!(games.len(), 1, "{text}");
    games[0].game.transcript()
}

#[test]
fn numbered_moves_are_read() {
    let forms = [
        "1. f5 2. d6 3. c3",
        "1. f5 d6 2. c3",
        "1.f5 d6 2.c3 *",
        "1) F5  2) D6  3) C3",
        "1: f5\n2: d6\n3: c3\n",
        "f5 d6 {a comment with d3 in it} c3 33-31",
        "f5, d6, c3",
        "f5 d6! c3?!",
    ];
    for form in forms {
        assert_eq!(moves(form), "f5d6c3", "{form}");
    }
}

#[test]
fn header_lines_name_the_players() {
    let text = "[Event \"Friendly\"]\n[Date \"2026.11.01\"]\n[Black \"Ada\"]\n[White \"Bo\"]\n\
                \n1. f5 d6 2. c3 d3 1-0\n\n[Black \"Cleo\"]\n[White \"Dan\"]\n\n1. f5 f6\n";
    let games = pasted(text).expect("two games");
    assert_eq!(games.len(), 2);
    assert_eq!(&*games[0].players.black.name, "Ada");
    assert_eq!(&*games[0].event, "Friendly");
    assert_eq!(&*games[1].players.white.name, "Dan");
    assert_eq!(games[1].game.transcript(), "f5f6");
    let games = pasted("黒: 太郎\n白: 花子\nf5d6c3").expect("a game");
    assert_eq!(&*games[0].players.black.name, "太郎");
}

#[test]
fn the_moves_of_an_address_are_found() {
    assert_eq!(moves("https://example.org/analysis?game=f5d6c3d3&lang=en"), "f5d6c3d3");
    assert_eq!(moves("see https://example.org/kifu/F5D6C3 please"), "f5d6c3");
    assert_eq!(moves("My game: https://example.org/#f5d6c3"), "f5d6c3");
    assert_eq!(moves("Site: https://example.org/a1b2\nhttps://example.org/about\nf5d6"), "f5d6");
    assert!(pasted("https://example.org/nothing").is_none());
}

#[test]
fn a_drawn_board_is_a_position() {
    let start = Position::START;
    let drawing = start.board.draw(start.mover);
    let position = |text: &str| pasted(text).expect("a position")[0].game.start();
    assert_eq!(position(&drawing), start);
    assert_eq!(position(&format!("{drawing}white to move\n")).mover, !start.mover);
    let framed =
        format!("{0}{0}{0}|.|.|.|○|●|.|.|.|\n|.|.|.|●|○|.|.|.|\n{0}{0}{0}", "|.|.|.|.|.|.|.|.|\n");
    assert_eq!(position(&framed), start);
}

#[test]
fn what_is_no_game_is_not_taken_for_one() {
    for text in ["", "no game at all", "f5 k9", "f5 d6 d3q4", "a1", "1. 2. 3."] {
        assert!(pasted(text).is_none(), "{text}");
    }
}

#[test]
fn a_long_address_takes_no_time() {
    // The largest that the studio reads. Looked through from each of its places it took a minute.
    let address = format!("https://x.org/?g={}", "a1".repeat(127 << 10));
    let begun = std::time::Instant::now();
    assert!(pasted(&address).is_none());
    assert!(begun.elapsed() < std::time::Duration::from_secs(5), "{:?}", begun.elapsed());
}
