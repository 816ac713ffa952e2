//! An entry of a book as a game record, in which form it travels: the position,
//! its deviation as the only move, and what the search thought of it.

use discern_board::{Color, Game, Outcome, Position, Score};
use discern_book::{Deviation, Entry, Grade, Worth};
use discern_records::{Evaluation, GameRecord, MoveNote, Player, Players, Verdict};

/// The record of an entry. Black is to move, because a position of the book
/// knows only the mover; results of games are left out.
pub(crate) fn record_of(entry: &Entry, player: Player) -> GameRecord {
    let mut game = Game::new(Position { board: entry.board, mover: Color::Black });
    let mut notes = Vec::new();
    if let Some(deviation) = entry.deviation {
        game.play(deviation.square.into()).expect("deviations are legal");
        notes.push(note_of(&deviation));
    }
    let players = Players { black: player, ..Players::default() };
    GameRecord { notes, players, ..GameRecord::new(game) }
}

fn note_of(deviation: &Deviation) -> MoveNote {
    let Deviation { worth, grade, .. } = deviation;
    let outcome = || worth.outcome().unwrap_or(Outcome::Draw);
    let evaluation = match grade {
        Grade::Depth(_) => Evaluation::LogOdds(worth.value().thousandths()),
        Grade::Outcome => Evaluation::Proven(Verdict::Outcome(outcome())),
        Grade::Score => Evaluation::Proven(Verdict::Score(worth.score().unwrap_or(Score::DRAW))),
    };
    let depth = match grade {
        Grade::Depth(depth) => Some(u32::from(*depth)),
        _ => None,
    };
    MoveNote { evaluation: Some(evaluation), depth, ..MoveNote::default() }
}

/// The entry of a record; `None` if it is an ordinary game.
pub(crate) fn entry_of(record: &GameRecord) -> Option<Entry> {
    let start = record.game.start();
    if start.mover != Color::Black || start.board != start.board.canonical() {
        return None;
    }
    let deviation = match (record.game.plies(), record.notes.as_slice()) {
        ([], _) => None,
        ([ply], [note]) => {
            let (worth, grade) = match (note.evaluation?, note.depth) {
                (Evaluation::LogOdds(thousandths), Some(depth)) => {
                    (Worth::estimate(thousandths), Grade::Depth(u8::try_from(depth).ok()?))
                }
                (Evaluation::Proven(Verdict::Score(score)), None) => {
                    (Worth::proven(score), Grade::Score)
                }
                (Evaluation::Proven(Verdict::Outcome(outcome)), None) => {
                    (Worth::proven(least_score(outcome)), Grade::Outcome)
                }
                _ => return None,
            };
            Some(Deviation { square: ply.mv.square()?, worth, grade })
        }
        _ => return None,
    };
    Some(Entry { deviation, ..Entry::new(start.board) })
}

/// What an outcome alone counts: a win is one by two discs.
fn least_score(outcome: Outcome) -> Score {
    Score::new(match outcome {
        Outcome::Win => 2,
        Outcome::Draw => 0,
        Outcome::Loss => -2,
    })
    .expect("scores")
}
