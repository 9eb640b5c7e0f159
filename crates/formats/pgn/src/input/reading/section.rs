//! Cuts a file into sections, so that several machines can share the file. A section consists of the games
//! that start in a given range of the file's bytes.
//!
//! Plain text can be cut at any byte. The reader of a section does not know the text before the section. So
//! the text of a section begins at the first line, at or after the section's first byte, at which a game
//! *certainly* starts, whatever text comes before that line. The text ends at the first such line at or after
//! the first byte of the next section. The readers of both sections look for that line from the same byte by
//! the same rule, so every byte is read as text exactly once. A pzstd file is cut into sections only between
//! runs of frames. Even in a file without sections, the text of each run after the first begins at a line at
//! which a game certainly starts (`packings/parallel.rs`). Any other input is one section.

use std::{
    io::{self, Read},
    ops::Range,
    sync::Arc,
};

use super::{
    open_input::{OpenAs, PartText, Parts, judge_stored, open_beginning, open_frames, refuse_empty},
    origin::{Input, InputBytes},
};
use crate::{
    Error, Result,
    input::{
        cutting::{Rule, Search, Unit},
        packings::{Blame, Packing, Runs, WindowLimit, run_at},
        stored::{BLOCK_BYTES, Meter, RangeReader, ReadAt, StoredFile},
    },
};

/// The sections into which an input can be cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sections {
    /// The input's length in bytes.
    pub bytes: u64,
    /// The sections, in order; together they make up the whole input. There is at least one section.
    pub list: Vec<Range<u64>>,
}

/// Cuts an input into sections, each of about `section_bytes` bytes of the stored file. Reads only the
/// beginning of the file and, in a pzstd file, the headers of the frames.
///
/// # Errors
/// Fails if the input is a stream, cannot be read, or is not PGN.
pub fn sections(input: Input, section_bytes: u64) -> Result<Sections> {
    let name: Arc<str> = input.name().into();
    let InputBytes::Stored(file, bytes) = input.open()? else {
        return Err(Error::NoSections { name: name.to_string(), why: "it can be read only once" });
    };
    let how = OpenAs { unit: Unit::Games, window: WindowLimit::new(true, u64::MAX), parallel: true };
    let meter = Meter::new(&Arc::default());
    let mut blame = Blame { name, packing: Packing::Plain, meter, window: how.window };
    refuse_empty(bytes, &mut blame)?;
    blame.packing = judge_stored(&*file, bytes, &blame)?;
    let list = match blame.packing {
        Packing::Plain if open_beginning(&file, bytes, &blame, how)?.as_stored => {
            cut_text(bytes, section_bytes)
        }
        Packing::Zstd if open_frames(&file, bytes, &blame, how)?.is_some() => {
            let cut = cut_frames(&*file, bytes, section_bytes);
            cut.map_err(|error| blame.fault(error))?
        }
        _ => cut_text(bytes, u64::MAX),
    };
    Ok(Sections { bytes, list })
}

/// Cuts at multiples of `section_bytes`. If `section_bytes` is at least one block, it is first rounded up to
/// whole blocks, so that only one reader hashes each block.
fn cut_text(bytes: u64, section_bytes: u64) -> Vec<Range<u64>> {
    let each = match section_bytes.clamp(1, bytes.max(1)) {
        long @ BLOCK_BYTES.. => long.next_multiple_of(BLOCK_BYTES),
        short => short,
    };
    let starts = (0..bytes.max(1)).step_by(usize::try_from(each).unwrap_or(usize::MAX));
    starts.map(|start| start..start.saturating_add(each).min(bytes)).collect()
}

/// Cuts between runs of frames.
fn cut_frames(file: &dyn ReadAt, bytes: u64, section_bytes: u64) -> io::Result<Vec<Range<u64>>> {
    let (mut sections, mut start, mut at) = (Vec::new(), 0, 0);
    while let Some(run) = run_at(file, at, bytes)? {
        at = run.end;
        if at - start >= section_bytes || at == bytes {
            sections.push(start..at);
            start = at;
        }
    }
    Ok(sections)
}

/// Opens a section of a file.
pub(super) fn open_section(
    file: &Arc<dyn ReadAt>,
    bytes: u64,
    section: Range<u64>,
    blame: &Blame,
    how: OpenAs,
) -> Result<Parts> {
    let changed = || Error::NoSections {
        name: blame.name.to_string(),
        why: "it is not the file that was cut into sections",
    };
    if section.end > bytes {
        return Err(changed());
    }
    let meter = &blame.meter;
    match blame.packing {
        Packing::Plain => {
            let text = open_beginning(file, bytes, blame, how)?;
            if !text.as_stored {
                return Err(changed());
            }
            let opened = SectionText::open(file, section, (bytes, text.rule), meter);
            let opened = opened.map_err(|error| blame.fault(error))?;
            Ok(Parts::Plain(Some((PartText::Section(Box::new(opened)), text.rule))))
        }
        Packing::Zstd => {
            let framed = open_frames(file, bytes, blame, how)?.ok_or_else(changed)?;
            let stored = StoredFile::of_section(file, section.clone(), (section.end, bytes), meter);
            Ok(Parts::Frames(Runs::of_section(framed, stored, section)))
        }
        _ => Err(changed()),
    }
}

/// Reads the text of a section of a plain file, and then the rest of the section's last block, which is only
/// hashed.
pub(crate) struct SectionText {
    stored: StoredFile,
    /// The offset of the text's first byte in the file.
    pub(crate) start: u64,
    text_bytes: u64,
}

impl SectionText {
    fn open(
        file: &Arc<dyn ReadAt>,
        section: Range<u64>,
        (file_bytes, rule): (u64, Rule),
        meter: &Arc<Meter>,
    ) -> io::Result<Self> {
        let certain = |from| certain_start(file, from, (file_bytes, rule), meter);
        let (start, end) = (certain(section.start)?, certain(section.end)?);
        let before = start - section.start;
        let mut stored = StoredFile::of_section(file, section, (end, file_bytes), meter);
        // This text belongs to the previous section, whose reader returns it, but it is hashed here.
        io::copy(&mut stored.by_ref().take(before), &mut io::sink())?;
        Ok(Self { stored, start, text_bytes: end - start })
    }
}

impl Read for SectionText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.text_bytes == 0 {
            return io::copy(&mut self.stored, &mut io::sink()).map(|_| 0);
        }
        let bytes = self.stored.by_ref().take(self.text_bytes).read(buffer)?;
        self.text_bytes -= bytes as u64;
        Ok(bytes)
    }
}

/// The offset of the first line, at or after the byte at `from`, at which a game certainly starts; the end of
/// the file if there is no such line.
fn certain_start(
    file: &Arc<dyn ReadAt>,
    from: u64,
    (file_bytes, rule): (u64, Rule),
    meter: &Arc<Meter>,
) -> io::Result<u64> {
    if from == 0 || from == file_bytes {
        return Ok(from);
    }
    let mut stored = RangeReader::new(file, from, file_bytes, meter);
    let (mut search, mut at) = (Search::amid_unknown(rule), from);
    loop {
        at += search.settled_bytes() as u64;
        let more = search.read_block(&mut stored)?;
        match search.find() {
            Some(start) => return Ok(at + start as u64),
            None if !more => return Ok(file_bytes),
            None => {}
        }
    }
}
