use discern_board::{Dice, Game, Move, Position};
use discern_players::Randomness;
use discern_players::player::evaluation;
use discern_records::{Evaluation, MoveNote};
use discern_search::Report;

/// Plays a game to its end. `search` looks for so many of the best moves in a
/// position, as the player of its mover; `randomness` is Black's and White's.
///
/// Gives for each move what the search thought of the position before it:
/// nothing where a move was forced.
pub(crate) fn play_out(
    game: &mut Game,
    search: &mut dyn FnMut(&Position, usize) -> Report,
    randomness: &[Randomness; 2],
    dice: &mut Dice,
) -> Vec<MoveNote> {
    let mut notes = Vec::new();
    while !game.is_over() {
        let position = game.position();
        let moves = position.board.moves();
        let mut note = MoveNote::default();
        let mv = match moves.count() {
            0 => Move::Pass,
            1 => Move::Place(moves.first().expect("one move")),
            count => {
                let randomness = &randomness[position.mover as usize];
                let strays = randomness.strays(position.board.empties(), dice);
                let blindly = strays && randomness.is_blind();
                let lines =
                    if strays && !blindly { randomness.moves.min(count) as usize } else { 1 };
                let report = search(&position, lines);
                note.evaluation = report.best().map(|best| rounded(evaluation(best)));
                if blindly {
                    let any = dice.below(count.into()) as usize;
                    Move::Place(moves.squares().nth(any).expect("one of the moves"))
                } else {
                    let line = if strays { randomness.choose(&report, dice) } else { 0 };
                    report.lines[line].mv
                }
            }
        };
        game.play(mv).expect("players know the rules");
        notes.push(note);
    }
    notes
}

/// Log-odds in tenths: far below their error (0.03 against some 0.3), and they take a third of the
/// room in an archive.
pub(crate) fn rounded(evaluation: Evaluation) -> Evaluation {
    const STEP: i32 = 100;
    match evaluation {
        Evaluation::LogOdds(milli) => {
            let half = STEP / 2 * milli.signum();
            Evaluation::LogOdds((milli + half) / STEP * STEP)
        }
        other => other,
    }
}
