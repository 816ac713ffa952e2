use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use discern_board::{Color, Position, Square};
use discern_eval::{Contribution, Explanation, FeatureExplanation, Instance};
use discern_search::Model;
use serde::{Deserialize, Serialize};

use super::request::{self, Asked};
use crate::refusal::Refusal;
use crate::studio::Studio;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    position: String,
}

#[derive(Serialize)]
pub struct Answer {
    mover: String,
    discs: usize,
    models: Vec<ModelParts>,
    features: Vec<FeatureParts>,
    note: &'static str,
}

/// How a model comes to its value.
#[derive(Serialize)]
struct ModelParts {
    model: &'static str,
    label: &'static str,
    value: f64,
    probability: f64,
    intercept: f64,
    contributions: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    feature: &'static str,
    x: f64,
    contribution: f64,
}

/// A feature and the places on the board it comes from.
#[derive(Serialize)]
struct FeatureParts {
    name: &'static str,
    title: &'static str,
    x: f64,
    instances: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    squares: Vec<String>,
    configuration: String,
    table_value: f64,
}

/// Takes the value of a position apart, for three models side by side.
pub async fn explain(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Json<Answer>, Refusal> {
    let position = request::position(&query.position)?;
    let Some((weights, _)) = studio.models().weights() else {
        return Err(Refusal::missing("no weights are loaded, so there is nothing to explain"));
    };
    let explanation = weights.explain(&position.board);
    type Chosen = fn(&Contribution) -> f64;
    let models: [(Model, Chosen); 3] =
        [(Model::Log, |c| c.log), (Model::Fisher, |c| c.fisher), (Model::Quad, |c| c.quad)];
    Ok(Json(Answer {
        mover: position.mover.to_string(),
        discs: explanation.discs,
        models: models.map(|(model, of)| parts(&explanation, model, of)).into(),
        features: explanation.features.iter().map(|f| feature_parts(f, &position)).collect(),
        note: "A product of two features in QUAD is shared equally between them.",
    }))
}

fn parts(explanation: &Explanation, model: Model, of: fn(&Contribution) -> f64) -> ModelParts {
    let value = of(&explanation.total);
    let part = |feature: &FeatureExplanation| Part {
        feature: feature.feature.name(),
        x: feature.value,
        contribution: of(&feature.contribution),
    };
    ModelParts {
        model: model.name(),
        label: model.title(),
        value,
        probability: 1.0 / (1.0 + (-value).exp()),
        intercept: of(&explanation.intercept),
        contributions: explanation.features.iter().map(part).collect(),
    }
}

fn feature_parts(feature: &FeatureExplanation, position: &Position) -> FeatureParts {
    FeatureParts {
        name: feature.feature.name(),
        title: feature.feature.title(),
        x: feature.value,
        instances: feature.instances.iter().map(|instance| place(instance, position)).collect(),
    }
}

fn place(instance: &Instance, position: &Position) -> Place {
    let squares: Vec<Square> =
        Square::ALL.into_iter().filter(|&square| instance.squares.contains(square)).collect();
    let disc =
        |&square: &Square| position.board.disc(square, position.mover).map_or('-', Color::symbol);
    Place {
        configuration: squares.iter().map(disc).collect(),
        squares: squares.iter().map(Square::to_string).collect(),
        table_value: instance.value,
    }
}
