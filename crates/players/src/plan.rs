use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::build::Build;
use crate::error::JobError;
use crate::fingerprint::{Fingerprint, fingerprint_of_bytes};
use crate::job::Job;
use crate::spec::PlayerSpec;

/// Work described completely: what is done, and by which build.
///
/// A plan's name is the hash of its canonical text, which archives store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan<J> {
    /// What kind of plan it is, with version.
    pub format: String,
    /// The build that began.
    pub build: Build,
    /// What is done.
    pub work: J,
}

/// The part of a plan that every kind and version has.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// What kind of plan a text is, such as `discern tournament plan 2`.
pub fn format_of(text: &str) -> Option<String> {
    serde_json::from_str::<Head>(text).ok().map(|head| head.format)
}

/// The name of the plan with this canonical text.
pub fn name_of(text: &str) -> Fingerprint {
    fingerprint_of_bytes(text.as_bytes())
}

/// A plan of any kind in lines that people read: its format, who began, and
/// each setting, players in their text form.
pub fn describe(text: &str) -> Vec<String> {
    let Ok(plan) = serde_json::from_str::<Plan<Value>>(text) else {
        return vec!["a plan that this program does not know".into()];
    };
    let mut lines = vec![format!("{}, begun by {}", plan.format, plan.build)];
    let player = |value: &Value| PlayerSpec::deserialize(value).ok();
    for (key, value) in plan.work.as_object().into_iter().flatten() {
        let one = std::slice::from_ref(value);
        let list = value.as_array().map_or(one, Vec::as_slice);
        match list.iter().map(player).collect::<Option<Vec<_>>>() {
            Some(players) if key.starts_with("player") => {
                lines.extend(players.iter().map(|player| format!("player {player}")));
            }
            _ => lines.push(format!("{key} {}", shown(value))),
        }
    }
    lines
}

impl<J: Job> Plan<J> {
    /// A plan that this build begins.
    pub fn new(work: J) -> Plan<J> {
        Plan { format: J::FORMAT.into(), build: Build::current().clone(), work }
    }

    /// Reads any text of a plan.
    ///
    /// # Errors
    /// What is wrong with it: syntax, kind or content.
    pub fn parse(text: &str) -> Result<Plan<J>, JobError> {
        let wrong = |error: serde_json::Error| JobError::Plan(error.to_string());
        let head: Head = serde_json::from_str(text).map_err(wrong)?;
        if head.format != J::FORMAT {
            return Err(JobError::Plan(format!("a '{}', not a '{}'", head.format, J::FORMAT)));
        }
        let plan: Plan<J> = serde_json::from_str(text).map_err(wrong)?;
        plan.work.check()?;
        Ok(plan)
    }

    /// The canonical text: JSON without blanks, keys in alphabetical order.
    pub fn text(&self) -> String {
        self.value().to_string()
    }

    /// The hash of the canonical text.
    pub fn name(&self) -> Fingerprint {
        name_of(&self.text())
    }

    /// Goes on with a plan that was found, if it is this one: the same work,
    /// and by the same build unless another one is welcome.
    ///
    /// # Errors
    /// Which settings differ, or which build began.
    pub fn resume(&self, found: Plan<J>, other_build: bool) -> Result<Plan<J>, JobError> {
        let differences = self.differences(&found);
        if !differences.is_empty() {
            return Err(JobError::Differs(differences));
        }
        found.check_build(other_build)?;
        Ok(found)
    }

    /// Is this the build that began, or another one welcome?
    pub fn check_build(&self, other_build: bool) -> Result<(), JobError> {
        let this = Build::current();
        if other_build || self.build == *this {
            return Ok(());
        }
        Err(JobError::OtherBuild(Box::new([self.build.clone(), this.clone()])))
    }

    fn value(&self) -> Value {
        serde_json::to_value(self).expect("plans are plain data")
    }

    /// Where the work of two plans differs: `player a: depth is 3, not 4`.
    fn differences(&self, found: &Plan<J>) -> String {
        let mut list = Vec::new();
        compare("", &found.value()["work"], &self.value()["work"], &mut list);
        let more = list.len().saturating_sub(MOST_NAMED);
        list.truncate(MOST_NAMED);
        if more > 0 {
            list.push(format!("and {more} more"));
        }
        list.join("; ")
    }
}

/// Differences that are named; the rest is counted.
const MOST_NAMED: usize = 4;

fn compare(place: &str, found: &Value, wanted: &Value, list: &mut Vec<String>) {
    let within = |key: &str| match place {
        "" => key.to_owned(),
        place => format!("{place} {key}"),
    };
    match (found, wanted) {
        _ if found == wanted => {}
        (Value::Object(a), Value::Object(b)) => {
            let only_there = a.keys().filter(|key| !b.contains_key(*key));
            for key in only_there.chain(b.keys()) {
                let value = |map: &serde_json::Map<String, Value>| {
                    map.get(key).cloned().unwrap_or(Value::Null)
                };
                compare(&within(key), &value(a), &value(b), list);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                let number = (index + 1).to_string();
                compare(&within(a["name"].as_str().unwrap_or(&number)), a, b, list);
            }
        }
        _ => list.push(format!("{place} {} there, {} here", shown(found), shown(wanted))),
    }
}

/// A value in a sentence.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "not set".into(),
        Value::String(text) => text.clone(),
        Value::Array(list) => format!("{} of them", list.len()),
        Value::Object(map) => {
            let parts: Vec<String> =
                map.iter().map(|(key, value)| format!("{key} {}", shown(value))).collect();
            parts.join(", ")
        }
        other => other.to_string(),
    }
}
