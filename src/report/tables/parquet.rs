//! Apache Parquet: a file a table and year. Rows are held back and written as
//! a row group when there are many.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{Cell, Column, Kind, Sink, Table};

/// Rows of a row group at most.
const GROUP_ROWS: usize = 1 << 16;
/// Bytes of text of a row group at most; bounds the memory.
const GROUP_BYTES: usize = 16 << 20;

/// Writes one table.
pub struct ParquetTable<W: Write + Send> {
    file: SerializedFileWriter<W>,
    columns: Vec<Held>,
    rows: usize,
    bytes: usize,
}

impl<W: Write + Send> std::fmt::Debug for ParquetTable<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetTable").field("rows", &self.rows).finish_non_exhaustive()
    }
}

/// The values of a column that wait to be written.
struct Held {
    column: &'static Column,
    /// 1 where there is a value, 0 where it is absent.
    levels: Vec<i16>,
    values: Values,
}

enum Values {
    Numbers(Vec<i64>),
    Texts(Vec<ByteArray>),
    Flags(Vec<bool>),
}

impl<W: Write + Send> ParquetTable<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn new(table: Table, out: W) -> io::Result<ParquetTable<W>> {
        let level = ZstdLevel::try_new(3).map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_created_by(concat!("qipu ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let schema = schema(table).map_err(failed)?;
        let file = SerializedFileWriter::new(out, schema, Arc::new(properties)).map_err(failed)?;
        let columns = table.columns().iter().map(Held::new).collect();
        Ok(ParquetTable { file, columns, rows: 0, bytes: 0 })
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.rows > 0 {
            let mut group = self.file.next_row_group().map_err(failed)?;
            for held in &mut self.columns {
                held.write(&mut group).map_err(failed)?;
            }
            group.close().map_err(failed)?;
            (self.rows, self.bytes) = (0, 0);
        }
        Ok(())
    }
}

impl<W: Write + Send> Sink for ParquetTable<W> {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        for (held, cell) in self.columns.iter_mut().zip(cells) {
            self.bytes += held.push(*cell)?;
        }
        self.rows += 1;
        if self.rows >= GROUP_ROWS || self.bytes >= GROUP_BYTES {
            self.write_group()
        } else {
            Ok(())
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.write_group()?;
        self.file.finish().map_err(failed)?;
        self.file.inner_mut().flush()
    }
}

impl Held {
    fn new(column: &'static Column) -> Held {
        let values = match column.kind {
            Kind::Number => Values::Numbers(Vec::new()),
            Kind::Text => Values::Texts(Vec::new()),
            Kind::Flag => Values::Flags(Vec::new()),
        };
        Held { column, levels: Vec::new(), values }
    }

    /// Takes a value and gives its length in bytes.
    fn push(&mut self, cell: Cell<'_>) -> io::Result<usize> {
        let mut length = 0;
        match (&mut self.values, cell) {
            (_, Cell::Absent) if self.column.optional => {}
            (Values::Numbers(numbers), Cell::Number(number)) => numbers.push(number),
            (Values::Flags(flags), Cell::Flag(flag)) => flags.push(flag),
            (Values::Texts(texts), Cell::Text(text)) => {
                length = text.len();
                texts.push(ByteArray::from(text));
            }
            _ => {
                let what = format!("`{}` cannot hold {cell:?}", self.column.name);
                return Err(io::Error::new(io::ErrorKind::InvalidData, what));
            }
        }
        if self.column.optional {
            self.levels.push(i16::from(cell != Cell::Absent));
        }
        Ok(length)
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        let Some(mut column) = group.next_column()? else {
            return Err(ParquetError::General("a column too many".to_owned()));
        };
        let levels = self.column.optional.then_some(&*self.levels);
        match &mut self.values {
            Values::Numbers(numbers) => {
                column.typed::<Int64Type>().write_batch(numbers, levels, None)?;
                numbers.clear();
            }
            Values::Texts(texts) => {
                column.typed::<ByteArrayType>().write_batch(texts, levels, None)?;
                texts.clear();
            }
            Values::Flags(flags) => {
                column.typed::<BoolType>().write_batch(flags, levels, None)?;
                flags.clear();
            }
        }
        self.levels.clear();
        column.close()
    }
}

fn schema(table: Table) -> Result<TypePtr, ParquetError> {
    let fields = table.columns().iter().map(|column| {
        let (physical, logical) = match column.kind {
            Kind::Number => (Physical::INT64, None),
            Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Kind::Flag => (Physical::BOOLEAN, None),
        };
        let repetition = if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        Type::primitive_type_builder(column.name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()
            .map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>, ParquetError>>()?;
    Ok(Arc::new(Type::group_type_builder(table.name()).with_fields(fields).build()?))
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
