use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use discern_eval::Feature;
use discern_players::Level;
use serde::Serialize;

use crate::studio::Studio;

#[derive(Serialize)]
pub struct Info {
    program: &'static str,
    models: Vec<ModelInfo>,
    levels: Vec<LevelInfo>,
    features: Vec<FeatureInfo>,
    limits: Limits,
    weights: Option<WeightsInfo>,
    library: Option<LibraryInfo>,
    running: usize,
    token: String,
}

#[derive(Serialize)]
struct ModelInfo {
    name: String,
    label: String,
    description: String,
}

/// An opponent by strength.
#[derive(Serialize)]
struct LevelInfo {
    name: &'static str,
    elo: i32,
    error: i32,
}

/// What the page calls a feature.
#[derive(Serialize)]
struct FeatureInfo {
    name: &'static str,
    title: &'static str,
    explanation: &'static str,
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

/// The games that can be searched.
#[derive(Serialize)]
struct LibraryInfo {
    games: usize,
    players: usize,
    events: usize,
    from: Option<u16>,
    to: Option<u16>,
}

/// What this server offers.
pub async fn info(State(studio): State<Arc<Studio>>) -> Json<Info> {
    let bounds = studio.bounds();
    let models = studio.models().offered().map(|model| ModelInfo {
        name: model.name.to_owned(),
        label: model.title.to_owned(),
        description: model.description.to_owned(),
    });
    let features = Feature::all().map(|feature| FeatureInfo {
        name: feature.name(),
        title: feature.title(),
        explanation: feature.explanation(),
    });
    let weights = studio.models().weights().and_then(|weights| {
        let manifest = &weights.strongest()?.manifest;
        Some(WeightsInfo {
            hash: weights.hash().to_owned(),
            program: manifest.program.clone(),
            command: manifest.command.clone(),
            positions: manifest.positions,
            remarks: manifest.remarks.clone(),
        })
    });
    let library = studio.settings().library.as_deref().map(|library| LibraryInfo {
        games: library.len(),
        players: library.players(),
        events: library.events(),
        from: library.years().map(|years| years.0),
        to: library.years().map(|years| years.1),
    });
    Json(Info {
        program: concat!("discern ", env!("CARGO_PKG_VERSION")),
        models: models.collect(),
        levels: Level::ALL
            .map(|Level { name, elo, error, .. }| LevelInfo { name, elo, error })
            .into(),
        features: features.collect(),
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
        library,
        running: studio.running(),
        token: studio.token().to_owned(),
    })
}
