//! Sparse rows written here and read back, whole and damaged.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use discern_table::{Cells, Place, SparseTable, SparseWanted, TableError};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

struct Directory(tempfile::TempDir);

impl Directory {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, contents).unwrap();
        path
    }
}

type Row = Vec<(u32, f64)>;

/// The entries of all rows, and the cells of each wanted column.
fn read(path: &Path, wanted: &SparseWanted) -> Result<(Vec<Row>, Vec<Cells>), TableError> {
    let table = SparseTable::open(path)?;
    let mut rows = Vec::new();
    let mut cells: Vec<Cells> = Vec::new();
    let mut reader = table.read(wanted)?;
    for batch in &mut reader {
        let batch = batch?;
        rows.extend((0..batch.rows()).map(|row| batch.entries(row).to_vec()));
        if cells.is_empty() {
            cells = batch.cells;
            continue;
        }
        for (all, more) in cells.iter_mut().zip(batch.cells) {
            match (all, more) {
                (Cells::Numbers(all), Cells::Numbers(more)) => all.extend(more),
                (Cells::Text(all), Cells::Text(more)) => all.extend(more),
                _ => panic!("a column changes its type"),
            }
        }
    }
    assert_eq!(reader.progress(), 1.0);
    Ok((rows, cells))
}

fn problem(path: &Path, wanted: &SparseWanted) -> String {
    let error = read(path, wanted).unwrap_err().to_string();
    error.strip_prefix(path.to_str().unwrap()).unwrap_or(&error).to_string()
}

fn labelled() -> SparseWanted {
    SparseWanted::text(["label"])
}

#[test]
fn text_has_labels_named_cells_entries_and_comments() {
    let desk = Directory::new();
    let text =
        "# a head\n+1 qid:3 phase:-2  1:1 7:-0.5\t9:1e2 # won\r\n\nlost qid:x phase:4 # 1:1\n";
    let wanted = SparseWanted {
        cells: vec![("phase".into(), true), ("label".into(), false), ("qid".into(), false)],
        ..labelled()
    };
    let expected = (
        vec![vec![(0, 1.0), (6, -0.5), (8, 100.0)], vec![]],
        vec![
            Cells::Numbers(vec![-2.0, 4.0]),
            Cells::Text(vec!["+1".into(), "lost".into()]),
            Cells::Text(vec!["3".into(), "x".into()]),
        ],
    );
    let plain = desk.file("a.svm", text);
    assert_eq!(read(&plain, &wanted).unwrap(), expected);
    assert_eq!(SparseTable::open(&plain).unwrap().columns(), ["label", "qid", "phase"]);
    let packed = desk.file("a.svm.zst", zstd::encode_all(text.as_bytes(), 3).unwrap());
    assert_eq!(read(&packed, &wanted).unwrap(), expected);
    let from_zero = SparseWanted { first_index: 0, ..labelled() };
    let path = desk.file("b.svm", "0 0:1 2:1\n");
    assert_eq!(read(&path, &from_zero).unwrap().0, [[(0, 1.0), (2, 1.0)]]);
}

#[test]
fn many_rows_keep_their_order_and_lines() {
    let desk = Directory::new();
    let rows = 10_000;
    let text: String = (0..rows).map(|row| format!("\n{row} {}:1\n", row + 1)).collect();
    let path = desk.file("a.svm", &text);
    let (entries, cells) = read(&path, &labelled()).unwrap();
    assert!((0..rows).all(|row| entries[row as usize] == [(row, 1.0)]));
    assert_eq!(cells[0].text()[9_999], "9999");
    let table = SparseTable::open(&path).unwrap();
    let second = table.read(&labelled()).unwrap().nth(1).unwrap().unwrap();
    let first: u64 = second.cells[0].text()[0].parse().unwrap();
    assert_eq!(second.place(0), Place::Line(2 * first + 2));
}

