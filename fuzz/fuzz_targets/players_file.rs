//! TOML files of players; what is accepted has a text that reads the same.
#![no_main]

use discern_players::{PlayerSpec, PlayersFileError, read_players};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    match read_players(file.path()) {
        Ok(players) => {
            for player in players {
                let shown = player.to_string();
                assert_eq!(shown.parse::<PlayerSpec>().expect("our own text"), player, "{shown}");
                let _ = (player.check(), player.search_limits());
            }
        }
        Err(PlayersFileError::Toml { line, .. }) => {
            assert!(line <= 1 + bytes.iter().filter(|&&byte| byte == b'\n').count());
        }
        Err(PlayersFileError::Io(..)) => {}
    }
});
