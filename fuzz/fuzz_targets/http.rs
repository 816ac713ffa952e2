//! Requests to the studio past its front door: address, query and body. The
//! first line is the address, the rest the body; one without a body is a GET.
#![no_main]

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use discern_web::{Bounds, Settings, Studio, testing};
use libfuzzer_sys::fuzz_target;
use tokio::runtime::Runtime;

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).enable_all().build().expect("a runtime")
});

static STUDIO: LazyLock<Arc<Studio>> = LazyLock::new(|| {
    let bounds = Bounds {
        threads: 1,
        table_mebibytes: 1,
        search: Duration::from_millis(2),
        burst: u32::MAX,
        ..Bounds::default()
    };
    let log = Arc::new(|line: &str| assert!(!line.contains(char::is_control), "{line:?}"));
    let address = [127, 0, 0, 1].into();
    let (weights, book, library) = (None, None, None);
    Studio::new(Settings { address, weights, book, library, runs: Vec::new(), bounds, log })
});

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (address, body) = (parts.next().unwrap_or_default(), parts.next());
    let Ok(address) = std::str::from_utf8(address) else { return };
    let answered = testing::answer(STUDIO.clone(), address, body.map(<[u8]>::to_vec));
    if let Some((status, body)) = RUNTIME.block_on(answered) {
        assert!([200, 304, 400, 403, 404, 405, 413, 414, 415, 503].contains(&status), "{status}");
        if status >= 400 {
            let said = String::from_utf8(body).expect("text");
            assert!(said.starts_with("{\"error\":\""), "{said}");
        }
    }
});
