//! Where games begin.

use discern_board::{Board, Game, Position};
use discern_players::Openings;
use discern_players::openings::distinct;

#[test]
fn there_are_as_many_openings_as_the_paper_says() {
    let counts: Vec<usize> = (0..=8).map(|plies| distinct(plies).len()).collect();
    assert_eq!(counts[1..=7], [1, 3, 14, 60, 322, 1773, 10649]);
    let known = |plies| Openings::Distinct { plies, count: None }.len();
    assert_eq!(counts, (0..=8).map(known).collect::<Vec<_>>());
}

#[test]
fn openings_are_different_and_always_the_same() {
    let all = distinct(5);
    let boards: Vec<Board> = all.iter().map(|game| game.position().board.canonical()).collect();
    assert!(boards.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(all.iter().all(|game| game.plies().len() == 5));
    assert_eq!(all, distinct(5));
}

#[test]
fn a_sample_has_no_opening_twice_and_depends_on_the_seed() {
    let some = Openings::Distinct { plies: 5, count: Some(100) };
    let [a, b] = [some.list(1), some.list(2)];
    assert_eq!((a.len(), b.len(), some.len()), (100, 100, 100));
    let board = |game: &Game| game.position().board.canonical();
    assert!(a.windows(2).all(|pair| board(&pair[0]) < board(&pair[1])));
    assert!(a != b && a == some.list(1));
    assert_eq!(Openings::Distinct { plies: 5, count: Some(400) }.list(1).len(), 322);
}

#[test]
fn openings_survive_being_written_down() {
    let start: Position =
        "OX-------------------------------------------------------------- O".parse().unwrap();
    let games = vec!["f5d6c3".parse().unwrap(), Game::new(start), Game::default()];
    for openings in [Openings::Games(games), Openings::Distinct { plies: 7, count: None }] {
        let text = serde_json::to_string(&openings).unwrap();
        assert_eq!(serde_json::from_str::<Openings>(&text).unwrap(), openings, "{text}");
    }
    let error = serde_json::from_str::<Openings>("{\"games\":[\"f5f5\"]}").unwrap_err();
    assert!(error.to_string().starts_with("opening 'f5f5': "), "{error}");
}
