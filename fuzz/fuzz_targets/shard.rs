//! Shards that another machine sends: the seal is the first line, the games
//! are the rest; once as they are and once under a seal that fits.
#![no_main]

use std::sync::LazyLock;

use discern_players::{RunFolder, Seal, WeightStore, fingerprint_of_bytes};
use discern_selfplay::GeneratePlan;
use libfuzzer_sys::fuzz_target;
use tempfile::TempDir;

static FOLDER: LazyLock<(TempDir, RunFolder<GeneratePlan>)> = LazyLock::new(|| {
    let place = tempfile::tempdir().expect("a temporary folder");
    let store = WeightStore::new();
    let player = || "rev,depth=1".parse().expect("a player");
    let plan = GeneratePlan::between([player(), player()], &store).expect("a plan");
    let folder = RunFolder::create(place.path(), plan, &store, true).expect("room for a plan");
    (place, folder)
});

fuzz_target!(|bytes: &[u8]| {
    let folder = &FOLDER.1;
    let mut parts = bytes.splitn(2, |&byte| byte == b'\n');
    let (seal, games) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let _ = folder.accept(0, games, &String::from_utf8_lossy(seal), true);
    let seal = Seal {
        format: "discern shard 2".into(),
        plan: folder.name().into(),
        build: folder.plan().build.clone(),
        shard: 1,
        shards: folder.plan().work.shards,
        games: 1,
        bytes: bytes.len() as u64,
        blake3: fingerprint_of_bytes(bytes),
    };
    let seal = serde_json::to_string(&seal).expect("plain data");
    let _ = folder.accept(1, bytes, &seal, true);
});