#[test]
fn bad_lines_are_told_with_their_number() {
    let desk = Directory::new();
    let long = "9".repeat(300);
    let cases: [(&str, &str); 14] = [
        ("1 1:1\n0 2:1 2:3\n", ", line 2: index 2 occurs twice"),
        ("1 1:1\n\n0 7:1 2:3\n", ", line 3: index 2 follows 7: indices must ascend"),
        ("1 1:nan\n", ", line 1: index 1: 'nan' is not a finite number"),
        ("1 1:-inf\n", ", line 1: index 1: '-inf' is not a finite number"),
        ("1 1:\n", ", line 1: index 1: the cell is empty where a number is needed"),
        ("1 1:2:3\n", ", line 1: index 1: '2:3' is not a number"),
        ("1 1:1 7\n", ", line 1: '7' is not index:value"),
        ("1 -3:1\n", ", line 1: '-3:1' is not index:value"),
        ("1 1:1 qid:3\n", ", line 1: 'qid:3' is not index:value"),
        ("1:1 2:1\n", ", line 1: begins with '1:1', not with a label"),
        ("1 0:1\n", ", line 1: index 0: the least index is 1, or say that the file counts from 0"),
        ("1 2147483649:1\n", ", line 1: index 2147483649 is out of range: at most 2147483647"),
        ("", ": is empty: it has no row"),
        ("# nothing\n\n", ": is empty: it has no row"),
    ];
    for (text, expected) in cases {
        assert_eq!(problem(&desk.file("a.svm", text), &labelled()), expected, "{text:?}");
    }
    let text = problem(&desk.file("a.svm", format!("1 {long}:1\n")), &labelled());
    assert!(text.ends_with("…' is not index:value") && text.len() < 90, "{text}");
    let phased = SparseWanted { cells: vec![("phase".into(), true)], ..labelled() };
    let cases = [
        ("1 phase:3 1:1\n1 1:1\n", ", line 2: there is no 'phase:'"),
        ("1 phase:3 phase:4 1:1\n", ", line 1: there are two 'phase:'"),
        ("1 phase:x 1:1\n", ", line 1: phase: 'x' is not a number"),
        ("1 1:1\n", ": there is no column 'phase' (there are: label)"),
    ];
    for (text, expected) in cases {
        assert_eq!(problem(&desk.file("a.svm", text), &phased), expected, "{text:?}");
    }
    let path = desk.file("a.svm", b"\xff\xfe 1:1\n");
    assert!(problem(&path, &labelled()).contains("is not UTF-8 text"));
}

#[test]
fn a_file_cut_in_the_middle_is_noticed() {
    let desk = Directory::new();
    let row = |row: u32| format!("1 {}:1 {}:-1 {}:0.25\n", row + 1, row + 70, row + 900);
    let text: String = (0..500).map(row).collect();
    for last in ["1", "1 ", "1 500:1", "1 500:1 569:-1", "1 500:1 569:-1 13", "1 500:1 569:"] {
        let error = problem(&desk.file("a.svm", text.clone() + last), &labelled());
        assert!(error.starts_with(", line 501: "), "{last}: {error}");
    }
    // Without the last line end alone, and without anything missing, all is well.
    assert_eq!(read(&desk.file("a.svm", text.trim_end()), &labelled()).unwrap().0.len(), 500);
    let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let error = problem(&desk.file("a.zst", &packed[..packed.len() / 2]), &labelled());
    assert!(error.contains(", line ") && error.contains("incomplete frame"), "{error}");
}

/// Changed bytes give an error or other rows, never a panic.
#[test]
fn rubbish_does_no_harm() {
    let desk = Directory::new();
    let text = "1 qid:3 1:1 7:-0.5\n0 qid:4 2:1 3:1e9\n".repeat(3);
    let parquet = desk.0.path().join("whole.parquet");
    write_parquet(&parquet, &lists(), |_| ());
    let seeds = [
        text.as_bytes().to_vec(),
        zstd::encode_all(text.as_bytes(), 3).unwrap(),
        std::fs::read(parquet).unwrap(),
    ];
    let mut random = 1u64;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        (random >> 33) as usize % below
    };
    for seed in seeds {
        for _ in 0..300 {
            let mut bytes = seed.clone();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                match next(3) {
                    0 => bytes[at] = next(256) as u8,
                    1 => bytes.truncate(at.max(1)),
                    _ => drop(bytes.remove(at)),
                }
                if bytes.is_empty() {
                    bytes.push(b'1');
                }
            }
            let path = desk.file("rubbish", &bytes);
            if let Ok((rows, _)) = read_quietly(&path) {
                for row in rows {
                    assert!(row.windows(2).all(|pair| pair[0].0 < pair[1].0));
                    assert!(row.iter().all(|entry| entry.1.is_finite()));
                }
            }
        }
    }
}

fn read_quietly(path: &Path) -> Result<(Vec<Row>, usize), TableError> {
    let table = SparseTable::open(path)?;
    let values = table.has("values").then(|| "values".to_string());
    let wanted = SparseWanted { values, ..labelled() };
    let mut rows = Vec::new();
    for batch in table.read(&wanted)? {
        let batch = batch?;
        rows.extend((0..batch.rows()).map(|row| batch.entries(row).to_vec()));
    }
    let count = rows.len();
    Ok((rows, count))
}

/// What to write into a Parquet file: `None` is a missing list, and a missing
/// value within a list.
struct Lists {
    indices: Vec<Option<Vec<Option<i32>>>>,
    values: Vec<Option<Vec<f64>>>,
}

fn lists() -> Lists {
    let some = |list: &[i32]| Some(list.iter().copied().map(Some).collect());
    Lists {
        indices: vec![some(&[1, 5, 9]), some(&[]), some(&[2])],
        values: vec![Some(vec![1.0, -0.5, 3.0]), Some(vec![]), Some(vec![0.1])],
    }
}

