//! Says which commit the program is built from, and for which processors.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn main() {
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=DISCERN_COMMIT={commit}");
    let features = std::env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    let v3 = features.split(',').any(|feature| feature == "avx2");
    println!("cargo::rustc-env=DISCERN_LEVEL={}", if v3 { "x86-64-v3" } else { "any processor" });
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit and every change of branch writes this file.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}
