//! Tables written here and read back, whole and damaged.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use discern_table::{BATCH_ROWS, Cells, Place, Table, TableError, Wanted};
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
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

/// Columns of numbers, and columns of text.
type Columns = (Vec<Vec<f64>>, Vec<Vec<String>>);

/// Reads columns whole: features as numbers, the last as text.
fn read(path: &Path, numbers: &[&str], text: &[&str]) -> Result<Columns, TableError> {
    let table = Table::open(path)?;
    let mut wanted = Vec::new();
    for name in numbers {
        wanted.push(Wanted::Number(table.column(name)?));
    }
    for name in text {
        wanted.push(Wanted::Text(table.column(name)?));
    }
    let mut found = (vec![Vec::new(); numbers.len()], vec![Vec::new(); text.len()]);
    let mut reader = table.read(&wanted)?;
    for batch in &mut reader {
        let batch = batch?;
        assert!(batch.rows > 0 && batch.rows <= BATCH_ROWS);
        for (index, cells) in batch.cells.iter().enumerate() {
            match cells {
                Cells::Numbers(values) => found.0[index].extend(values),
                Cells::Text(values) => found.1[index - numbers.len()].extend(values.clone()),
            }
        }
    }
    assert_eq!(reader.progress(), 1.0);
    Ok(found)
}

fn message(path: &Path, numbers: &[&str], text: &[&str]) -> String {
    let error = read(path, numbers, text).unwrap_err().to_string();
    assert!(error.starts_with(path.to_str().unwrap()), "{error}");
    error[path.to_str().unwrap().len()..].to_string()
}

const ROWS: usize = 2 * BATCH_ROWS + 17;

fn csv_text(delimiter: &str) -> String {
    let mut text = ["mobility", "edge", "result"].join(delimiter) + "\n";
    for row in 0..ROWS {
        let cells = [format!("{}", row as f64 / 8.0), format!("-{row}"), format!("r{}", row % 3)];
        text += &(cells.join(delimiter) + "\n");
    }
    text
}

fn check_all_rows(path: &Path) {
    let (numbers, text) = read(path, &["edge", "mobility"], &["result"]).unwrap();
    assert_eq!(numbers[0].len(), ROWS);
    for row in 0..ROWS {
        assert_eq!(numbers[0][row], -(row as f64));
        assert_eq!(numbers[1][row], row as f64 / 8.0);
        assert_eq!(text[0][row], format!("r{}", row % 3));
    }
}

#[test]
fn commas_semicolons_and_tabs_plain_or_compressed() {
    let directory = Directory::new();
    for (name, delimiter) in [("a.csv", ","), ("b.csv", ";"), ("c.tsv", "\t")] {
        let text = csv_text(delimiter);
        check_all_rows(&directory.file(name, &text));
        let compressed = zstd::encode_all(text.as_bytes(), 3).unwrap();
        check_all_rows(&directory.file(&format!("{name}.zst"), compressed));
    }
}

#[test]
fn byte_order_marks_quotes_blanks_and_carriage_returns_are_understood() {
    let directory = Directory::new();
    let text = "\u{feff}a, b ,\"the, label\"\r\n 1 ,2.5e-3,\"won, at last\"\r\n-0.5,+7,lost\r\n";
    let path = directory.file("a.csv", text);
    let (numbers, text) = read(&path, &["a", "b"], &["the, label"]).unwrap();
    assert_eq!(numbers, [[1.0, -0.5], [0.0025, 7.0]]);
    assert_eq!(text, [["won, at last", "lost"]]);
}

