//! Results of an experiment: what is accepted can be drawn, and is written
//! back to the same bytes.
#![no_main]

use discern_experiment::Reproduction;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(found) = Reproduction::from_json(bytes) {
        let text = found.to_json();
        assert_eq!(Reproduction::from_json(text.as_bytes()).expect("our own file").to_json(), text);
        for section in discern_report::sections(&found) {
            assert!(!section.body.is_empty());
        }
    }
});
