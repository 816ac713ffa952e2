//! Questions to tables and their answers, as machines send them to each other.
#![no_main]

use std::sync::LazyLock;

use discern_fit::{Columns, ModelKind, PartAnswer, PartRequest, PartialFit, Settings};
use discern_stats::Threads;
use libfuzzer_sys::fuzz_target;
use tempfile::NamedTempFile;

static TABLE: LazyLock<NamedTempFile> = LazyLock::new(|| {
    let file = NamedTempFile::new().expect("a temporary file");
    let table = "result,discs,x,y\n1,10,0.5,1\n0,10,-1,2\n1,12,0.25,0\n0,12,2,1\n0,10,1,1\n";
    std::fs::write(file.path(), table).expect("room for it");
    file
});

fuzz_target!(|text: &str| {
    if let Ok(request) = serde_json::from_str::<PartRequest>(text) {
        let _ = request.answer(TABLE.path(), 1 << 20, Threads::default());
    }
    let Ok(answer) = serde_json::from_str::<PartAnswer>(text) else { return };
    let columns = Columns { label: Some("result".into()), ..Columns::default() };
    let models = vec![ModelKind::Log, ModelKind::Fisher, ModelKind::Quad];
    let mut fit = PartialFit::new(columns, Settings { models, ..Settings::default() })
        .expect("models that are fitted to sums");
    // The same answer to every question, as often as it is taken.
    for _ in 0..5 {
        if fit.request().is_none() || fit.advance(vec![answer.clone()]).is_err() {
            return;
        }
    }
    let _ = fit.finish();
});
