use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use discern_library::{Found, Library, NamedCount, PlayerReport, Query as Wish, StoredGame};
use serde::{Deserialize, Serialize};

use super::request::{self, Asked};
use crate::background::in_background;
use crate::refusal::{Reason, Refusal};
use crate::studio::Studio;

/// The longest search of the library; what was found until then is told.
const PATIENCE: Duration = Duration::from_secs(5);

/// Names that are suggested.
const NAMES: usize = 12;

/// The most games on a page.
const MOST_ROWS: usize = 200;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    #[serde(default)]
    player: String,
    #[serde(default)]
    opponent: String,
    #[serde(default)]
    event: String,
    #[serde(default)]
    opening: String,
    from: Option<u16>,
    to: Option<u16>,
    /// Where the game began that leads to the position.
    start: Option<String>,
    /// The moves to the position that games must come through.
    moves: Option<String>,
    skip: Option<usize>,
    rows: Option<usize>,
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(flatten)]
    found: Found,
    rows: Vec<StoredGame>,
}

/// The games that a query wants, a page of them.
pub async fn find(
    State(studio): State<Arc<Studio>>,
    Asked(query): Asked<Query>,
) -> Result<Json<Answer>, Refusal> {
    let mut wish = Wish {
        player: query.player,
        opponent: query.opponent,
        event: query.event,
        opening: query.opening,
        from: query.from,
        to: query.to,
        skip: query.skip.unwrap_or(0),
        rows: query.rows.unwrap_or(50).min(MOST_ROWS),
        ..Wish::default()
    };
    if let Some(moves) = &query.moves {
        wish = wish.at(request::game(query.start.as_deref(), moves)?.position().board);
    }
    let answer = look(&studio, move |library, is_wanted| {
        let found = library.find(&wish, is_wanted);
        let rows = found.page.iter().filter_map(|&number| library.game(number)).collect();
        Answer { found, rows }
    });
    answer.await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamesQuery {
    of: Kind,
    like: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Player,
    Event,
}

/// Names to choose from, the most frequent first.
pub async fn names(
    State(studio): State<Arc<Studio>>,
    Asked(NamesQuery { of, like }): Asked<NamesQuery>,
) -> Result<Json<Vec<NamedCount>>, Refusal> {
    let names = look(&studio, move |library, _| match of {
        Kind::Player => library.players_like(&like, NAMES),
        Kind::Event => library.events_like(&like, NAMES),
    });
    names.await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerQuery {
    name: String,
}

/// How a player did.
pub async fn player(
    State(studio): State<Arc<Studio>>,
    Asked(PlayerQuery { name }): Asked<PlayerQuery>,
) -> Result<Json<PlayerReport>, Refusal> {
    let report = look(&studio, move |library, _| library.report(&name)).await?;
    report
        .map(Json)
        .ok_or_else(|| Refusal::missing("nobody of this name played here").because(Reason::Nobody))
}

/// Looks into the library, beside the searches of positions and with as many
/// others as there are readers of files.
async fn look<T: Send + 'static>(
    studio: &Studio,
    work: impl FnOnce(&Library, &mut dyn FnMut() -> bool) -> T + Send + 'static,
) -> Result<T, Refusal> {
    let Some(library) = studio.settings().library.clone() else {
        let sentence = "there are no games: start with `discern serve --games FOLDER`";
        return Err(Refusal::missing(sentence).because(Reason::Library));
    };
    let reader = studio.readers().clone().acquire_owned().await.expect("never closed");
    let deadline = Instant::now() + PATIENCE;
    // Goes with this request, which ends when its client does.
    let here = Arc::new(());
    let client = Arc::downgrade(&here);
    let looking = in_background(move || {
        let _place = reader;
        work(&library, &mut || client.strong_count() > 0 && Instant::now() < deadline)
    });
    looking
        .await
        .map_err(|_| Refusal::bad("this could not be searched for").because(Reason::Broken))
}
