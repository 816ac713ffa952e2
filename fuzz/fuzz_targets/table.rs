//! Tables, CSV and Parquet, plain or zstd: every column as text and as numbers.
#![no_main]

use discern_table::{Cells, Table, Wanted};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::io::Write::write_all(&mut file, bytes).expect("room for it");
    let Ok(table) = Table::open(file.path()) else { return };
    for wanted in [Wanted::Text, Wanted::Number] {
        let all: Vec<Wanted> = (0..table.columns().len()).map(wanted).collect();
        let Ok(reader) = table.read(&all) else { continue };
        for batch in reader.take_while(Result::is_ok).flatten() {
            for cells in batch.cells {
                if let Cells::Numbers(numbers) = cells {
                    assert!(numbers.iter().all(|number| number.is_finite()));
                }
            }
        }
    }
});
