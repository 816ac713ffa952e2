use std::fmt;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::fingerprint::{Fingerprint, fingerprint_of_file};

/// The program's name and version.
pub const PROGRAM: &str = concat!("discern ", env!("CARGO_PKG_VERSION"));

static COMMIT: OnceLock<&'static str> = OnceLock::new();

/// Which program plays. Another one may search differently, so that its games
/// would not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// The commit it was built from; `unknown` if nobody said.
    pub commit: String,
    /// The hash of the program itself.
    pub program: Fingerprint,
}

impl Build {
    /// The program that is running. It is read and hashed once.
    pub fn current() -> &'static Build {
        static CURRENT: OnceLock<Build> = OnceLock::new();
        CURRENT.get_or_init(|| Build {
            version: env!("CARGO_PKG_VERSION").into(),
            commit: (*COMMIT.get().unwrap_or(&"unknown")).into(),
            program: hash_of_program().unwrap_or_else(|| "unknown".into()),
        })
    }

    /// Says which commit the program was built from; before it is first asked.
    /// Only the binary knows: a library that asked git would be compiled anew
    /// with every commit, and everything behind it.
    pub fn set_commit(commit: &'static str) {
        let _ = COMMIT.set(commit);
    }
}

/// The command as it was given, to be given to a shell again.
pub fn command_line() -> String {
    let mut command = String::from("discern");
    for word in std::env::args().skip(1) {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,+@%".contains(c);
        command.push(' ');
        match !word.is_empty() && word.chars().all(plain) {
            true => command.push_str(&word),
            false => command.push_str(&format!("'{}'", word.replace('\'', r"'\''"))),
        }
    }
    command
}

/// Linux keeps the file of a running program even after it was replaced.
fn hash_of_program() -> Option<Fingerprint> {
    let running = fingerprint_of_file("/proc/self/exe");
    running.or_else(|_| fingerprint_of_file(std::env::current_exe()?)).ok()
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text: &str, digits: usize| text.get(..digits).unwrap_or(text).to_owned();
        let (commit, program) = (short(&self.commit, 10), short(&self.program, 8));
        write!(f, "discern {} (commit {commit}, program {program})", self.version)
    }
}