fn write_parquet(path: &Path, lists: &Lists, change: impl FnOnce(&mut String)) {
    let mut schema = "message rows {
        required binary label (UTF8);
        optional group indices (LIST) { repeated group list { optional int32 element; } }
        optional group values (LIST) { repeated group list { required double element; } }
    }"
    .to_string();
    change(&mut schema);
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let compression = Compression::ZSTD(ZstdLevel::default());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let mut writer =
        SerializedFileWriter::new(File::create(path).unwrap(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let labels: Vec<ByteArray> = lists.indices.iter().map(|_| ByteArray::from("win")).collect();
    column.typed::<ByteArrayType>().write_batch(&labels, None, None).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let (mut values, mut definitions, mut repetitions) = (vec![], vec![], vec![]);
    for list in &lists.indices {
        let Some(list) = list else {
            definitions.push(0);
            repetitions.push(0);
            continue;
        };
        if list.is_empty() {
            definitions.push(1);
            repetitions.push(0);
        }
        for (at, value) in list.iter().enumerate() {
            repetitions.push(i16::from(at > 0));
            definitions.push(if value.is_some() { 3 } else { 2 });
            values.extend(value);
        }
    }
    let levels = (Some(&definitions[..]), Some(&repetitions[..]));
    column.typed::<Int32Type>().write_batch(&values, levels.0, levels.1).unwrap();
    column.close().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let (mut values, mut definitions, mut repetitions) = (vec![], vec![], vec![]);
    for list in &lists.values {
        let list = list.as_deref();
        if list.is_none_or(<[f64]>::is_empty) {
            definitions.push(i16::from(list.is_some()));
            repetitions.push(0);
        }
        for (at, value) in list.unwrap_or_default().iter().enumerate() {
            repetitions.push(i16::from(at > 0));
            definitions.push(2);
            values.push(*value);
        }
    }
    let levels = (Some(&definitions[..]), Some(&repetitions[..]));
    column.typed::<DoubleType>().write_batch(&values, levels.0, levels.1).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn lists_of_parquet_are_rows() {
    let desk = Directory::new();
    let path = desk.0.path().join("a.parquet");
    write_parquet(&path, &lists(), |_| ());
    assert_eq!(SparseTable::open(&path).unwrap().columns(), ["label", "indices", "values"]);
    let wanted = SparseWanted { values: Some("values".into()), ..labelled() };
    let (rows, cells) = read(&path, &wanted).unwrap();
    assert_eq!(rows, [vec![(0, 1.0), (4, -0.5), (8, 3.0)], vec![], vec![(1, 0.1)]]);
    assert_eq!(cells[0].text(), ["win", "win", "win"]);
    // Without values every one is 1.
    assert_eq!(read(&path, &labelled()).unwrap().0[0], [(0, 1.0), (4, 1.0), (8, 1.0)]);
}

#[test]
fn bad_lists_are_told_with_their_row() {
    type Change = fn(&mut Lists);
    let desk = Directory::new();
    let path = desk.0.path().join("a.parquet");
    let wanted = SparseWanted { values: Some("values".into()), ..labelled() };
    let told = |change: Change| {
        let mut lists = lists();
        change(&mut lists);
        write_parquet(&path, &lists, |_| ());
        problem(&path, &wanted)
    };
    let cases: [(Change, &str); 7] = [
        (|l| l.values[2] = Some(vec![0.1, 0.2]), ", row 3: 1 indices and 2 values"),
        (|l| l.indices[1] = None, ", row 2, column 'indices': the list is missing"),
        (|l| l.values[0] = None, ", row 1, column 'values': the list is missing"),
        (
            |l| l.indices[0].as_mut().unwrap()[1] = None,
            ", row 1, column 'indices': a value of the list is missing",
        ),
        (|l| l.values[2] = Some(vec![f64::NAN]), ", row 3: index 2: NaN is not a finite number"),
        (|l| l.indices[2] = Some(vec![Some(-4)]), ", row 3: index -4 is negative"),
        (
            |l| l.indices[0] = Some(vec![Some(5), Some(1), Some(9)]),
            ", row 1: index 1 follows 5: indices must ascend",
        ),
    ];
    for (change, expected) in cases {
        assert_eq!(told(change), expected);
    }
    write_parquet(&path, &lists(), |_| ());
    let flat = SparseWanted { indices: "label".into(), ..labelled() };
    assert_eq!(problem(&path, &flat), ": column 'label' is no list");
    let reals = SparseWanted { indices: "values".into(), ..labelled() };
    let expected = ": column 'values' holds no whole numbers: store int32 or int64";
    assert_eq!(problem(&path, &reals), expected);
    let list = SparseWanted { cells: vec![("indices".into(), true)], ..labelled() };
    let expected = ": column 'indices' is a list; only flat columns can be read";
    assert_eq!(problem(&path, &list), expected);
    let whole = std::fs::read(&path).unwrap();
    let cut = desk.file("cut.parquet", &whole[..whole.len() / 2]);
    assert!(problem(&cut, &labelled()).starts_with(": "));
}
