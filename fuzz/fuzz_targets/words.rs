//! The small languages of options: commands of programs, features, formats,
//! counts of grades, models, threads.
#![no_main]

use discern_eval::Features;
use discern_fit::ModelKind;
use discern_players::player::Command;
use discern_players::{Level, Shard};
use discern_records::{Ending, Format};
use discern_review::Counts;
use discern_stats::Threads;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = (Command::parse(text), Level::parse(text), text.parse::<ModelKind>());
    let _ = (text.parse::<Format>(), text.parse::<Counts>(), text.parse::<Threads>());
    if let Ok(features) = text.parse::<Features>() {
        assert_eq!(features.to_string().parse(), Ok(features));
    }
    if let Ok(ending) = text.parse::<Ending>() {
        assert_eq!(ending.to_string().parse(), Ok(ending));
    }
    if let Ok(shard) = text.parse::<Shard>() {
        assert_eq!(shard.to_string().parse(), Ok(shard));
    }
});