#[test]
fn a_name_in_quotes_may_hold_a_newline_and_other_delimiters() {
    let directory = Directory::new();
    let path = directory.file("a.csv", "\"a;\nin;discs;\",b\n1,2\n3,x\n");
    let table = Table::open(&path).unwrap();
    assert_eq!(table.columns(), ["a;\nin;discs;", "b"]);
    let (numbers, text) = read(&path, &["a;\nin;discs;"], &["b"]).unwrap();
    assert_eq!((numbers, text), (vec![vec![1.0, 3.0]], vec![vec!["2".into(), "x".into()]]));
    assert_eq!(message(&path, &["b"], &[]), ", line 4, column 'b': 'x' is not a number");
    let unfinished = directory.file("b.csv", "\"a,b\n1,2\n");
    assert!(Table::open(&unfinished).is_ok_and(|table| table.columns().len() == 1));
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_at_once() {
    let message = Table::open("/dev/zero").unwrap_err().to_string();
    assert_eq!(message, "/dev/zero: is not a regular file; a table is read more than once");
}

#[test]
fn a_table_of_only_names_has_no_rows() {
    let directory = Directory::new();
    let (numbers, _) = read(&directory.file("a.csv", "a,b\n"), &["a"], &[]).unwrap();
    assert_eq!(numbers, [Vec::<f64>::new()]);
}

#[test]
fn whatever_is_wrong_is_told_with_its_line_and_column() {
    let directory = Directory::new();
    let file = |text: &str| directory.file("bad.csv", text);
    let cases = [
        ("a,b\n1,2\n3,x\n", ", line 3, column 'b': 'x' is not a number"),
        ("a,b\n1,2\n\n3,nan\n", ", line 4, column 'b': 'nan' is not a finite number"),
        ("a,b\r\n1,2\r\n\r\n3,x\r\n", ", line 4, column 'b': 'x' is not a number"),
        ("a,b\n1,-inf\n", ", line 2, column 'b': '-inf' is not a finite number"),
        ("a,b\n1,1e999\n", ", line 2, column 'b': '1e999' is not a finite number"),
        ("a,b\n1,\n", ", line 2, column 'b': the cell is empty where a number is needed"),
        ("a,b\n1,2,3\n", ", line 2: 3 cells where 2 are expected"),
        ("a,b\n1,2\n1\n", ", line 3: 1 cells where 2 are expected"),
        ("a,c\n1,2\n", ": there is no column 'b' (there are: a, c)"),
        ("b,b\n1,2\n", ": there are two columns 'b'"),
        ("a,,b\n1,2,3\n", ": column 2 has no name"),
        ("", ": is empty; the first line must name the columns"),
        ("\n\n", ": is empty; the first line must name the columns"),
    ];
    for (text, expected) in cases {
        assert_eq!(message(&file(text), &["a", "b"], &[]), expected);
    }
    let not_utf8 = directory.file("bad.csv", b"a,b\n1,\xff\xfe\n");
    assert_eq!(message(&not_utf8, &["a"], &["b"]), ", line 2, column 'b': is not UTF-8 text");
    let missing = directory.0.path().join("missing.csv");
    assert!(message(&missing, &[], &[]).contains("No such file"));
    assert!(message(directory.0.path(), &[], &[]).contains("is a directory"));
}

#[test]
fn a_cut_off_compressed_file_is_an_error_and_not_a_shorter_table() {
    let directory = Directory::new();
    let compressed = zstd::encode_all(csv_text(",").as_bytes(), 3).unwrap();
    let path = directory.file("cut.csv.zst", &compressed[..compressed.len() / 2]);
    assert!(!message(&path, &["edge"], &[]).is_empty());
}

#[test]
fn places_count_lines_of_text_and_rows_of_parquet() {
    let directory = Directory::new();
    let path = directory.file("a.csv", "a\n\"1\n\"\n2\n");
    let table = Table::open(&path).unwrap();
    let batch = table.read(&[Wanted::Text(0)]).unwrap().next().unwrap().unwrap();
    assert_eq!((batch.place(0), batch.place(1)), (Place::Line(2), Place::Line(4)));

    let path = directory.0.path().join("a.parquet");
    write_parquet(&path, Compression::UNCOMPRESSED, None);
    let table = Table::open(&path).unwrap();
    let batches: Vec<_> = table.read(&[Wanted::Number(0)]).unwrap().map(Result::unwrap).collect();
    assert_eq!(batches[1].place(0), Place::Row(batches[0].rows as u64 + 1));
}

/// The same table as `csv_text`, in two row groups, with more column types.
fn write_parquet(path: &Path, compression: Compression, missing: Option<usize>) {
    let schema = "message table {
        required double mobility;
        required int32 edge;
        optional binary result (UTF8);
        required int64 game;
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().set_compression(compression).build());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    for rows in [0..BATCH_ROWS + 5, BATCH_ROWS + 5..ROWS] {
        let mut group = writer.next_row_group().unwrap();
        let mut index = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            match index {
                0 => {
                    let values: Vec<f64> = rows.clone().map(|row| row as f64 / 8.0).collect();
                    column.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
                }
                1 => {
                    let values: Vec<i32> = rows.clone().map(|row| -(row as i32)).collect();
                    column.typed::<Int32Type>().write_batch(&values, None, None).unwrap();
                }
                2 => {
                    let levels: Vec<i16> =
                        rows.clone().map(|row| i16::from(Some(row) != missing)).collect();
                    let values: Vec<ByteArray> = rows
                        .clone()
                        .filter(|row| Some(*row) != missing)
                        .map(|row| ByteArray::from(format!("r{}", row % 3).as_str()))
                        .collect();
                    let mut typed = column;
                    typed
                        .typed::<ByteArrayType>()
                        .write_batch(&values, Some(&levels), None)
                        .unwrap();
                    typed.close().unwrap();
                    index += 1;
                    continue;
                }
                _ => {
                    let values: Vec<i64> = rows.clone().map(|row| (1 << 53) + row as i64).collect();
                    column.typed::<Int64Type>().write_batch(&values, None, None).unwrap();
                }
            }
            column.close().unwrap();
            index += 1;
        }
        group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn parquet_reads_the_same_table_with_every_compression() {
    let directory = Directory::new();
    let compressions = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::ZSTD(Default::default()),
        Compression::LZ4_RAW,
        Compression::GZIP(Default::default()),
    ];
    for compression in compressions {
        let path = directory.0.path().join("a.parquet");
        write_parquet(&path, compression, None);
        check_all_rows(&path);
    }
}

