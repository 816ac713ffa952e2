//! A game from its transcript: positions, undo, the final score.

use discern_board::{Color, Game, Outcome};

pub(crate) fn main() {
    // The shortest game: Black takes every disc with his fifth move.
    let mut game: Game = "f5d6c5f4e3f6g5e6e7".parse().expect("a legal game");
    assert!(game.is_over());
    let score = game.score_black().expect("the game is over");
    // The empty squares go to the winner.
    assert_eq!((score.discs(), score.outcome()), (64, Outcome::Win));

    for ply in game.plies() {
        println!("{} plays {}", ply.before.mover, ply.mv);
    }
    assert_eq!(game.plies()[0].before.mover, Color::Black);
    game.undo();
    assert_eq!(game.moves().count(), 8);
    assert!(!game.is_over() && game.score_black().is_none());

    let error = "f5f5".parse::<Game>().unwrap_err();
    println!("refused: {error}");
}
