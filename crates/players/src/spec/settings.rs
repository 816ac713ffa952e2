//! A player setting by setting: what the text and the serialised form share.

use std::fmt;

use discern_book::Draws;
use discern_records::{Clock, Limits};
use discern_search::Timing;
use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::grammar::{ParsePlayerError, clock, seconds};
use super::{EngineSpec, PlayerSpec, ProgramSpec, Protocol, Search, Who};
use crate::book::BookSpec;
use crate::randomness::Randomness;

/// The value of a setting.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Setting {
    Text(String),
    Number(u64),
    Flag(bool),
}

impl PlayerSpec {
    /// All that is said about the player, the model or command first.
    pub(super) fn settings(&self) -> Vec<(&'static str, Setting)> {
        use Setting::{Flag, Number, Text};
        let mut list: Vec<(&str, Option<Setting>)> = Vec::new();
        let name = (!self.name.is_empty()).then(|| Text(self.name.clone()));
        let number = |value: Option<u32>| value.map(|value| Number(value.into()));
        let Limits { depth, nodes, move_ms, clock } = self.limits;
        let limits = [("depth", number(depth)), ("nodes", nodes.map(Number))];
        match &self.who {
            Who::Engine(engine) => {
                list.extend([
                    ("model", Some(Text(engine.model.clone()))),
                    ("name", name),
                    ("weights", engine.weights.clone().map(Text)),
                    ("threads", (engine.threads != 1).then_some(Number(engine.threads as u64))),
                    ("hash", number(engine.hash_mebibytes)),
                ]);
                list.extend(limits);
                list.extend([
                    ("outcome", number(engine.outcome_empties)),
                    ("score", number(engine.score_empties)),
                    ("selective", engine.selective.then_some(Flag(true))),
                    ("search", search_name(engine.search).map(|name| Text(name.into()))),
                    ("timing", timing_name(engine.timing).map(|name| Text(name.into()))),
                ]);
                if let Some(book) = &engine.book {
                    let usual = BookSpec::default();
                    let loss = book.loss_permille;
                    list.extend([
                        ("book", Some(Text(book.file.clone()))),
                        ("book-loss", number((loss != usual.loss_permille).then_some(loss))),
                        ("draws", draws_name(book.draws).map(|name| Text(name.into()))),
                    ]);
                }
            }
            Who::Program(program) => {
                list.extend([
                    ("cmd", Some(Text(program.command.clone()))),
                    ("name", name),
                    ("protocol", Some(Text(program.protocol.name().into()))),
                    ("dir", program.folder.as_ref().map(|path| Text(path.display().to_string()))),
                    ("timing", timing_name(program.timing).map(|name| Text(name.into()))),
                ]);
                list.extend(limits);
            }
        }
        list.extend([
            ("move-time", move_ms.map(|ms| Text(in_seconds(ms)))),
            ("time", clock.map(|clock| Text(clock_text(clock)))),
        ]);
        if let Some(randomness) = self.randomness {
            list.extend([
                ("chance", number(Some(randomness.chance_permille))),
                ("margin", number(Some(randomness.margin_millilogits))),
                ("among", number(Some(randomness.moves))),
                ("stray-until", number(Some(randomness.until_empties))),
            ]);
        }
        list.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }
}

impl Protocol {
    fn name(self) -> &'static str {
        match self {
            Protocol::Gtp => "gtp",
            Protocol::NBoard => "nboard",
        }
    }
}

/// The search, unless it is the usual one.
fn search_name(search: Search) -> Option<&'static str> {
    match search {
        Search::Usual => None,
        Search::Plain => Some("plain"),
    }
}

/// The clock, unless it is the wall's.
fn timing_name(timing: Timing) -> Option<&'static str> {
    match timing {
        Timing::Wall => None,
        Timing::Processor => Some("processor"),
    }
}

/// What draws count, unless they are even.
fn draws_name(draws: Draws) -> Option<&'static str> {
    let found = Draws::WORDS.iter().find(|word| word.2 == draws && draws != Draws::Even);
    found.map(|word| word.0)
}

/// `0.05` for 50 ms, without zeros at the end.
fn in_seconds(ms: u64) -> String {
    (ms as f64 / 1000.0).to_string()
}

fn clock_text(clock: Clock) -> String {
    match clock.increment_ms {
        0 => in_seconds(clock.main_ms),
        more => format!("{}+{}", in_seconds(clock.main_ms), in_seconds(more)),
    }
}

/// A player as far as it has been read.
#[derive(Default)]
pub struct Draft {
    name: String,
    engine: EngineSpec,
    /// A setting of our engine was given.
    is_engine: bool,
    cmd: Option<String>,
    protocol: Option<Protocol>,
    dir: Option<String>,
    timing: Timing,
    limits: Limits,
    randomness: Option<Randomness>,
}

