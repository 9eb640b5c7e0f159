//! The pass that finds copies.

use std::{
    convert::Infallible,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

use extsort::{Least, Sorted, Sorter, Writer};
use pgn::{
    annotated::AnnotatedOptions,
    copies::Fingerprinter,
    input::{Chunk, Input},
};
use run::{Context, Result};
use table::Table;

use super::{
    Dedup, DedupGames,
    candidate::{Candidate, WORDS},
    finder::{BUCKETS, Finder},
    list::{Copies, FoundCopies},
    moves::MovesFile,
    reread::Reread,
    shared::Section,
    stayed::{StayedGames, Stays},
};
use crate::driver::{Reading, Sink, Worker, source::Source, sweep};

/// Finds the games that are copies of other games. Returns the inputs, ready to be read again, and the copies
/// that were found.
///
/// `options` select the games that count, and `open` must open the inputs just as the next pass will. If
/// `keep` is set, the returned copies also hold the fingerprints of the kept games, that is, of the
/// candidates that are not copies.
pub fn find(
    context: &Context,
    (dedup, keep): (&Dedup, bool),
    options: &AnnotatedOptions,
    inputs: Vec<Input>,
    open: impl Fn(Vec<Input>, &Reading<'_>) -> Result<Source>,
) -> Result<(Vec<Input>, Copies)> {
    let start = Instant::now();
    let inputs: Vec<Reread> =
        inputs.into_iter().map(|input| Reread::of(input, context)).collect::<Result<_>>()?;
    let again = || inputs.iter().map(|input| input.input(&context.temp_dir)).collect::<Result<Vec<_>>>();
    let is_truncated = dedup.dedup_games == DedupGames::Truncated;
    let moves = is_truncated.then(|| MovesFile::create(&context.temp_dir)).transpose()?;
    let section = Section::whole();
    let pass = Pass::new(context, &section, options, moves)?;
    let reading = Reading::new(context, None);
    let source = open(again()?, &reading)?;
    let read = sweep(reading, source, &pass, "looking for copies")?;
    let found = pass.finish(dedup, keep)?;
    let copies = Copies::write(found, &read, &context.temp_dir)?;
    context.add_seconds(Some("copies"), start.elapsed().as_secs_f64());
    Ok((again()?, copies))
}

/// Finds the games in a section that may be copies or may have copies, and sorts them. In a shared count,
/// each machine sends the candidates of its sections.
///
/// # Errors
///
/// Fails if the input cannot be read. Fails with [`SettingError`] if the section has more games than there
/// are serial numbers for it.
pub(crate) fn candidates(
    context: &Context,
    section: &Section,
    options: &AnnotatedOptions,
    input: Input,
    open: impl Fn(Vec<Input>, &Reading<'_>) -> Result<Source>,
) -> Result<Candidates> {
    let pass = Pass::new(context, section, options, None)?;
    let reading = Reading::new(context, None);
    let source = open(vec![input], &reading)?;
    sweep(reading, source, &pass, "looking for copies")?;
    Ok(pass.sorter.finish()?)
}

/// Games that may be copies or may have copies, sorted by their moves.
pub type Candidates = Sorted<WORDS, Least>;

/// The first pass, which collects the games that count.
struct Pass<'o> {
    context: &'o Context,
    section: &'o Section,
    options: &'o AnnotatedOptions,
    sorter: Sorter<Candidate, WORDS>,
    /// The moves of all candidates. `None` unless this pass also looks for truncated copies.
    moves: Option<MovesFile>,
    workers: AtomicU64,
}

impl<'o> Pass<'o> {
    fn new(
        context: &'o Context,
        section: &'o Section,
        options: &'o AnnotatedOptions,
        moves: Option<MovesFile>,
    ) -> Result<Self> {
        let sorting = context.sorting(section.buckets, context.memory.count / 2, context.threads);
        let sorter = Sorter::new(extsort::Options { source: section.run_source, ..sorting })?;
        Ok(Self { context, section, options, sorter, moves, workers: AtomicU64::new(0) })
    }

    /// Finds the copies among all candidates.
    ///
    /// # Memory
    ///
    /// Half of the count's share of memory is used for the candidates, and half for the games that need
    /// further comparison. The copies use the memory reserved for leaves.
    fn finish(self, dedup: &Dedup, keep: bool) -> Result<FoundCopies> {
        let context = self.context;
        let (half, leaves) = (context.memory.count / 2, context.memory.leaves);
        let candidates = self.sorter.finish()?;
        let stayed = || Sorter::<Stays, 2>::new(context.sorting(1, half, context.threads));
        let mut finder = Finder {
            context,
            copies: Sorter::new(context.sorting(1, leaves, context.threads))?,
            stayed: None,
            table: match &dedup.held_by {
                Some(table) => Table::open(table)?.fingerprints()?,
                None => None,
            },
            crowd: Mutex::default(),
        };
        match &self.moves {
            None => {
                finder.stayed = keep.then(stayed).transpose()?;
                finder.settle(&candidates, None)?;
                drop(candidates);
            }
            Some(moves) => {
                let games = Sorter::new(context.sorting(BUCKETS, half, context.threads))?;
                finder.settle(&candidates, Some(&games))?;
                drop(candidates);
                finder.stayed = keep.then(stayed).transpose()?;
                finder.find_cut(&games.finish()?, moves)?;
            }
        }
        let stayed = finder.stayed.map(Sorter::finish).transpose()?;
        let stayed = stayed.map(|sorted| StayedGames::write(&sorted, dedup.dedup_games, &context.temp_dir));
        Ok(FoundCopies { copies: finder.copies.finish()?, stayed: stayed.transpose()? })
    }
}

impl Sink for Pass<'_> {
    fn worker(&self) -> Result<impl Worker> {
        Ok(PassWorker {
            fingerprinter: Fingerprinter::new(self.options),
            writer: self.sorter.writer()?,
            moves_file: self.moves.as_ref(),
            moves: Vec::new(),
            candidates: Vec::new(),
            section: self.section,
            serial: self.section.serials.start + self.workers.fetch_add(1, Relaxed),
            threads: self.context.threads as u64,
        })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorter.stats().bytes_spilled
    }
}

/// One thread's part of the first pass.
struct PassWorker<'p> {
    fingerprinter: Fingerprinter,
    writer: Writer<'p, Candidate, WORDS>,
    moves_file: Option<&'p MovesFile>,
    /// The moves of all games in `candidates`, one game after another.
    moves: Vec<u8>,
    candidates: Vec<Candidate>,
    section: &'p Section,
    /// The next serial number. A thread's numbers are `threads` apart, so no two threads use the same one.
    serial: u64,
    threads: u64,
}

