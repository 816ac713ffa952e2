//! Classified positions as Parquet, which pandas, DuckDB and R read as it is.

use std::io::Write;
use std::sync::Arc;

use discern_board::{Outcome, Square};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::LabelledPosition;

/// Rows of a group: what readers hold at a time.
const GROUP_ROWS: usize = 1 << 18;

/// The text of the position is for programs without 64-bit unsigned numbers
/// (R) and for people; the two bitboards say the same.
const SCHEMA: &str = "
    message positions {
        required binary position (utf8);
        required int64 mover (integer(64,false));
        required int64 opponent (integer(64,false));
        required int32 discs (integer(8,false));
        required int32 outcome (integer(8,true));
        optional int32 score (integer(8,true));
        required binary source (utf8);
        required int32 games (integer(32,false));
        required int64 group (integer(64,true));
        required boolean shared;
    }";

/// Writes the positions as a Parquet file. `manifest` is stored as the
/// file's metadata `discern`.
///
/// # Errors
/// If the output refuses the bytes.
pub fn write_parquet(
    output: impl Write + Send,
    positions: &[LabelledPosition],
    manifest: &str,
) -> Result<()> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let properties = WriterProperties::builder()
        // Level 3 takes three times as long for a few percent of the size.
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
        .set_writer_version(WriterVersion::PARQUET_1_0)
        .set_created_by(concat!("discern ", env!("CARGO_PKG_VERSION")).into())
        .set_key_value_metadata(Some(vec![KeyValue::new("discern".into(), manifest.to_owned())]))
        // Only the source repeats often enough for a dictionary.
        .set_dictionary_enabled(false)
        .set_column_dictionary_enabled("source".into(), true)
        .build();
    let mut file = SerializedFileWriter::new(output, schema, Arc::new(properties))?;
    for rows in positions.chunks(GROUP_ROWS) {
        let mut group = file.next_row_group()?;
        write_rows(&mut group, rows)?;
        group.close()?;
    }
    file.close()?;
    Ok(())
}

fn write_rows<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    rows: &[LabelledPosition],
) -> Result<()> {
    let mut columns = Columns { group };
    let sources = [
        super::LabelSource::Game,
        super::LabelSource::Solved,
        super::LabelSource::Corrected,
        super::LabelSource::Propagated,
    ]
    .map(|source| ByteArray::from(source.to_string().into_bytes()));
    columns.write::<ByteArrayType>(texts(rows), None)?;
    columns.all::<Int64Type>(rows, |row| row.position.board.mover().0 as i64)?;
    columns.all::<Int64Type>(rows, |row| row.position.board.opponent().0 as i64)?;
    columns.all::<Int32Type>(rows, |row| row.position.board.discs() as i32)?;
    columns.all::<Int32Type>(rows, |row| match row.position.outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    })?;
    let score = |row: &LabelledPosition| row.position.score.map(|score| score.discs());
    let known: Vec<i16> = rows.iter().map(|row| score(row).is_some().into()).collect();
    columns.write::<Int32Type>(rows.iter().filter_map(score).collect(), Some(&known))?;
    columns.all::<ByteArrayType>(rows, |row| sources[row.source as usize].clone())?;
    columns.all::<Int32Type>(rows, |row| row.position.games as i32)?;
    columns.all::<Int64Type>(rows, |row| row.position.group.into())?;
    columns.all::<BoolType>(rows, |row| row.position.shared)
}

/// The columns of a group that are still to be written.
struct Columns<'a, 'b, W: Write + Send> {
    group: &'a mut SerializedRowGroupWriter<'b, W>,
}

impl<W: Write + Send> Columns<'_, '_, W> {
    /// A column that every row has.
    fn all<T: DataType>(
        &mut self,
        rows: &[LabelledPosition],
        of: impl Fn(&LabelledPosition) -> T::T,
    ) -> Result<()> {
        self.write::<T>(rows.iter().map(of).collect(), None)
    }

    fn write<T: DataType>(&mut self, values: Vec<T::T>, known: Option<&[i16]>) -> Result<()> {
        let missing = || ParquetError::General("a column too many".into());
        let mut column = self.group.next_column()?.ok_or_else(missing)?;
        column.typed::<T>().write_batch(&values, known, None)?;
        column.close()
    }
}

/// Every position as 64 characters from a1 to h8, `X` for the mover. All texts
/// share one allocation.
fn texts(rows: &[LabelledPosition]) -> Vec<ByteArray> {
    let mut text = Vec::with_capacity(64 * rows.len());
    for row in rows {
        let board = row.position.board;
        text.extend(Square::ALL.map(|square| {
            let bit = 1 << square as u8;
            if board.mover().0 & bit != 0 {
                b'X'
            } else if board.opponent().0 & bit != 0 {
                b'O'
            } else {
                b'-'
            }
        }));
    }
    let all = ByteArray::from(text);
    (0..rows.len()).map(|row| all.slice(64 * row, 64)).collect()
}
