//! Games that are known, found again by everything they can be found by.

use discern_board::testing::random_games;
use discern_board::{Color, Game, Move, Position, Score, Symmetry};
use discern_library::{Bound, Full, Library, Query};
use discern_records::{Format, GameRecord, NewGameFile, Player, Solved, Verdict};

fn record(moves: &str, black: &str, white: &str, event: &str, date: &str) -> GameRecord {
    let mut record = GameRecord::new(moves.parse().unwrap());
    record.players.black = Player::named(black);
    record.players.white = Player::named(white);
    (record.event, record.date) = (event.into(), date.into());
    record
}

fn find(library: &Library, query: Query) -> Vec<u32> {
    let found = library.find(&query, &mut || true);
    assert!(found.complete && found.games as usize >= found.page.len());
    found.page
}

fn named() -> Library {
    let mut library = Library::default();
    for record in [
        record("f5d6c3d3c4", "Anna Ek", "Bo", "Lund Open", "1999"),
        record("f5d6c3d3c4f4f6f3", "Bo", "Anna Ek", "Lund Open", "2001.05.06"),
        record("f5f6e6f4g5", "Clara", "Bo", "Malmö", "2001"),
        record("f5d6", "Anna", "Clara", "", ""),
    ] {
        library.add(&record).unwrap();
    }
    library.settle();
    library
}

#[test]
fn games_are_found_by_names_years_events_and_openings_the_newest_first() {
    let library = named();
    let player = |name: &str| Query { player: name.into(), ..Query::default() };
    assert_eq!(find(&library, Query::default()), [1, 2, 0, 3]);
    assert_eq!(find(&library, player("ek ANNA")), [1, 0]);
    assert_eq!(find(&library, player("anna")), [3], "this very name comes before longer ones");
    assert_eq!(find(&library, Query { opponent: "bo".into(), ..player("clara") }), [2]);
    assert_eq!(find(&library, player("nobody")), [0; 0]);
    let event = |event: &str| Query { event: event.into(), ..Query::default() };
    assert_eq!(find(&library, event("malmo")), [2]);
    assert_eq!(find(&library, Query { from: Some(2000), ..Query::default() }), [1, 2]);
    assert_eq!(find(&library, Query { to: Some(2000), from: Some(1), ..Query::default() }), [0]);
    let opening = |name: &str| Query { opening: name.into(), ..Query::default() };
    assert_eq!(find(&library, opening("tiger")), [1, 0]);
    assert_eq!(find(&library, opening("comp'oth")), [1]);
    assert_eq!(find(&library, opening("comp'oth|heath")), [1, 2], "one of two is enough");
    assert_eq!(find(&library, opening(" | ")).len(), 4, "no wish");
    assert_eq!((library.len(), library.players(), library.events()), (4, 4, 2));
    assert_eq!(library.years(), Some((1999, 2001)));
}

#[test]
fn pages_follow_each_other_without_gaps() {
    let mut library = Library::default();
    for game in random_games(5, 120) {
        library.add(&GameRecord::new(game)).unwrap();
    }
    library.settle();
    let page = |skip| {
        let query = Query { skip, rows: 50, ..Query::default() };
        let found = library.find(&query, &mut || true);
        assert_eq!(found.games, 120);
        found.page
    };
    let all: Vec<u32> = [0, 50, 100, 150].into_iter().flat_map(page).collect();
    assert_eq!(all, (0..120).collect::<Vec<u32>>());
}

/// Slow and plain: the game comes through the position if some image of one of
/// its boards is it.
fn comes_through(game: &Game, wanted: discern_board::Board) -> bool {
    game.boards().any(|board| board.canonical() == wanted.canonical())
}

