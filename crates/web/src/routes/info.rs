use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;

use crate::studio::Studio;

#[derive(Serialize)]
pub struct Info {
    program: &'static str,
    models: Vec<ModelInfo>,
    limits: Limits,
    weights: Option<WeightsInfo>,
    running: usize,
}

#[derive(Serialize)]
struct ModelInfo {
    name: &'static str,
    label: &'static str,
    description: &'static str,
}

#[derive(Serialize)]
struct Limits {
    seconds: f64,
    threads: usize,
    lines: usize,
    streams: usize,
    waiting: usize,
    import_bytes: usize,
    import_games: usize,
}

#[derive(Serialize)]
struct WeightsInfo {
    hash: String,
    program: String,
    command: String,
    positions: u64,
    remarks: Vec<String>,
}

/// What this server offers.
pub async fn info(State(studio): State<Arc<Studio>>) -> Json<Info> {
    let bounds = studio.bounds();
    let models = studio.models().offered().map(|model| ModelInfo {
        name: model.name(),
        label: model.title(),
        description: model.description(),
    });
    let weights = studio.models().weights().map(|(weights, hash)| WeightsInfo {
        hash: hash.to_owned(),
        program: weights.manifest.program.clone(),
        command: weights.manifest.command.clone(),
        positions: weights.manifest.positions,
        remarks: weights.manifest.remarks.clone(),
    });
    Json(Info {
        program: concat!("discern ", env!("CARGO_PKG_VERSION")),
        models: models.collect(),
        limits: Limits {
            seconds: bounds.search.as_secs_f64(),
            threads: bounds.threads,
            lines: 64,
            streams: bounds.threads,
            waiting: bounds.waiting,
            import_bytes: bounds.import_bytes,
            import_games: bounds.import_games,
        },
        weights,
        running: studio.running(),
    })
}
