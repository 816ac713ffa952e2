//! Bars on standard error; hidden when it is no terminal.

use indicatif::{ProgressBar, ProgressFinish, ProgressStyle};

/// A bar that counts `unit` and shows the time left.
pub fn bar(length: u64, unit: &str) -> ProgressBar {
    styled(ProgressBar::new(length), &format!("{{bar:40}} {{pos}}/{{len}} {unit}, {{eta}} left"))
}

/// A bar over the bytes of files.
pub fn bytes(length: u64) -> ProgressBar {
    styled(ProgressBar::new(length), "{bar:40} {bytes}/{total_bytes} {bytes_per_sec} {eta}")
}

/// A bar that looks as the template says and goes away at the end.
pub fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).expect("a valid template");
    bar.with_style(style).with_finish(ProgressFinish::AndClear)
}
