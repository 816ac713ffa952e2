//! What every request passes: limits, the check that it comes from our own
//! page, security headers, and a log line if it is refused.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::refusal::{Refusal, quoted};
use crate::studio::Studio;

/// Who sent a request.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// The longest address with its query.
const LONGEST_URI: usize = 8 << 10;

/// Nothing but our own files and answers; no inline script, no framing.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const SECURITY_HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
];

/// Lets a request in or refuses it.
pub async fn front_door(
    State(studio): State<Arc<Studio>>,
    request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::from([0; 4]), |peer| peer.0);
    let (method, path) = (request.method().clone(), quoted(request.uri().path()));
    let mut response = match admit(&studio, &request, peer) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let status = response.status();
    if status.is_client_error() || status.is_server_error() {
        let refusal = response.extensions().get::<Refusal>();
        let reason = refusal.map_or("refused", Refusal::sentence);
        let method = quoted(method.as_str());
        (studio.settings().log)(&format!("{peer} {method} {path}: {} {reason}", status.as_u16()));
    }
    let headers = response.headers_mut();
    for (name, value) in &SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn admit(studio: &Studio, request: &Request, peer: IpAddr) -> Result<(), Refusal> {
    studio.rate().count(peer, Instant::now()).map_err(|after| {
        Refusal::later(StatusCode::TOO_MANY_REQUESTS, after, "too many requests, please slow down")
    })?;
    if request.uri().to_string().len() > LONGEST_URI {
        return Err(Refusal::new(StatusCode::URI_TOO_LONG, "the address is too long"));
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD | Method::POST) {
        let sentence = "only GET, HEAD and POST are served";
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence));
    }
    let host = named_host(request.headers(), request.uri())
        .filter(|host| studio.hosts().contains(host))
        .ok_or_else(|| {
            Refusal::new(StatusCode::FORBIDDEN, "this server is not addressed under that name")
        })?;
    if is_foreign(request, host) {
        let sentence = "only the studio's own page may ask for this";
        return Err(Refusal::new(StatusCode::FORBIDDEN, sentence));
    }
    if is_costly(request.uri().path()) && !is_vouched_for(studio, request.headers()) {
        let sentence = "this needs the token of /api/info in the header X-Discern-Token";
        return Err(Refusal::new(StatusCode::FORBIDDEN, sentence));
    }
    Ok(())
}

/// The header of the token.
const TOKEN: &str = "x-discern-token";

/// Does a request make the machine work? Pictures and frames of other pages
/// ask for addresses, too.
fn is_costly(path: &str) -> bool {
    path.starts_with("/api/") && path != "/api/info"
}

/// Does a request come from our page, or from somebody who could read what we
/// answer? New browsers say that in headers which no page can set; our page
/// and other programs know the token, which other pages cannot read.
fn is_vouched_for(studio: &Studio, headers: &HeaderMap) -> bool {
    let has = |name: &str| headers.contains_key(name);
    // Foreign values were refused before.
    let token = headers.get(TOKEN);
    has("sec-fetch-site") || has("origin") || token.is_some_and(|found| found == studio.token())
}

/// The one host a request names.
fn named_host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> Option<&'a str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    let host = hosts.next()?.to_str().ok()?;
    let alone = hosts.next().is_none();
    let agrees = uri.authority().is_none_or(|authority| authority.as_str() == host);
    (alone && agrees).then_some(host)
}

/// Did a page of another origin send it? Browsers say so; other programs say
/// nothing and may ask for everything.
fn is_foreign(request: &Request, host: &str) -> bool {
    let text = |name: &str| request.headers().get(name).map(HeaderValue::to_str);
    let other_origin = match text("origin") {
        None => false,
        Some(origin) => {
            let own = |scheme| origin.as_ref().is_ok_and(|o| o.strip_prefix(scheme) == Some(host));
            !own("http://") && !own("https://")
        }
    };
    // Links from elsewhere may lead to the page, but not into the API.
    let from_elsewhere = request.uri().path().starts_with("/api/")
        && text("sec-fetch-site").is_some_and(|site| !matches!(site, Ok("same-origin" | "none")));
    other_origin || from_elsewhere
}
