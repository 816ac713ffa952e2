use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use discern_records::Clock;

use super::PlayerSpec;
use super::settings::{Draft, Setting};

/// The text form of a player, for the help of every command that takes one.
pub const GRAMMAR: &str = "\
A player is a list of settings, separated by commas; a first word without '='
is the model. TOML files have the same settings in [[player]] tables.
  name=NAME               what games call it (default the model)
  model=MODEL             our engine with this evaluation function (default log)
  weights=FILE            weights of a learned model (default the shipped ones)
  depth=8 nodes=100000    limits per move
  move-time=0.5           seconds per move
  time=60 or time=60+0.5  seconds per game, plus seconds per move
  outcome=16 score=12     empty squares from which it proves the outcome, the
                          score; solve=16 is short for outcome=16,score=14
  selective=true          looks deeper by cutting off what is improbable
  search=plain            a second program's search: no table, other depths
  threads=N hash=MIB      threads of a search, size of its table
  timing=processor        charged for processor time, not for the time that passes
                          (other programs too, on Linux)
  book=FILE book-loss=10 draws=even|seek|avoid
                          plays from this opening book (shipped: the program's own),
                          moves that give away up to 10 of 1000 games
  chance=150 margin=1000 among=4 stray-until=20
                          strays in 150 of 1000 moves, to one of the best 4 that
                          loses less than 1000 millilogits, until 20 are empty
  cmd='PROGRAM ARGUMENTS' another program instead of our engine …
  protocol=gtp|nboard dir=FOLDER   … what it speaks (default gtp), where it runs";

/// Why a text is not a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePlayerError {
    /// A quotation without an end.
    #[error("a quotation mark {0} is never closed")]
    OpenQuote(char),
    /// Neither a setting nor a model in front.
    #[error("'{0}' is not setting=value")]
    NoSetting(String),
    /// No such setting.
    #[error("'{0}' is not a setting of a player")]
    Unknown(String),
    /// Not a value of this setting.
    #[error("{0}={1}: {2}")]
    Value(String, String, String),
    /// Settings that do not go together.
    #[error("{0}")]
    Mixed(&'static str),
}

impl FromStr for PlayerSpec {
    type Err = ParsePlayerError;

    /// Reads the form of [`GRAMMAR`]; quotes keep commas together.
    fn from_str(text: &str) -> Result<PlayerSpec, ParsePlayerError> {
        let mut draft = Draft::default();
        for (place, setting) in split(text)?.iter().enumerate() {
            match setting.split_once('=') {
                Some((key, value)) => draft.set(key.trim(), &unquoted(value.trim()))?,
                None if place == 0 => draft.set("model", &unquoted(setting.trim()))?,
                None => return Err(ParsePlayerError::NoSetting(setting.clone())),
            }
        }
        draft.finish()
    }
}

impl fmt::Display for PlayerSpec {
    /// In the form that is parsed, the model in front.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (key, value)) in self.settings().into_iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            match value {
                Setting::Text(text) if key == "model" && place == 0 && is_plain(&text) => {
                    f.write_str(&text)?;
                }
                Setting::Text(text) => write!(f, "{comma}{key}={}", quoted(&text))?,
                Setting::Number(number) => write!(f, "{comma}{key}={number}")?,
                Setting::Flag(flag) => write!(f, "{comma}{key}={flag}")?,
            }
        }
        Ok(())
    }
}

/// Splits at commas outside of quotes.
fn split(text: &str) -> Result<Vec<String>, ParsePlayerError> {
    let mut parts = vec![String::new()];
    let mut quote = None;
    for symbol in text.chars() {
        match (quote, symbol) {
            (None, ',') => {
                parts.push(String::new());
                continue;
            }
            (None, '\'' | '"') => quote = Some(symbol),
            (Some(open), _) if open == symbol => quote = None,
            _ => {}
        }
        parts.last_mut().expect("never empty").push(symbol);
    }
    match quote {
        Some(open) => Err(ParsePlayerError::OpenQuote(open)),
        None => Ok(parts.into_iter().filter(|part| !part.trim().is_empty()).collect()),
    }
}

/// The value without quotes around the whole of it.
fn unquoted(text: &str) -> String {
    for mark in ['\'', '"'] {
        let inner = text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
        if let Some(inner) = inner.filter(|inner| !inner.contains(mark)) {
            return inner.to_owned();
        }
    }
    text.to_owned()
}

/// In quotes where the value needs them. One with both kinds in it has been
/// read without quotes around it, and is written so.
fn quoted(text: &str) -> String {
    let mark = ['\'', '"'].into_iter().find(|&mark| !text.contains(mark));
    match mark {
        Some(mark) if !is_plain(text) => format!("{mark}{text}{mark}"),
        _ => text.to_owned(),
    }
}

/// Means the same without quotes, wherever it stands.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(|c: char| c.is_whitespace() || [',', '=', '\'', '"'].contains(&c))
}

/// A positive number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| (0.001..=1e6).contains(s));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "a number of seconds from 0.001 to 1000000".into())
}

/// A time like `90`, `90s`, `30m` or `1.5h`.
pub fn time_span(text: &str) -> Result<Duration, String> {
    let units = [('s', 1.0), ('m', 60.0), ('h', 3600.0)];
    let ending = units.iter().find_map(|&(unit, of)| Some((text.strip_suffix(unit)?, of)));
    let (number, unit) = ending.unwrap_or((text, 1.0));
    let seconds = number.parse::<f64>().ok().map(|number| number * unit);
    let seconds = seconds.filter(|seconds| (0.001..=1e8).contains(seconds));
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a time like 90s, 30m or 1.5h".into())
}

/// A time for a game in seconds or minutes and seconds, with seconds per move
/// behind a plus: `60`, `60+0.5`, `1:00+1`.
pub fn clock(text: &str) -> Result<Clock, String> {
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
