//! Whatever a query says, the answer is good or a refusal, never a failure.

use std::sync::LazyLock;

use proptest::prelude::*;

use crate::client::START;
use crate::server::Server;

static SERVER: LazyLock<Server> = LazyLock::new(Server::start);

/// Bytes as they may stand in a query, a few of them percent-encoded.
fn query() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        "[!$-;=?-\\[\\]_a-z~]{0,40}",
        "(%[0-9a-fA-F]{2}){0,20}",
        "[-XO]{60,68}[+][XO]",
        Just(START.to_owned()),
        "-?[0-9]{1,20}([.][0-9]{1,5})?(e[0-9]{1,3})?",
        "([a-h][1-8]|pass|--){0,70}",
    ];
    let name = prop_oneof![
        Just("client".to_owned()),
        Just("position".to_owned()),
        Just("start".to_owned()),
        Just("moves".to_owned()),
        Just("threads".to_owned()),
        Just("lines".to_owned()),
        Just("model".to_owned()),
        "[a-z]{0,8}",
    ];
    proptest::collection::vec((name, value), 0..6).prop_map(|pairs| {
        let pairs: Vec<String> =
            pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("&")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_query_is_answered_or_refused(
        address in proptest::sample::select(vec!["analyze", "review", "explain", "info", "experiments"]),
        query in query(),
    ) {
        // What happens to be right must not take long.
        let seconds = if matches!(address, "analyze" | "review") { "&seconds=0.01" } else { "" };
        let answer = SERVER.get(&format!("/api/{address}?{query}{seconds}"));
        prop_assert!([200, 400, 404].contains(&answer.status), "{answer:?}");
        if answer.status != 200 {
            prop_assert!(answer.json()["error"].is_string());
        }
    }

    #[test]
    fn any_body_is_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..300)) {
        let answer = SERVER.client().post("/api/import", &[], &body);
        prop_assert!([200, 400].contains(&answer.status), "{answer:?}");
        let kind = [("Content-Type", "application/json")];
        let answer = SERVER.client().post("/api/move", &kind, &body);
        prop_assert_eq!(answer.status, 400);
    }
}
