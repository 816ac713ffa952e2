//! Rows that do not fit into memory: compact blocks in a temporary file.

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::sync::{Mutex, PoisonError};

use discern_stats::DataError;
use discern_stats::sparse::{SparseBlock, SparseBlocks, SparseExamples};

/// A temporary file that is filled with blocks. It has no name, so that it
/// vanishes with the process, however that ends.
pub(super) struct Store {
    file: BufWriter<File>,
    /// Phase, place and length of each block.
    blocks: Vec<(i32, u64, usize)>,
    bytes: u64,
    buffer: Vec<u8>,
}

impl Store {
    pub(super) fn new() -> std::io::Result<Self> {
        let file = BufWriter::with_capacity(1 << 20, tempfile::tempfile()?);
        Ok(Self { file, blocks: Vec::new(), bytes: 0, buffer: Vec::new() })
    }

    pub(super) fn push(&mut self, block: &SparseBlock) -> std::io::Result<()> {
        self.buffer.clear();
        block.encode(&mut self.buffer);
        self.file.write_all(&self.buffer)?;
        self.blocks.push((block.phase(), self.bytes, self.buffer.len()));
        self.bytes += self.buffer.len() as u64;
        Ok(())
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The rows, in the order they would have in memory: by phase, then as
    /// they came.
    pub(super) fn finish(mut self, weights: usize) -> std::io::Result<Stored> {
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        self.blocks.sort_by_key(|block| block.0);
        let blocks = self.blocks.into_iter().map(|(_, place, length)| (place, length)).collect();
        Ok(Stored { file: Mutex::new(file), blocks, weights })
    }
}

/// The rows of a [`Store`], read in every pass.
pub(super) struct Stored {
    file: Mutex<File>,
    blocks: Vec<(u64, usize)>,
    weights: usize,
}

impl Stored {
    fn block(&self, (place, length): (u64, usize)) -> Result<SparseBlock<'static>, DataError> {
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut bytes)).map_err(
            |error| DataError::Read(format!("the temporary file of rows cannot be read: {error}")),
        )?;
        drop(file);
        SparseBlock::decode(&bytes)
    }
}

impl SparseExamples for Stored {
    fn weights(&self) -> usize {
        self.weights
    }

    fn blocks(&self) -> SparseBlocks<'_> {
        Box::new(self.blocks.iter().map(|&block| self.block(block)))
    }
}
