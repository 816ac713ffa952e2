use crate::ggf::GgfError;
use crate::limits::Clock;

/// What the server grants after the main time when the clock does not say.
const DEFAULT_GRACE_MS: u64 = 120_000;

/// Reads `t[/[increment][/grace]]`. Details behind a comma (number of moves
/// and the like) have no place in our records and are left out.
pub fn parse(text: &str) -> Result<Clock, GgfError> {
    let error = || GgfError::Clock(text.to_owned());
    let mut parts = text.split('/').map(|part| part.split(',').next().unwrap_or("").trim());
    let mut time = |default: u64| match parts.next() {
        None | Some("") => Some(default),
        Some(part) => time_ms(part),
    };
    Ok(Clock {
        main_ms: time(0).ok_or_else(error)?,
        increment_ms: time(0).ok_or_else(error)?,
        grace_ms: time(DEFAULT_GRACE_MS).ok_or_else(error)?,
    })
}

/// Writes main time, increment and grace, all three: a reader would take a
/// missing grace for two minutes.
pub fn write(clock: &Clock) -> String {
    let parts = [clock.main_ms, clock.increment_ms, clock.grace_ms];
    parts.map(|ms| Clock { main_ms: ms, ..Clock::default() }.to_string()).join("/")
}

/// Milliseconds of `[[h:]m:]s`.
pub fn time_ms(text: &str) -> Option<u64> {
    let mut seconds = 0.0;
    let parts: Vec<&str> = text.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let number: f64 = part.parse().ok().filter(|number| (0.0..1e9).contains(number))?;
        seconds = seconds * 60.0 + number;
    }
    Some((seconds * 1000.0).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_survive_writing_and_reading() {
        for ms in [0, 300_000, 3_723_456] {
            let clock = Clock { main_ms: ms, increment_ms: ms / 7, grace_ms: ms / 3 };
            assert_eq!(parse(&write(&clock)), Ok(clock));
        }
    }

    #[test]
    fn parts_may_be_left_out() {
        let clock = |main_ms, increment_ms| Clock { main_ms, increment_ms, grace_ms: 120_000 };
        assert_eq!(parse("15"), Ok(clock(15_000, 0)));
        assert_eq!(parse("5:00//2:00"), Ok(clock(300_000, 0)));
        assert_eq!(parse("1:0:0/12"), Ok(clock(3_600_000, 12_000)));
        assert_eq!(parse("15:00,N1//02:00,E"), Ok(clock(900_000, 0)));
        for bad in ["x", "1:2:3:4", "-5", "5/x", "nan", "1e300"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
