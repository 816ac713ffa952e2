//! Sparse rows, LIBSVM text and Parquet, plain or zstd.
#![no_main]

use discern_table::{SparseTable, SparseWanted};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::io::Write::write_all(&mut file, bytes).expect("room for it");
    let Ok(table) = SparseTable::open(file.path()) else { return };
    let values = table.has("values").then(|| "values".to_string());
    for first_index in [0, 1] {
        let wanted =
            SparseWanted { values: values.clone(), first_index, ..SparseWanted::text(["label"]) };
        let Ok(reader) = table.read(&wanted) else { return };
        for batch in reader.take_while(Result::is_ok).flatten() {
            for row in 0..batch.rows() {
                let entries = batch.entries(row);
                assert!(entries.windows(2).all(|pair| pair[0].0 < pair[1].0));
                assert!(entries.iter().all(|entry| entry.1.is_finite()));
            }
        }
    }
});
