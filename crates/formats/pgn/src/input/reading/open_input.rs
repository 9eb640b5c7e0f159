//! Opens an input and returns its parts: streams of text that can be cut.

use std::{
    io::{self, Read},
    path::Path,
    sync::Arc,
};

use super::{
    origin::{Input, InputBytes},
    section::{SectionText, open_section},
    text::{PeekReader, Text, open_text},
};
use crate::{
    Error, Result,
    input::{
        cutting::{GameBounds, Games, LineEnds, Rule, Unit, pieces},
        packings::{
            Blame, FaultAt, FramedFile, MAGIC_BYTES, Members, Packing, RunText, Runs, WindowLimit,
            ends_in_header, is_cut_magic, open_7z, open_zip, run_at, unpack,
        },
        stored::{Meter, RangeReader, ReadAt, Sequential, StoredFile},
    },
};

/// An opened input.
pub(crate) struct OpenInput {
    pub(crate) blame: Blame,
    /// Members of the archive that are not read.
    pub(crate) skipped: Vec<String>,
    how: OpenAs,
    parts: Parts,
    parts_count: u32,
}

/// How inputs are opened.
#[derive(Clone, Copy)]
pub(crate) struct OpenAs {
    /// The unit into which the text of inputs is cut.
    pub(crate) unit: Unit,
    /// The limit on the size of windows.
    pub(crate) window: WindowLimit,
    /// Whether parts may be read at the same time.
    pub(crate) parallel: bool,
}

/// The parts of an input that have not been opened yet.
pub(crate) enum Parts {
    /// A plain file, or a section of one; the rule for cutting it is known.
    Plain(Option<(PartText, Rule)>),
    Stream(Option<Box<dyn Read + Send>>),
    Frames(Runs),
    Archive {
        members: Members,
        whole: Option<StoredFile>,
    },
}

/// A part of an input, ready to be cut.
pub(crate) struct OpenPart {
    pub(crate) part: u32,
    pub(crate) member: Option<String>,
    pub(crate) rule: Rule,
    pub(crate) text: PartText,
}

/// The text of a part.
pub(crate) enum PartText {
    Whole(Box<dyn Read + Send>),
    Run(Box<RunText>),
    /// Text whose bytes are exactly as stored.
    Stored(Box<StoredFile>),
    /// The text of a section, whose bytes are exactly as stored.
    Section(Box<SectionText>),
    /// No text. The archive is read once more, only to compute its hash, because its members are not read in
    /// the order in which they are stored.
    Hash(Box<StoredFile>),
}

impl Read for PartText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Whole(text) => text.read(buffer),
            Self::Run(text) => text.read(buffer),
            Self::Stored(text) => text.read(buffer),
            Self::Section(text) => text.read(buffer),
            Self::Hash(whole) => io::copy(whole, &mut io::sink()).map(|_| 0),
        }
    }
}

impl PartText {
    /// Skips up to `bytes` of the text; returns the number of bytes skipped.
    pub(crate) fn skip(&mut self, bytes: u64) -> io::Result<u64> {
        match self {
            Self::Stored(text) => text.skip(bytes),
            other => io::copy(&mut other.take(bytes), &mut io::sink()),
        }
    }
}

impl OpenInput {
    /// Opens an input. Its first bytes show how it is compressed.
    ///
    /// # Errors
    /// Fails if the input cannot be read, or is an archive that is damaged, encrypted or read from a stream.
    pub(crate) fn open(input: Input, meter: &Arc<Meter>, how: OpenAs) -> Result<Self> {
        let mut blame = Blame {
            name: input.name().into(),
            packing: Packing::Plain,
            meter: Arc::clone(meter),
            window: how.window,
        };
        let section = input.section.clone();
        let (parts, skipped) = match input.open()? {
            InputBytes::Stream(stream) => Self::open_stream(stream, &mut blame, how)?,
            InputBytes::Stored(file, bytes) => {
                refuse_empty(bytes, &mut blame)?;
                blame.packing = judge_stored(&*file, bytes, &blame)?;
                match section {
                    None => Self::open_file(&file, bytes, &blame, how)?,
                    Some(section) => (open_section(&file, bytes, section, &blame, how)?, Vec::new()),
                }
            }
        };
        Ok(Self { blame, skipped, how, parts, parts_count: 0 })
    }

