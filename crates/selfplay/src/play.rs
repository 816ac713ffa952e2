use discern_board::{Game, Move, Position};
use discern_search::Report;

use crate::dice::Dice;
use crate::randomness::Randomness;

/// Plays a game to its end. `search` looks for so many of the best moves in a
/// position, as the player of its mover.
pub(crate) fn play_out(
    game: &mut Game,
    search: &mut dyn FnMut(&Position, usize) -> Report,
    randomness: &Randomness,
    dice: &mut Dice,
) {
    while !game.is_over() {
        let position = game.position();
        let moves = position.board.moves();
        let mv = match moves.count() {
            0 => Move::Pass,
            1 => Move::Place(moves.first().expect("one move")),
            count => {
                let strays = randomness.strays(position.board.empties(), dice);
                let lines = if strays { randomness.moves.min(count) as usize } else { 1 };
                let report = search(&position, lines);
                let line = if strays { randomness.choose(&report, dice) } else { 0 };
                report.lines[line].mv
            }
        };
        game.play(mv).expect("players know the rules");
    }
}
