use std::time::Duration;

use anyhow::{Result, anyhow};
use clap::Args as ClapArgs;
use discern_records::{Clock, Limits};

use super::entry::Entry;
use crate::engine_args::seconds;

/// Limits of the players without limits of their own.
#[derive(ClapArgs)]
pub struct LimitArgs {
    /// Seconds per game, and per move added: 60 or 60+0.5
    #[arg(long, value_name = "TIME", value_parser = clock)]
    time: Option<Clock>,
    /// Seconds per move
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    move_time: Option<Duration>,
    /// Plies to look ahead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

impl LimitArgs {
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_ms: self.move_time.map(|time| time.as_millis() as u64),
            clock: self.time,
        }
    }
}

/// The limits of a player: his own, or those of everybody.
pub fn limits(entry: &Entry, default: Limits) -> Result<Limits> {
    let fault = |what: &str, reason: String| anyhow!("{}: {what}: {reason}", entry.name);
    let time = entry.time.as_ref().map(|text| clock(&text.to_string()));
    let per_move = entry.move_time.as_ref().map(|text| seconds(&text.to_string()));
    let own = Limits {
        depth: entry.depth,
        nodes: entry.nodes,
        move_ms: per_move
            .transpose()
            .map_err(|reason| fault("move-time", reason))?
            .map(|time| time.as_millis() as u64),
        clock: time.transpose().map_err(|reason| fault("time", reason))?,
    };
    Ok(if own.is_unknown() { default } else { own })
}

/// `60`, `60+0.5`, `1:00+1`: seconds or minutes and seconds.
fn clock(text: &str) -> Result<Clock, String> {
    let error = || format!("'{text}' is not a time like 60, 1:30 or 60+0.5");
    let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
    let main = match main.split_once(':') {
        Some((minutes, rest)) => {
            60.0 * minutes.parse::<f64>().map_err(|_| error())?
                + rest.parse::<f64>().map_err(|_| error())?
        }
        None => main.parse().map_err(|_| error())?,
    };
    let increment: f64 = increment.parse().map_err(|_| error())?;
    let ms = |seconds: f64| (seconds * 1000.0).round() as u64;
    if !(0.001..=1e6).contains(&main) || !(0.0..=1e5).contains(&increment) {
        return Err(error());
    }
    Ok(Clock { main_ms: ms(main), increment_ms: ms(increment), grace_ms: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_seconds_and_minutes() {
        let ms = |text: &str| clock(text).map(|clock| (clock.main_ms, clock.increment_ms));
        assert_eq!(ms("60"), Ok((60_000, 0)));
        assert_eq!(ms("0.2"), Ok((200, 0)));
        assert_eq!(ms("1:30+0.5"), Ok((90_000, 500)));
        for bad in ["", "x", "-1", "0", "1+", "1+x", "inf", "1e9"] {
            assert!(ms(bad).is_err(), "{bad}");
        }
    }
}
