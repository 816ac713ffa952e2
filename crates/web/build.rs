//! Lists the files of the page, so that they end up in the binary.
//!
//! Fifty lines instead of a crate for it, whose search patterns, hash and
//! table of file types took a tenth of the whole build.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The reproduction of this version of the program, if it was made.
const REPRODUCTION: &str = "../../docs/reproduction/numbers.json";

/// Every file below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().expect("a folder of files") {
        let path = entry.expect("a file").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found
}

/// JSON without the spaces between its parts, which are half of ours.
fn without_spaces(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let keep = |&c: &char| {
        let space = !in_string && c.is_ascii_whitespace();
        // A quote ends a string or begins one, unless a backslash precedes it.
        in_string ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        !space
    };
    json.chars().filter(keep).collect()
}

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("set by cargo"));
    let folder = here.join("assets");
    let mut files = files(&folder);
    files.sort();
    let mut list = String::from("&[\n");
    for path in &files {
        let name = path.strip_prefix(&folder).expect("below it").to_str().expect("plain names");
        let name = name.replace('\\', "/");
        writeln!(list, "({name:?}, include_bytes!({path:?})),").expect("strings grow");
    }
    list.push(']');
    std::fs::write(out.join("assets.rs"), list).expect("a file among the build's own");

    let reproduction = here.join(REPRODUCTION);
    let embedded = match std::fs::read_to_string(&reproduction) {
        Ok(json) => {
            let place = out.join("reproduction.json");
            std::fs::write(&place, without_spaces(&json)).expect("a file among the build's own");
            format!("Some(include_bytes!({place:?}))")
        }
        Err(_) => "None".to_owned(),
    };
    std::fs::write(out.join("reproduction.rs"), embedded).expect("a file among the build's own");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets");
    if reproduction.exists() {
        println!("cargo::rerun-if-changed={REPRODUCTION}");
    }
}