    fn open_stream(
        stream: Box<dyn Read + Send>,
        blame: &mut Blame,
        how: OpenAs,
    ) -> Result<(Parts, Vec<String>)> {
        let stored = PeekReader::new(Sequential::new(stream, None, &blame.meter), MAGIC_BYTES);
        let stored = stored.map_err(|error| blame.fault(error))?;
        blame.packing = judge(stored.head(), blame)?;
        if blame.packing.is_archive() {
            return Err(Error::NeedsFile { name: blame.name.to_string(), packing: blame.packing.into() });
        }
        open_whole(stored, blame, how)
    }

    fn open_file(
        file: &Arc<dyn ReadAt>,
        bytes: u64,
        blame: &Blame,
        how: OpenAs,
    ) -> Result<(Parts, Vec<String>)> {
        let stored = || StoredFile::of_file(file, bytes, &blame.meter);
        let (members, skipped) = match blame.packing {
            Packing::Zip => open_zip(file, bytes, blame, how.unit)?,
            Packing::SevenZ => open_7z(file, bytes, blame, how.unit)?,
            Packing::Zstd if how.parallel => {
                return match open_frames(file, bytes, blame, how)? {
                    Some(framed) => Ok((Parts::Frames(Runs::new(framed, stored())), Vec::new())),
                    None => open_whole(stored(), blame, how),
                };
            }
            Packing::Plain if blame.meter.knows_blocks() => {
                return match open_beginning(file, bytes, blame, how)? {
                    Text { as_stored: true, rule, .. } => {
                        let known = StoredFile::after_known_blocks(file, bytes, &blame.meter);
                        Ok((Parts::Plain(Some((PartText::Stored(Box::new(known)), rule))), Vec::new()))
                    }
                    _ => open_whole(stored(), blame, how),
                };
            }
            _ => return open_whole(stored(), blame, how),
        };
        let whole = Some(stored().uncounted());
        Ok((Parts::Archive { members, whole }, skipped))
    }

    /// Whether a part can be opened only after the previous part has been read to its end.
    pub(crate) fn in_turn(&self) -> bool {
        matches!(&self.parts, Parts::Archive { members, .. } if members.in_turn())
    }

    /// Opens the next part.
    ///
    /// # Errors
    /// Fails if the part cannot be read or is not PGN.
    pub(crate) fn next_part(&mut self) -> Result<Option<OpenPart>> {
        let part = self.parts_count;
        self.parts_count += 1;
        let only = |rule, text| OpenPart { part, member: None, rule, text };
        let (member, text) = match &mut self.parts {
            Parts::Plain(plain) => return Ok(plain.take().map(|(text, rule)| only(rule, text))),
            Parts::Stream(unpacked) => match unpacked.take() {
                Some(text) => (None, text),
                None => return Ok(None),
            },
            Parts::Frames(runs) => {
                let rule = runs.framed.rule;
                let run = runs.next().map_err(|error| self.blame.fault(error))?;
                return Ok(run.map(|run| only(rule, PartText::Run(Box::new(run)))));
            }
            Parts::Archive { members, whole } => match members.next() {
                Ok(Some((name, text))) => (Some(name), text),
                Ok(None) => {
                    let hashed = |whole| only(Rule::games(LineEnds::Lf), PartText::Hash(Box::new(whole)));
                    return Ok(whole.take().map(hashed));
                }
                Err(error) => return Err(self.blame.fault(error)),
            },
        };
        open_part(part, member, text, &self.blame, self.how.unit).map(Some)
    }
}

fn judge(head: &[u8], blame: &Blame) -> Result<Packing> {
    if head.len() < MAGIC_BYTES && is_cut_magic(head) {
        let why = format!("it ends after {bytes} bytes: copy or download it again", bytes = head.len());
        return Err(blame.not_pgn(None, why));
    }
    Ok(Packing::of(head))
}

