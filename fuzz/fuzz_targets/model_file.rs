//! Model files; what is accepted is written back to the same models and
//! predicts something.
#![no_main]

use discern_fit::{ModelFile, Predictor};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(file) = ModelFile::parse(text) else { return };
    let mut again = Vec::new();
    file.write(&mut again).expect("memory to memory");
    let again = String::from_utf8(again).expect("text");
    assert_eq!(ModelFile::parse(&again).expect("our own file"), file);
    let _ = Predictor::new(&file, &[]);
});
