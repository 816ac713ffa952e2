use std::fs::File;
use std::io::Read;
use std::path::Path;

use discern_report::reproduction::{FORMAT, Reproduction};
use rust_embed::Embed;
use serde::Serialize;

/// The reproduction of this version of the program, if it was made.
#[derive(Embed)]
#[folder = "../../docs/reproduction/"]
#[include = "numbers.json"]
#[allow_missing = true]
struct BuiltIn;

/// Files larger than this are no results of ours.
const LARGEST: u64 = 64 << 20;

/// A reproduction of the paper's experiment.
#[derive(Debug, Serialize)]
pub struct ReproductionRun {
    kind: &'static str,
    title: String,
    reproduction: Reproduction,
}

impl ReproductionRun {
    /// The built-in one.
    pub fn built_in(title: String) -> Option<Result<ReproductionRun, String>> {
        let file = BuiltIn::get("numbers.json")?;
        Some(ReproductionRun::parse(&file.data, title))
    }

    /// One of the user's.
    pub fn load(path: &Path, title: String) -> Result<ReproductionRun, String> {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
        read.map_err(|error| error.to_string())?;
        ReproductionRun::parse(&bytes, title)
    }

    fn parse(bytes: &[u8], title: String) -> Result<ReproductionRun, String> {
        let reproduction: Reproduction = serde_json::from_slice(bytes)
            .map_err(|error| format!("not a reproduction: {error}"))?;
        match reproduction.format {
            FORMAT => Ok(ReproductionRun { kind: "reproduction", title, reproduction }),
            other => Err(format!("written in format {other}, this program reads {FORMAT}")),
        }
    }
}