#[test]
fn parquet_problems_are_told_with_row_and_column() {
    let directory = Directory::new();
    let path = directory.0.path().join("a.parquet");
    write_parquet(&path, Compression::UNCOMPRESSED, Some(BATCH_ROWS + 9));
    let expected = format!(", row {}, column 'result': the value is missing", BATCH_ROWS + 10);
    assert_eq!(message(&path, &[], &["result"]), expected);
    assert_eq!(
        message(&path, &["result"], &[]),
        ": column 'result' holds text where numbers are needed"
    );
    let inexact = message(&path, &["game"], &[]);
    assert_eq!(
        inexact,
        ", row 2, column 'game': 9007199254740993 is too large to be exact as a number"
    );
    let compressed = zstd::encode_all(&std::fs::read(&path).unwrap()[..], 1).unwrap();
    let wrapped = directory.file("a.parquet.zst", compressed);
    assert!(message(&wrapped, &[], &[]).contains("Parquet file within zstd"));
}

#[test]
fn damaged_parquet_files_are_errors_wherever_the_damage_is() {
    let directory = Directory::new();
    let path = directory.0.path().join("a.parquet");
    write_parquet(&path, Compression::ZSTD(Default::default()), None);
    let whole = std::fs::read(&path).unwrap();
    for length in [4, 8, 100, whole.len() / 2, whole.len() - 1] {
        let cut = directory.file("cut.parquet", &whole[..length]);
        assert!(read(&cut, &["edge"], &["result"]).is_err(), "{length} bytes");
    }
    // A changed byte may go unnoticed within a value; it must never panic.
    let mut refused = 0;
    for place in (4..whole.len() - 4).step_by(whole.len() / 300) {
        let mut changed = whole.clone();
        changed[place] ^= 0x55;
        let path = directory.file("changed.parquet", &changed);
        refused += usize::from(read(&path, &["edge", "mobility"], &["result"]).is_err());
    }
    assert!(refused > 20, "{refused}");
}
