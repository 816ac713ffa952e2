use discern_board::{Move, Score};

use super::clock;
use crate::evaluation::{Evaluation, MoveNote, Verdict};

/// Proven scores are beyond this many log-odds, estimates within.
const PROVEN: i32 = 20_000;

/// The unit of the evaluations of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Hundredths of a disc; every other program.
    Discs,
    /// Thousandths of a logit; our own search.
    LogOdds,
}

/// Reads `sq[/[eval][/time]]`.
pub fn parse(text: &str, unit: Unit) -> Option<(Move, MoveNote)> {
    let mut parts = text.split('/').map(str::trim);
    let mv = parts.next()?.parse().ok()?;
    let evaluation = match parts.next() {
        None | Some("") => None,
        Some(part) => Some(evaluation(part, unit)?),
    };
    let time_ms = match parts.next() {
        None | Some("") => None,
        Some(part) => Some(clock::time_ms(part)?),
    };
    let note = MoveNote { evaluation, time_ms, ..MoveNote::default() };
    parts.next().is_none().then_some((mv, note))
}

fn evaluation(text: &str, unit: Unit) -> Option<Evaluation> {
    let number: f64 = text.parse().ok()?;
    // False for what is not a number, too.
    let whole = |number: f64| (number.abs() < f64::from(i32::MAX)).then_some(number as i32);
    Some(match unit {
        Unit::Discs => Evaluation::Discs(whole((number * 100.0).round())?),
        Unit::LogOdds => {
            let milli = whole((number * 1000.0).round())?;
            let beyond = milli.abs() - PROVEN;
            match Score::new(beyond * milli.signum()).filter(|_| beyond > 0) {
                Some(score) => Evaluation::Proven(Verdict::Score(score)),
                None => Evaluation::LogOdds(milli),
            }
        }
    })
}

/// Writes a move with what is known about it.
pub fn write(mv: Move, note: &MoveNote, unit: Unit) -> String {
    let name = mv.square().map_or("PA".to_owned(), |square| square.to_string());
    let evaluation = note.evaluation.and_then(|evaluation| in_unit(evaluation, unit));
    let time = note.time_ms.map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000));
    match (evaluation, time) {
        (None, None) => name,
        (Some(evaluation), None) => format!("{name}/{evaluation}"),
        (evaluation, Some(time)) => format!("{name}/{}/{time}", evaluation.unwrap_or_default()),
    }
}

/// The number to write; `None` where GGF has none: a bare win, draw or loss,
/// or a number in another unit.
fn in_unit(evaluation: Evaluation, unit: Unit) -> Option<String> {
    match (evaluation, unit) {
        (Evaluation::Discs(centi), Unit::Discs) => Some(fixed(centi, 2)),
        (Evaluation::LogOdds(milli), Unit::LogOdds) => Some(fixed(milli, 3)),
        (Evaluation::Proven(verdict), unit) => {
            let discs = verdict.score()?.discs();
            Some(match unit {
                Unit::Discs => fixed(discs * 100, 2),
                Unit::LogOdds => fixed(discs + discs.signum() * PROVEN, 3),
            })
        }
        _ => None,
    }
}

/// A whole number of tenths, hundredths or thousandths with its point.
fn fixed(number: i32, digits: usize) -> String {
    format!("{:+.digits$}", f64::from(number) / 10f64.powi(digits as i32))
}

#[cfg(test)]
mod tests {
    use discern_board::{Outcome, Square};

    use super::*;

    #[test]
    fn moves_survive_writing_and_reading() {
        let score = |discs| Evaluation::Proven(Verdict::Score(Score::new(discs).unwrap()));
        let notes = [
            (Unit::Discs, Some(Evaluation::Discs(-1234)), Some(2_100)),
            (Unit::Discs, None, Some(7)),
            (Unit::Discs, Some(Evaluation::Discs(0)), None),
            (Unit::LogOdds, Some(Evaluation::LogOdds(-14_999)), Some(61_000)),
            (Unit::LogOdds, Some(score(-12)), None),
            (Unit::LogOdds, Some(score(64)), None),
            (Unit::Discs, None, None),
        ];
        for (unit, evaluation, time_ms) in notes {
            let note = MoveNote { evaluation, time_ms, ..MoveNote::default() };
            for mv in [Move::Pass, Move::Place(Square::F5)] {
                assert_eq!(parse(&write(mv, &note, unit), unit), Some((mv, note)));
            }
        }
    }

    #[test]
    fn the_usual_spellings_are_read() {
        let read = |text| parse(text, Unit::Discs).map(|(mv, note)| (mv.to_string(), note.time_ms));
        assert_eq!(read("F5/1.23/2.1"), Some(("f5".into(), Some(2_100))));
        assert_eq!(read("H8//1.03"), Some(("h8".into(), Some(1_030))));
        assert_eq!(read("pass"), Some(("pass".into(), None)));
        assert_eq!(read("d3/-2"), Some(("d3".into(), None)));
        for bad in ["", "x9", "f5/a", "f5/1/b", "f5/1/2/3", "f5/inf", "f5/NaN", "f5//-1"] {
            assert_eq!(parse(bad, Unit::Discs), None, "{bad}");
        }
    }

    #[test]
    fn what_ggf_cannot_say_is_left_out() {
        let won = Evaluation::Proven(Verdict::Outcome(Outcome::Win));
        let note = MoveNote { evaluation: Some(won), ..MoveNote::default() };
        assert_eq!(write(Square::A1.into(), &note, Unit::Discs), "a1");
    }
}
