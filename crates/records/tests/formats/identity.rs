use discern_board::{Game, Move, Symmetry};
use discern_records::CanonicalGame;
use std::collections::HashSet;

use discern_board::Position;
use discern_board::testing::random_games;

fn turned(game: &Game, symmetry: Symmetry) -> Game {
    let start = game.start();
    let mut image = Game::new(Position { board: symmetry.board(start.board), mover: start.mover });
    for mv in game.moves() {
        let mv = mv.square().map_or(Move::Pass, |square| symmetry.square(square).into());
        image.play(mv).unwrap();
    }
    image
}

#[test]
fn the_eight_images_of_a_game_are_one_and_different_games_are_not() {
    let mut seen = HashSet::new();
    for game in random_games(9, 100) {
        let canonical = CanonicalGame::of(&game);
        for symmetry in Symmetry::ALL {
            assert_eq!(CanonicalGame::of(&turned(&game, symmetry)), canonical);
        }
        assert!(seen.insert(canonical));
    }
}

#[test]
fn the_four_first_moves_are_one() {
    let games = ["f5", "d3", "c4", "e6"].map(|text| CanonicalGame::of(&text.parse().unwrap()));
    assert!(games.iter().all(|game| *game == games[0]));
}
