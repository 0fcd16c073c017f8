//! The files as they were, packed.

use std::io::Write;

use super::error::{DbError, Result};
use super::{Database, SourceId};

impl Database {
    /// Whether the bytes of a file were kept.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn has_original(&self, source: SourceId) -> Result<bool> {
        Ok(self
            .connection
            .prepare_cached("SELECT 1 FROM original WHERE source_id = ?")?
            .exists([source])?)
    }

    /// Writes the stored bytes of a file to `out`; `false` when none were
    /// kept.
    ///
    /// # Errors
    /// When the database cannot be read or `out` not be written.
    pub fn original(&self, source: SourceId, out: &mut dyn Write) -> Result<bool> {
        let mut select = self
            .connection
            .prepare_cached("SELECT size, zstd FROM original WHERE source_id = ? ORDER BY part")?;
        let mut rows = select.query([source])?;
        let mut any = false;
        while let Some(row) = rows.next()? {
            let packed = row.get_ref(1)?.as_blob().map_err(DbError::from_sql)?;
            out.write_all(&unpack_original(packed, row.get::<_, u32>(0)?)?)
                .map_err(DbError::Output)?;
            any = true;
        }
        Ok(any)
    }
}

/// Packs a stretch of a file for [`super::Writer::add_original`].
///
/// # Errors
/// When memory is short.
pub fn pack_original(bytes: &[u8]) -> Result<Vec<u8>> {
    zstd::bulk::compress(bytes, 3).map_err(DbError::Compression)
}

pub(crate) fn unpack_original(packed: &[u8], size: u32) -> Result<Vec<u8>> {
    zstd::bulk::decompress(packed, size as usize).map_err(DbError::Compression)
}