#[test]
fn positions_are_found_in_all_images_as_a_plain_search_finds_them() {
    let games: Vec<Game> = random_games(11, 400).collect();
    let mut library = Library::default();
    for game in &games {
        library.add(&GameRecord::new(game.clone())).unwrap();
    }
    library.settle();
    let mut several = 0;
    for (at, game) in games.iter().enumerate().take(60) {
        // Early positions, which others share, and one with a late one.
        for ply in [0, 1, 2, 3, 4, 5, 20, 59] {
            let Some(board) = game.boards().nth(ply).filter(|board| !board.must_pass()) else {
                continue;
            };
            let symmetry = Symmetry::ALL[(at + ply) % 8];
            let query = Query { rows: 1000, ..Query::default() }.at(symmetry.board(board));
            let found = library.find(&query, &mut || true);
            let expected: Vec<u32> = (0..)
                .zip(&games)
                .filter(|(_, game)| comes_through(game, board))
                .map(|(number, _)| number)
                .collect();
            assert_eq!(found.page, expected, "game {at}, ply {ply}");
            let continued: u32 = found.moves.iter().map(|line| line.results.games).sum();
            assert!(continued <= found.games);
            several += usize::from(expected.len() > 1);
        }
    }
    assert!(several > 200, "{several}");
}

#[test]
fn what_was_played_is_turned_to_the_position_as_it_was_asked_for() {
    let mut library = Library::default();
    // The same two plies in four images, and another second move.
    for moves in ["f5d6", "d3c5", "c4e3", "e6f4", "f5f6"] {
        library.add(&record(moves, "", "", "", "")).unwrap();
    }
    let after = |moves: &str| moves.parse::<Game>().unwrap().position().board;
    let moves = |from: &str| -> Vec<(String, u32)> {
        let found = library.find(&Query::default().at(after(from)), &mut || true);
        found.moves.iter().map(|line| (line.square.to_string(), line.results.games)).collect()
    };
    // All first moves are the same.
    assert_eq!(moves(""), [("d3".into(), 5)]);
    assert_eq!(moves("f5"), [("d6".into(), 4), ("f6".into(), 1)]);
    assert_eq!(moves("d3"), [("c5".into(), 4), ("c3".into(), 1)]);
    assert_eq!(moves("f5d6"), []);
}

#[test]
fn a_forced_pass_hides_no_game() {
    let passing = random_games(3, 300).find_map(|game| {
        let pass = game.plies().iter().position(|ply| ply.mv == Move::Pass)?;
        Some((game, pass))
    });
    let (game, pass) = passing.expect("somebody passes");
    let mut library = Library::default();
    library.add(&GameRecord::new(game.clone())).unwrap();
    for ply in [pass, pass + 1] {
        let board = game.boards().nth(ply).unwrap();
        let found = library.find(&Query::default().at(board), &mut || true);
        assert_eq!((found.games, found.moves.len()), (1, 1), "ply {ply}");
        // The result is that of the side that moves next.
        let mover = game.plies()[pass + 1].before.mover;
        let black = game.score_black().unwrap();
        let own = if mover == Color::Black { black } else { -black };
        assert_eq!(found.results.wins, u32::from(own > Score::DRAW));
    }
}

#[test]
fn a_game_comes_back_as_it_went_in() {
    let mut library = Library::default();
    for game in random_games(7, 50) {
        let number = library.len() as u32;
        library.add(&GameRecord::new(game.clone())).unwrap();
        let stored = library.game(number).unwrap();
        assert_eq!(stored.moves, game.transcript());
        assert_eq!(stored.result, game.score_black().map(Score::discs));
    }
    // Any start, and no moves, which is no game.
    let start: Position = format!("OX{} X", "-".repeat(62)).parse().unwrap();
    let game = Game::from_transcript(start, "c1").unwrap();
    library.add(&GameRecord::new(game.clone())).unwrap();
    library.add(&GameRecord::new(Game::default())).unwrap();
    assert_eq!(library.len(), 51);
    let stored = library.game(50).unwrap();
    assert_eq!((stored.start, stored.moves), (start.to_string(), game.transcript()));
    assert_eq!(library.game(51), None);
}

