//! Errors that name the file they are about, and what to do about one that exists.

use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::{Result, anyhow};

/// Puts a file's name in front of an error.
pub trait At<T> {
    fn at(self, path: impl AsRef<Path>) -> Result<T>;
    fn reading(self, path: impl AsRef<Path>) -> Result<T>;
    fn writing(self, path: impl AsRef<Path>) -> Result<T>;
}

impl<T, E: Into<anyhow::Error>> At<T> for Result<T, E> {
    fn at(self, path: impl AsRef<Path>) -> Result<T> {
        self.map_err(|error| named("", path.as_ref(), error.into()))
    }

    fn reading(self, path: impl AsRef<Path>) -> Result<T> {
        self.map_err(|error| named("while reading ", path.as_ref(), error.into()))
    }

    fn writing(self, path: impl AsRef<Path>) -> Result<T> {
        self.map_err(|error| named("writing ", path.as_ref(), error.into()))
    }
}

fn named(doing: &str, path: &Path, error: anyhow::Error) -> anyhow::Error {
    let path = path.display();
    match error.downcast_ref::<io::Error>().map(io::Error::kind) {
        Some(ErrorKind::AlreadyExists) => anyhow!("{path}: {error}; --force replaces it"),
        _ => error.context(format!("{doing}{path}")),
    }
}

/// Refuses a path that exists unless it may be replaced.
pub fn check_free(path: &Path, force: bool) -> Result<()> {
    discern_files::check_free(path, force).at(path)
}
