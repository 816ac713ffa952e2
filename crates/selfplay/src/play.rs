use discern_board::{Dice, Game, Move, Position};
use discern_players::Randomness;
use discern_search::Report;

/// Plays a game to its end. `search` looks for so many of the best moves in a
/// position, as the player of its mover; `randomness` is Black's and White's.
pub(crate) fn play_out(
    game: &mut Game,
    search: &mut dyn FnMut(&Position, usize) -> Report,
    randomness: &[Randomness; 2],
    dice: &mut Dice,
) {
    while !game.is_over() {
        let position = game.position();
        let moves = position.board.moves();
        let mv = match moves.count() {
            0 => Move::Pass,
            1 => Move::Place(moves.first().expect("one move")),
            count => {
                let randomness = &randomness[position.mover as usize];
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