impl Draft {
    /// Reads one setting.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ParsePlayerError> {
        let wrong = |what: String| ParsePlayerError::Value(key.into(), value.into(), what);
        let number = || value.parse::<u64>().map_err(|_| wrong("a whole number".into()));
        let small =
            || number().and_then(|n| u32::try_from(n).map_err(|_| wrong("too large".into())));
        let text = || Some(value.to_owned());
        let engine = &mut self.engine;
        let strays = |randomness: &mut Option<Randomness>, set: fn(&mut Randomness) -> &mut u32| {
            *set(randomness.get_or_insert_default()) = small()?;
            Ok(())
        };
        self.is_engine |= matches!(
            key,
            "model"
                | "weights"
                | "threads"
                | "hash"
                | "outcome"
                | "score"
                | "solve"
                | "selective"
                | "search"
                | "book"
                | "book-loss"
                | "draws"
        );
        match key {
            "name" => self.name = value.to_owned(),
            "model" => engine.model = value.to_lowercase(),
            "weights" => engine.weights = text(),
            "threads" => engine.threads = small()? as usize,
            "hash" => engine.hash_mebibytes = Some(small()?),
            "outcome" => engine.outcome_empties = Some(small()?),
            "score" => engine.score_empties = Some(small()?),
            "solve" => {
                engine.outcome_empties = Some(small()?);
                engine.score_empties = Some(small()?.saturating_sub(2));
            }
            "selective" => {
                engine.selective = value.parse().map_err(|_| wrong("true or false".into()))?;
            }
            "search" => {
                engine.search = match value {
                    "usual" => Search::Usual,
                    "plain" => Search::Plain,
                    _ => return Err(wrong("usual or plain".into())),
                };
            }
            "timing" => {
                self.timing = match value {
                    "wall" => Timing::Wall,
                    "processor" => Timing::Processor,
                    _ => return Err(wrong("wall or processor".into())),
                };
            }
            "book" if value == "none" => engine.book = None,
            "book" => engine.book.get_or_insert_default().file = value.to_owned(),
            "book-loss" => engine.book.get_or_insert_default().loss_permille = small()?,
            "draws" => {
                let known = Draws::WORDS.iter().find(|word| word.0 == value);
                engine.book.get_or_insert_default().draws =
                    known.ok_or_else(|| wrong("even, seek or avoid".into()))?.2;
            }
            "cmd" => self.cmd = text(),
            "protocol" => {
                let known = [Protocol::Gtp, Protocol::NBoard];
                let named = known.into_iter().find(|protocol| protocol.name() == value);
                self.protocol = Some(named.ok_or_else(|| wrong("gtp or nboard".into()))?);
            }
            "dir" => self.dir = text(),
            "time" => self.limits.clock = Some(clock(value).map_err(wrong)?),
            "move-time" => {
                self.limits.move_ms = Some(seconds(value).map_err(wrong)?.as_millis() as u64);
            }
            "depth" => self.limits.depth = Some(small()?),
            "nodes" => self.limits.nodes = Some(number()?),
            "chance" => strays(&mut self.randomness, |r| &mut r.chance_permille)?,
            "margin" => strays(&mut self.randomness, |r| &mut r.margin_millilogits)?,
            "among" => strays(&mut self.randomness, |r| &mut r.moves)?,
            "stray-until" => strays(&mut self.randomness, |r| &mut r.until_empties)?,
            _ => return Err(ParsePlayerError::Unknown(key.into())),
        }
        Ok(())
    }

    /// The player that all settings together describe.
    pub fn finish(self) -> Result<PlayerSpec, ParsePlayerError> {
        let who = match self.cmd {
            Some(_) if self.is_engine => {
                return Err(ParsePlayerError::Mixed(
                    "model, weights, threads, hash and other settings belong to our engine; \
                     put those of a program into cmd",
                ));
            }
            Some(command) => Who::Program(ProgramSpec {
                command,
                protocol: self.protocol.unwrap_or(Protocol::Gtp),
                folder: self.dir.map(Into::into),
                timing: self.timing,
            }),
            None if self.protocol.is_some() || self.dir.is_some() => {
                let what = "protocol and dir belong to a program (cmd=…)";
                return Err(ParsePlayerError::Mixed(what));
            }
            None => Who::Engine(EngineSpec { timing: self.timing, ..self.engine }),
        };
        Ok(PlayerSpec { name: self.name, who, limits: self.limits, randomness: self.randomness })
    }
}

impl Serialize for PlayerSpec {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let settings = self.settings();
        let mut map = to.serialize_map(Some(settings.len()))?;
        for (key, value) in settings {
            map.serialize_entry(key, &value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for PlayerSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<PlayerSpec, D::Error> {
        struct Settings;

        impl<'de> Visitor<'de> for Settings {
            type Value = Draft;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the settings of a player")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Draft, A::Error> {
                let mut draft = Draft::default();
                while let Some(key) = map.next_key::<String>()? {
                    map.next_value_seed(One { draft: &mut draft, key })?;
                }
                Ok(draft)
            }
        }

        from.deserialize_map(Settings)?.finish().map_err(de::Error::custom)
    }
}

/// The value of one setting. What is wrong with it is said while the value is
/// read, so that readers of files know the line.
struct One<'a> {
    draft: &'a mut Draft,
    key: String,
}

impl One<'_> {
    fn set<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.draft.set(&self.key, value).map_err(E::custom)
    }
}

impl<'de> DeserializeSeed<'de> for One<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl Visitor<'_> for One<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, true or false")
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<(), E> {
        self.set(value)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.set(&value.to_string())
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.set(&value.to_string())
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        self.set(&value.to_string())
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<(), E> {
        self.set(&value.to_string())
    }
}
