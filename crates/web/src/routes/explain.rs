use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use discern_board::{Color, Position, Square};
use discern_eval::{Explanation, FeatureExplanation, Instance, ModelExplanation};
use serde::{Deserialize, Serialize};

use super::request::{self, Asked};
use crate::refusal::{Reason, Refusal};
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
    model: String,
    label: String,
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
    explanation: &'static str,
    x: f64,
    instances: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    squares: Vec<String>,
    configuration: String,
    table_value: f64,
}

/// Takes the value of a position apart, for all models of the weights.
pub async fn explain(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Json<Answer>, Refusal> {
    let position = request::position(&query.position)?;
    let Some(weights) = studio.models().weights() else {
        let sentence = "no weights are loaded, so there is nothing to explain";
        return Err(Refusal::missing(sentence).because(Reason::Weights));
    };
    let explanation = weights.explain(&position.board);
    Ok(Json(Answer {
        mover: position.mover.to_string(),
        discs: explanation.discs,
        models: explanation.models.iter().map(|model| parts(&explanation, model)).collect(),
        features: explanation.features.iter().map(|f| feature_parts(f, &position)).collect(),
        note: "A product of two features in QUAD is shared equally between them.",
    }))
}

fn parts(explanation: &Explanation, model: &ModelExplanation) -> ModelParts {
    let value = model.parts.value();
    let part = |(feature, &contribution): (&FeatureExplanation, &f64)| Part {
        feature: feature.feature.name(),
        x: feature.value,
        contribution,
    };
    ModelParts {
        model: model.name.clone(),
        label: model.title.clone(),
        value,
        probability: model.parts.probability(),
        intercept: model.parts.intercept,
        contributions: explanation
            .features
            .iter()
            .zip(&model.parts.contributions)
            .map(part)
            .collect(),
    }
}

fn feature_parts(feature: &FeatureExplanation, position: &Position) -> FeatureParts {
    FeatureParts {
        name: feature.feature.name(),
        title: feature.feature.title(),
        explanation: feature.feature.explanation(),
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