#[test]
fn a_report_counts_both_colours_and_what_became_of_solved_positions() {
    let mut library = Library::default();
    let games: Vec<Game> = random_games(21, 40).filter(Game::is_over).collect();
    let (mut points, mut discs) = (0, 0);
    for (number, game) in games.iter().enumerate() {
        let mut record = GameRecord::new(game.clone());
        let black = number % 2 == 0;
        let me = Player::named("Me");
        let other = Player::named(["Bo", "Clara"][number % 3 / 2]);
        (record.players.black, record.players.white) =
            if black { (me, other) } else { (other, me) };
        record.date = (1990 + number % 2).to_string().into();
        // Before the last move the theory is what the game gave, for its mover.
        let ply = game.plies().len() - 1;
        let score = game.score_black().unwrap();
        let mover = game.plies()[ply].before.mover;
        let solved = if mover == Color::Black { score } else { -score };
        record.solved.push(Solved { ply, verdict: Verdict::Score(solved) });
        library.add(&record).unwrap();
        let own = if black { score.discs() } else { -score.discs() };
        points += own.signum();
        discs += own;
    }
    library.settle();
    let report = library.report("Me").unwrap();
    let games = games.len() as u32;
    assert_eq!((report.all.games, report.black.games), (games, games.div_ceil(2)));
    assert_eq!(report.all.wins as i32 - report.all.losses as i32, points);
    assert!((report.mean_score.unwrap() - f64::from(discs) / f64::from(games)).abs() < 1e-9);
    assert_eq!(report.years.iter().map(|year| year.results.games).sum::<u32>(), games);
    assert_eq!(report.opponents[0].name, "Bo");
    assert_eq!(report.openings.iter().map(|line| line.results.games).sum::<u32>(), games);
    let theory = report.theory.unwrap();
    assert_eq!((theory.games, theory.better, theory.worse), (games, 0, 0));
    assert!((theory.mean_score - theory.mean_result).abs() < 1e-9);
    assert_eq!(library.report("me"), None, "a report is of one name");
    assert_eq!(library.report(""), None);
}

#[test]
fn files_are_read_with_their_faults_and_within_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("a.games");
    let mut file = NewGameFile::create(&archive, Format::Archive, false).unwrap();
    for game in random_games(2, 30) {
        file.append(&GameRecord::new(game)).unwrap();
    }
    file.finish().unwrap();
    let text = folder.path().join("b.txt");
    std::fs::write(&text, "f5d6\nf5f5\nf5f6\n").unwrap();
    let files = [archive, text];
    let mut heard = 0;
    let (library, findings) = Library::read(&files, Bound::default(), &mut |bytes| heard = bytes);
    let findings = findings.unwrap();
    assert_eq!((library.len(), findings.games, findings.faults.len()), (32, 32, 1));
    assert!(library.bytes() < 32 * 400, "{}", library.bytes());
    let (library, notes) =
        Library::open(&[folder.path().to_owned()], Bound::default(), &mut |_, _| {}).unwrap();
    assert_eq!((library.len(), notes.len()), (32, 2));
    assert!(notes[0].contains("b.txt: game 2, line 2"), "{notes:?}");
    assert_eq!(notes[1], "32 games of 0 players to search in");
    let empty = tempfile::tempdir().unwrap();
    let complaint = Library::open(&[empty.path().to_owned()], Bound::default(), &mut |_, _| {});
    assert!(complaint.unwrap_err().to_string().ends_with("no files of games in this folder"));
    let small = Bound { games: 10, ..Bound::default() };
    let (library, full) = Library::read(&files, small, &mut |_| {});
    assert_eq!((library.len(), full.err()), (10, Some(Full)));
    let tiny = Bound { bytes: 1000, ..Bound::default() };
    assert!(Library::read(&files, tiny, &mut |_| {}).0.len() < 20);
}

#[test]
fn a_search_that_nobody_wants_any_more_ends() {
    let library = named();
    let found = library.find(&Query::default(), &mut || false);
    assert_eq!((found.games, found.complete), (0, false));
}
