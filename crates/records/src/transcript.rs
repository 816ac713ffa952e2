//! Transcripts: one game per line, `f5d6c3…`.
//!
//! A line may begin with a position and a semicolon (`board side; moves`) if
//! the game does not begin at the usual start. `%` and `#` begin comments.

use std::io::BufRead;

use discern_board::{Game, Move, Position};

use crate::fault::{Fault, Place, Reason};
use crate::lines::Lines;
use crate::record::GameRecord;

/// Reads transcripts, one game per line.
pub struct TranscriptReader<R> {
    lines: Lines<R>,
    games: u64,
}

impl<R: BufRead> TranscriptReader<R> {
    /// Reads from here on.
    pub fn new(input: R) -> TranscriptReader<R> {
        TranscriptReader { lines: Lines::new(input), games: 0 }
    }
}

impl<R: BufRead> Iterator for TranscriptReader<R> {
    type Item = Result<GameRecord, Fault>;

    fn next(&mut self) -> Option<Result<GameRecord, Fault>> {
        loop {
            let (number, line) = match self.lines.next()? {
                Ok(line) => line,
                Err(fault) => return Some(Err(fault)),
            };
            let content = without_comment(&line);
            if content.trim().is_empty() {
                continue;
            }
            self.games += 1;
            let place = Place::line(self.games, number);
            let game = game_of_line(content).map_err(|reason| Fault::new(place, reason));
            return Some(game.map(GameRecord::new));
        }
    }
}

/// A line up to its comment.
pub(crate) fn without_comment(line: &str) -> &str {
    line.find(['%', '#']).map_or(line, |end| &line[..end])
}

fn game_of_line(line: &str) -> Result<Game, Reason> {
    let Some((position, moves)) = line.split_once(';') else {
        return Ok(Game::from_transcript(Position::START, line)?);
    };
    // Blanks in place of the position keep the columns of messages right.
    let width = position.chars().count() + 1;
    let moves = moves.trim_end().trim_end_matches(';');
    Ok(Game::from_transcript(position.parse()?, &format!("{:width$}{moves}", ""))?)
}

/// The game as one line. Passes are left out, but for a last one that nothing
/// behind it implies.
pub fn line(record: &GameRecord) -> String {
    let game = &record.game;
    let mut line = String::new();
    if game.start() != Position::START {
        line = format!("{}; ", game.start());
    }
    line.push_str(&game.transcript());
    if game.moves().last() == Some(Move::Pass) {
        line.push_str("pa");
    }
    line
}

#[cfg(test)]
mod tests {
    use discern_board::testing::random_games;

    use super::*;

    fn read(text: &str) -> Vec<Result<GameRecord, String>> {
        TranscriptReader::new(text.as_bytes())
            .map(|game| game.map_err(|fault| fault.to_string()))
            .collect()
    }

    #[test]
    fn games_survive_writing_and_reading() {
        let records: Vec<_> = random_games(4, 50).map(GameRecord::new).collect();
        let text: String = records.iter().map(|record| line(record) + "\n").collect();
        assert!(read(&text).into_iter().map(Result::unwrap).eq(records));
    }

    #[test]
    fn starts_last_passes_and_comments_are_understood() {
        let blocked = "OX-------------------------------------------------------------- X";
        let mut game = Game::new(blocked.parse().unwrap());
        game.play(Move::Pass).unwrap();
        let record = GameRecord::new(game);
        assert_eq!(line(&record), format!("{blocked}; pa"));
        let text = format!("% a list\n\n{}; # blocked\n f5 D6 % short\n", line(&record));
        let games = read(&text);
        assert_eq!(games[0].as_ref(), Ok(&record));
        assert_eq!(games[1].as_ref().unwrap().game.transcript(), "f5d6");
    }

    #[test]
    fn faults_name_game_line_and_column_and_hide_no_other_game() {
        let blocked = "OX-------------------------------------------------------------- X";
        let games = read(&format!("f5d6\n% remark\nf5f5\n{blocked}; c1 zz\n--; f5\nf5"));
        let faults: Vec<_> = games.iter().filter_map(|game| game.as_ref().err()).collect();
        assert_eq!(
            faults,
            [
                "game 2, line 3: move 2, column 3: f5 is not a legal move for white",
                "game 3, line 4: column 72: 'zz' is not a move",
                "game 4, line 5: a board has 64 squares, this one has 2",
            ]
        );
        assert_eq!(games.len(), 5);
        assert!(games[4].is_ok());
    }
}
