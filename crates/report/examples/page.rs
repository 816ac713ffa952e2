//! Writes the report of a `numbers.json`, or of made-up numbers, to look at:
//!
//! ```sh
//! cargo run -p discern-report --example page > page.html
//! cargo run -p discern-report --example page -- report/numbers.json > page.html
//! ```

#[path = "../tests/sample/mod.rs"]
mod sample;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let reproduction = match std::env::args_os().nth(1) {
        Some(path) => serde_json::from_slice(&std::fs::read(path)?)?,
        None => sample::reproduction(),
    };
    print!("{}", discern_report::html(&reproduction, &Default::default()));
    Ok(())
}
