use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// A player as the user wrote it, on the command line or in a TOML file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Entry {
    pub name: String,
    pub model: Option<String>,
    pub weights: Option<String>,
    pub threads: Option<usize>,
    pub hash: Option<u32>,
    pub solve: Option<u32>,
    pub selective: Option<bool>,
    pub cmd: Option<String>,
    pub protocol: Option<String>,
    pub dir: Option<String>,
    pub time: Option<TextOrNumber>,
    pub move_time: Option<TextOrNumber>,
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
}

/// `time = 60` and `time = "60+0.5"` both make sense.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum TextOrNumber {
    Whole(u64),
    Number(f64),
    Text(String),
}

impl std::fmt::Display for TextOrNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TextOrNumber::Whole(number) => write!(f, "{number}"),
            TextOrNumber::Number(number) => write!(f, "{number}"),
            TextOrNumber::Text(text) => f.write_str(text),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    player: Vec<Entry>,
}

/// The players of a TOML file.
pub fn read_config(path: &Path) -> Result<Vec<Entry>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let config: Config = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
        anyhow::anyhow!("{}, line {line}: {}", path.display(), error.message())
    })?;
    Ok(config.player)
}

impl Entry {
    /// Threads of our engine, if said.
    pub fn threads(&self) -> Option<usize> {
        self.threads
    }

    /// Reads `name=…,setting=…`; quotes keep commas together.
    pub fn parse(text: &str) -> Result<Entry, String> {
        let mut entry = Entry::default();
        for setting in split(text)? {
            let Some((key, value)) = setting.split_once('=') else {
                return Err(format!("'{setting}' is not setting=value"));
            };
            let (key, value) = (key.trim(), unquoted(value.trim()));
            let text = || Some(TextOrNumber::Text(value.clone()));
            let number = |what: &str| {
                value.parse::<u64>().map_err(|_| format!("{what}={value}: not a whole number"))
            };
            let small = |what: &str| {
                number(what)?.try_into().map_err(|_| format!("{what}={value}: too large"))
            };
            match key {
                "name" => entry.name = value,
                "model" => entry.model = Some(value),
                "weights" => entry.weights = Some(value),
                "threads" => entry.threads = Some(number(key)? as usize),
                "hash" => entry.hash = Some(small(key)?),
                "solve" => entry.solve = Some(small(key)?),
                "selective" => {
                    let yes = value.parse().map_err(|_| format!("{key}={value}: true or false"))?;
                    entry.selective = Some(yes);
                }
                "cmd" => entry.cmd = Some(value),
                "protocol" => entry.protocol = Some(value),
                "dir" => entry.dir = Some(value),
                "time" => entry.time = text(),
                "move-time" => entry.move_time = text(),
                "depth" => entry.depth = Some(small(key)?),
                "nodes" => entry.nodes = Some(number(key)?),
                _ => return Err(format!("'{key}' is not a setting of a player")),
            }
        }
        if entry.name.is_empty() {
            return Err("a player needs a name: name=…".into());
        }
        Ok(entry)
    }
}

/// Splits at commas outside of quotes.
fn split(text: &str) -> Result<Vec<String>, String> {
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
        Some(open) => Err(format!("a quotation mark {open} is never closed")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_quotes_keep_commas() {
        let entry =
            Entry::parse("name=x, cmd='prog -a 1,2 \"b c\"',protocol=gtp,time=1+0.5").unwrap();
        assert_eq!(entry.name, "x");
        assert_eq!(entry.cmd.as_deref(), Some("prog -a 1,2 \"b c\""));
        assert_eq!(entry.time.unwrap().to_string(), "1+0.5");
    }

    #[test]
    fn faults_are_named() {
        let error = |text: &str| Entry::parse(text).unwrap_err();
        assert_eq!(error("depth=3"), "a player needs a name: name=…");
        assert_eq!(error("name=a,dept=3"), "'dept' is not a setting of a player");
        assert_eq!(error("name=a,depth=x"), "depth=x: not a whole number");
        assert_eq!(error("name=a,selective=1"), "selective=1: true or false");
        assert_eq!(error("name=a,cmd='x"), "a quotation mark ' is never closed");
        assert_eq!(error("name=a,strong"), "'strong' is not setting=value");
    }
}