/// Detects from the first bytes of a regular file how the file is compressed.
pub(super) fn judge_stored(file: &dyn ReadAt, bytes: u64, blame: &Blame) -> Result<Packing> {
    let mut head = [0; MAGIC_BYTES];
    let read = file.read_at(&mut head, 0).map_err(|error| blame.fault(error))?;
    let packing = judge(&head[..read], blame)?;
    if packing == Packing::Zstd && ends_in_header(file, bytes).map_err(|error| blame.fault(error))? {
        let cut = io::Error::new(io::ErrorKind::UnexpectedEof, "the frame that should follow is missing");
        let blame = Blame { packing, ..blame.clone() };
        return Err(blame.explain(cut, FaultAt { stored: Some(bytes), ..FaultAt::default() }));
    }
    Ok(packing)
}

/// Refuses an empty file whose extension is that of a compressed file, because its content must have been
/// lost.
pub(super) fn refuse_empty(bytes: u64, blame: &mut Blame) -> Result<()> {
    let extension = Path::new(&*blame.name).extension().map(|extension| extension.to_string_lossy());
    let named = extension.and_then(|extension| Packing::of_extension(&extension));
    let Some(packing) = named.filter(|_| bytes == 0) else { return Ok(()) };
    blame.packing = packing;
    let empty = io::Error::new(io::ErrorKind::UnexpectedEof, "the file is empty");
    Err(blame.fault(empty))
}

fn open_whole(
    stored: impl Read + Send + 'static,
    blame: &Blame,
    how: OpenAs,
) -> Result<(Parts, Vec<String>)> {
    let unpacked = unpack(stored, blame.packing, how.window).map_err(|error| blame.fault(error))?;
    Ok((Parts::Stream(Some(unpacked)), Vec::new()))
}

/// Opens the frames of a file that has pzstd's layout, consists of at least two runs, and contains text that
/// needs no transcoding; `None` for any other file.
pub(super) fn open_frames(
    file: &Arc<dyn ReadAt>,
    file_bytes: u64,
    blame: &Blame,
    how: OpenAs,
) -> Result<Option<FramedFile>> {
    let first = run_at(&**file, 0, file_bytes).map_err(|error| blame.fault(error))?;
    if first.is_none_or(|run| !run.regular || run.end == file_bytes) {
        return Ok(None);
    }
    let Text { rule, as_stored, .. } = open_beginning(file, file_bytes, blame, how)?;
    let meter = Arc::clone(&blame.meter);
    Ok(as_stored.then(|| FramedFile { file: Arc::clone(file), file_bytes, rule, window: how.window, meter }))
}

/// Looks at the beginning of a file's text, independently of other readers of the file.
pub(super) fn open_beginning(
    file: &Arc<dyn ReadAt>,
    file_bytes: u64,
    blame: &Blame,
    how: OpenAs,
) -> Result<Text> {
    let beginning = RangeReader::new(file, 0, file_bytes, &blame.meter);
    let text = unpack(beginning, blame.packing, how.window).and_then(|text| open_text(text, how.unit));
    let text = text.map_err(|error| blame.fault(error))?;
    text.map_err(|why| blame.not_pgn(None, why))
}

fn open_part(
    part: u32,
    member: Option<String>,
    text: Box<dyn Read + Send>,
    blame: &Blame,
    unit: Unit,
) -> Result<OpenPart> {
    let at = FaultAt { member: member.as_deref(), ..FaultAt::default() };
    let text = open_text(text, unit).map_err(|error| blame.explain(error, at))?;
    let Text { reader, rule, .. } = text.map_err(|why| blame.not_pgn(member.as_deref(), why))?;
    Ok(OpenPart { part, member, rule, text: PartText::Whole(reader) })
}

/// Whether to read an input that has no known extension. `begins` decides this, given the units at the
/// beginning of the text. Returns false for an input that cannot be read.
pub(crate) fn begins_as(input: Input, unit: Unit, begins: impl FnOnce(Games<'_>) -> bool) -> bool {
    let meter = Meter::new(&Arc::default());
    let how = OpenAs { unit, window: WindowLimit::new(false, u64::MAX), parallel: false };
    let part = OpenInput::open(input, &meter, how).and_then(|mut source| source.next_part());
    let Ok(Some(OpenPart { text, rule, .. })) = part else { return false };
    PeekReader::new(text, SNIFF_BYTES)
        .is_ok_and(|text| begins(pieces(text.head(), rule, GameBounds::default())))
}

/// The number of bytes at the beginning of the text that [`begins_as`] examines.
const SNIFF_BYTES: usize = 4 << 10;
