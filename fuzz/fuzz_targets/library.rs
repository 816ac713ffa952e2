//! Libraries: games of any format are entered, found and summed up. The first
//! line is what is looked for.
#![no_main]

use discern_library::{Library, Query};
use discern_records::GameFile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (words, games) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let words = String::from_utf8_lossy(words).into_owned();
    let mut library = Library::default();
    let input = std::io::Cursor::new(games.to_vec());
    let Ok(file) = GameFile::from_reader(input, "./none", None) else { return };
    let mut last = None;
    for record in file.flatten().take(100) {
        library.add(&record).expect("room for a hundred games");
        last = Some(record.game.position().board);
    }
    library.settle();
    let all = library.find(&Query::default(), &mut || true);
    assert_eq!(all.games as usize, library.len());
    for number in all.page {
        library.game(number).expect("a game that was found");
    }
    for named in library.players_like(&words, 10) {
        library.report(&named.name).expect("a player of the library");
    }
    let _ = library.events_like(&words, 10);
    let (player, event, opening) = (words.clone(), words.clone(), words.clone());
    for query in [
        Query { player, ..Query::default() },
        Query { event, ..Query::default() },
        Query { opening, opponent: words, ..Query::default() },
    ] {
        let query = match last {
            Some(board) => query.at(board),
            None => query,
        };
        assert!(library.find(&query, &mut || true).games as usize <= library.len());
    }
});
