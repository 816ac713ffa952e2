use std::path::Path;

use discern_experiment::{ReadError, Reproduction};
use serde::Serialize;

/// The reproduction of this version of the program, if it was made.
const BUILT_IN: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/reproduction.rs"));

/// Files larger than this are no results of ours.
const LARGEST: u64 = 64 << 20;

/// A reproduction of the paper's experiment as the report draws it.
#[derive(Debug, Serialize)]
pub struct ReproductionRun {
    kind: &'static str,
    title: String,
    facts: Vec<Fact>,
    sections: Vec<Section>,
}

#[derive(Debug, Serialize)]
struct Fact {
    name: &'static str,
    value: String,
}

#[derive(Debug, Serialize)]
struct Section {
    id: &'static str,
    title: &'static str,
    html: String,
}

impl ReproductionRun {
    /// Is there a built-in one?
    pub fn is_built_in() -> bool {
        BUILT_IN.is_some()
    }

    /// The built-in one.
    pub fn built_in(title: String) -> Result<ReproductionRun, String> {
        let bytes = BUILT_IN.ok_or("there is no built-in reproduction")?;
        ReproductionRun::parse(bytes, title)
    }

    /// One of the user's.
    pub fn load(path: &Path, title: String) -> Result<ReproductionRun, String> {
        let bytes = discern_files::read(path, LARGEST).map_err(|error| error.to_string())?;
        ReproductionRun::parse(&bytes, title)
    }

    fn parse(bytes: &[u8], title: String) -> Result<ReproductionRun, String> {
        let found = Reproduction::from_json(bytes).map_err(|error| match &error {
            ReadError::Foreign(why) | ReadError::Damaged(why) => format!("{error}: {why}"),
            ReadError::Format(_) => error.to_string(),
        })?;
        let facts = discern_report::facts(&found).into_iter();
        let sections = discern_report::sections(&found).into_iter();
        Ok(ReproductionRun {
            kind: "reproduction",
            title,
            facts: facts.map(|(name, value)| Fact { name, value }).collect(),
            sections: sections
                .map(|section| Section { id: section.id, title: section.title, html: section.body })
                .collect(),
        })
    }
}
