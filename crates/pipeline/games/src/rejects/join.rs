//! If several machines share a count, there is a list of rejected games for each section of the inputs. This
//! module writes these lists and joins them into one.
//!
//! # Format
//!
//! A section's list begins with 8 little-endian bytes that contain the length of its header. The header
//! follows and records how the input was read. The chunks follow in order, in the format that `chunks.rs`
//! describes.

use std::{
    collections::HashMap,
    io::{self, Read, Write},
    path::Path,
};

use fault::FileFault;
use output::{Existing, OutputFile, Prepared};
use pgn::input::{Packing, Part, Place, ReadInput, ReadInputs};
use run::Result;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

use super::{
    RejectList,
    chunks::{Chunks, header, read_chunk},
    log::Numbering,
};
use crate::encoding::{decode, encode};

/// How the input of a section was read. Without this information, the places in the section's list cannot be
/// interpreted.
#[derive(Deserialize, Serialize)]
struct Head {
    name: String,
    /// Whether places are counted from the beginning of the section. Otherwise, they are counted from the
    /// beginning of the file.
    framed: bool,
    parts: Vec<Part>,
}

/// Writes the list of a section. A section has only one input, which is the first one in `inputs`.
pub(super) fn write_unplaced(path: &Path, inputs: &ReadInputs, chunks: &mut Chunks) -> Result<Prepared> {
    let mut head = Vec::new();
    if let Some(input) = inputs.list.first() {
        let ReadInput { name, parts, packing, .. } = input.clone();
        encode(&Head { name, framed: packing == Packing::Zstd, parts }, &mut head);
    }
    let mut file = OutputFile::create(path, Existing::Replace).map_err(FileFault::of("write", path))?;
    let written = write_list(&head, chunks, io::BufWriter::new(file.file()));
    written.and_then(|()| file.prepare()).map_err(FileFault::of("write", path))
}

fn write_list(head: &[u8], chunks: &mut Chunks, mut out: impl Write) -> io::Result<()> {
    out.write_all(&(head.len() as u64).to_le_bytes())?;
    out.write_all(head)?;
    let mut encoded = Vec::new();
    for chunk in chunks.in_order() {
        chunks.read(&chunk, &mut encoded)?;
        out.write_all(&header(chunk.place, chunk.games, &encoded))?;
        out.write_all(&encoded)?;
    }
    out.flush()
}

/// Joins the lists of all sections, in the order of the inputs. `open` opens the list of a section. In these
/// lists, each copy is listed with the place of its original, and this place contains a section number
/// instead of an input number.
///
/// # Memory
///
/// For each section, keeps the name of its input and a few bytes per part in memory.
pub fn join<R: Read>(
    sections: u32,
    open: impl Fn(u32) -> Result<R>,
    path: &Path,
    existing: Existing,
) -> Result<Prepared> {
    let failed = FileFault::of("read", path);
    let (mut inputs, mut text) = (ReadInputs::default(), HashMap::new());
    for section in 0..sections {
        let head = read_head(&mut open(section)?).map_err(&failed)?;
        inputs.list.push(input_of(head, &mut text));
    }
    let mut list = RejectList::create(path, existing)?;
    let (mut numbering, mut encoded) = (Numbering::default(), Vec::new());
    for section in 0..sections {
        let mut chunks = open(section)?;
        read_head(&mut chunks).map_err(&failed)?;
        while let Some((place, games)) =
            read_chunk(&mut chunks, &mut encoded, &mut Xxh3::new()).map_err(&failed)?
        {
            let start = numbering.start(&inputs, Place { input: section, ..place });
            numbering.each_line(&encoded, &start, &inputs, |line| list.push(line))?;
            numbering.games_before += games;
        }
    }
    list.finish()
}

fn read_head(from: &mut impl Read) -> io::Result<Head> {
    let mut bytes = [0; 8];
    from.read_exact(&mut bytes)?;
    let mut head = vec![0; u64::from_le_bytes(bytes) as usize];
    from.read_exact(&mut head)?;
    Ok(decode(&mut &head[..]))
}

/// Describes the input of a section, using the header of the section's list. For each Zstandard file, `text`
/// maps the file's name to the number of bytes of decompressed text in those sections of the file that come
/// before this section.
fn input_of(head: Head, text: &mut HashMap<String, u64>) -> ReadInput {
    let Head { name, framed, parts } = head;
    let packing = if framed { Packing::Zstd } else { Packing::Plain };
    let before = text.entry(name.clone()).or_default();
    let input = ReadInput { name, packing, parts, text_before: *before, ..ReadInput::default() };
    *before += if framed { input.text_bytes() } else { 0 };
    input
}