impl PassWorker<'_> {
    /// Replaces the candidates and moves with those from `chunk`.
    fn gather(&mut self, chunk: &Chunk) {
        let Self { fingerprinter, moves_file, moves, candidates, section, serial, threads, .. } = self;
        moves.clear();
        candidates.clear();
        let Ok(()) = fingerprinter.read_chunk(chunk, |offset, known, game_moves| {
            if !known.is_alone {
                let mut moves_at = (0, 0);
                if moves_file.is_some() {
                    moves_at = (moves.len() as u64, game_moves.len() as u64);
                    moves.extend_from_slice(game_moves);
                }
                let place = section.place(chunk.place_of(offset));
                candidates.push(Candidate::new(known, place, *serial, moves_at));
                *serial += *threads;
            }
            Ok::<_, Infallible>(())
        });
    }
}

impl Worker for PassWorker<'_> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, _: &Reading<'_>) -> Result<()> {
        self.gather(chunk);
        self.section.check_serial(self.serial)?;
        let Self { writer, moves_file, moves, candidates, .. } = self;
        if let Some(file) = moves_file {
            let room = file.take_room(moves.len() as u64);
            file.write(room, moves)?;
            for candidate in candidates.iter_mut() {
                candidate.moves_at += room;
            }
        }
        candidates.iter().try_for_each(|candidate| Ok(writer.push(*candidate)?))
    }

    fn finish(self) -> Result<()> {
        Ok(self.writer.close()?)
    }
}
