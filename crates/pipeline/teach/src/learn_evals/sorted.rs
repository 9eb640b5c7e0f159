//! The sorter of evaluations: its items, and the sink that fills it.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

use evals::{EvalReason, Evaluation, LineReader, ListFormat};
use experience::EvaluationRow;
use extsort::{BucketRows, Item, Least, Options, Row, Sorter, Writer};
use games::driver::{Reading, Sink, Worker};
use pgn::input::{Chunk, PieceKind};
use position::{Key, PackedMove, Score};
use run::{Context, Result, Status};

use crate::evaluation::evaluated;

/// The number of words in a row: one for the depth and the number of nodes, one for the source and the value.
const WORDS: usize = 2;
/// How many bits at the end of an item's id are unused; the other bits contain the key and the move.
const UNUSED_BITS: u32 = 48;
/// How many bits of the first word hold the number of nodes.
const NODES_BITS: u32 = 48;
const NODES_MAX: u64 = Evaluation::NODES_MAX.cast_unsigned();
/// How long a thread sleeps before it checks again whether the form of its list is known.
const FORM_WAIT: Duration = Duration::from_millis(1);

/// An evaluation of a position (move 0) or of a move.
///
/// # Format
///
/// An item has two words, and the better of two evaluations has the smaller words, compared in order. The
/// first word contains the depth (16 bits) and the number of nodes (48 bits), each subtracted from the
/// largest possible number. The second word contains the number of the source (32 bits), unchanged, and the
/// value's code (32 bits), subtracted from the largest possible code.
#[derive(Clone, Copy)]
struct EvalItem {
    id: u128,
    words: [u64; WORDS],
}

impl Item<WORDS> for EvalItem {
    type Combine = Least;

    const PAYLOAD_BITS: u32 = UNUSED_BITS;

    fn bits(&self) -> u128 {
        self.id
    }

    fn add_to(&self, sums: &mut [u64; WORDS]) {
        Least::keep(sums, &self.words);
    }
}

impl EvalItem {
    fn new(key: Key, mv: PackedMove, source: u32, evaluation: Evaluation) -> Self {
        let Evaluation { score, depth, nodes } = evaluation;
        let id = u128::from(key.0) << 64 | u128::from(mv.0) << UNUSED_BITS;
        let founded = u64::from(!depth) << NODES_BITS | (NODES_MAX - nodes);
        let value = !(score.code().cast_unsigned() ^ 1 << 31);
        Self { id, words: [founded, u64::from(source) << 32 | u64::from(value)] }
    }
}

/// Decodes the evaluation that a row contains.
fn kept(row: &Row<WORDS>) -> EvaluationRow {
    let [founded, rest] = row.sums;
    let score = Score::of_code((!(rest as u32) ^ 1 << 31).cast_signed());
    let (depth, nodes) = (!((founded >> NODES_BITS) as u16), NODES_MAX - (founded & NODES_MAX));
    let (key, mv) = (Key((row.id >> 64) as u64), PackedMove((row.id >> UNUSED_BITS) as u16));
    evaluated((key, mv), (rest >> 32) as u32, score, (depth, Some(nodes)))
}

/// An input: its name, and the form of its list. The first line of the list determines the form.
struct List {
    name: String,
    form: OnceLock<ListFormat>,
}

impl List {
    /// The form of the list that a chunk belongs to. The thread that has the first chunk of the list
    /// determines the form; until then, the other threads wait.
    fn form_of(&self, chunk: &Chunk, stop: &AtomicBool) -> Result<&ListFormat> {
        if (chunk.place.part, chunk.place.offset) == (0, 0) {
            let form = ListFormat::of(&chunk.text);
            let form = form.map_err(|why| pgn::Error::NotEvals { name: self.name.clone(), why })?;
            return Ok(self.form.get_or_init(|| form));
        }
        loop {
            match self.form.get() {
                Some(form) => return Ok(form),
                None if stop.load(Relaxed) => return Err(fault::Stop.into()),
                None => thread::sleep(FORM_WAIT),
            }
        }
    }
}

/// The sink that reads evaluations from lines and pushes them into a sorter.
pub(super) struct EvalSink {
    sorter: Sorter<EvalItem, WORDS>,
    inputs: Vec<List>,
}

impl EvalSink {
    pub(super) fn new(
        context: &Context,
        names: Vec<String>,
        memory_bytes: u64,
        stop: Arc<AtomicBool>,
    ) -> Result<Self> {
        let options = Options { stop, ..context.sorting(1, memory_bytes, context.threads) };
        let inputs = names.into_iter().map(|name| List { name, form: OnceLock::new() }).collect();
        Ok(Self { sorter: Sorter::new(options)?, inputs })
    }

    /// Returns the most reliable evaluation of each position and move, sorted by key and move.
    pub(super) fn into_rows(self, context: &Context) -> Result<KeptRows> {
        let sorted = self.sorter.finish()?;
        context.summary().add_sorted(&sorted.stats());
        Ok(KeptRows { rows: sorted.bucket(0)?, batch: Vec::new(), at: 0 })
    }
}

/// The most reliable evaluation of each position and move, sorted by key and move.
pub(super) struct KeptRows {
    rows: BucketRows<WORDS, Least>,
    batch: Vec<Row<WORDS>>,
    at: usize,
}

impl Iterator for KeptRows {
    type Item = Result<EvaluationRow>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at == self.batch.len() {
            self.at = 0;
            if let Err(error) = self.rows.next_batch(&mut self.batch) {
                return Some(Err(error.into()));
            }
        }
        let row = self.batch.get(self.at)?;
        self.at += 1;
        Some(Ok(kept(row)))
    }
}

impl Sink for EvalSink {
    fn worker(&self) -> Result<impl Worker> {
        Ok(EvalWorker { reader: LineReader::default(), writer: self.sorter.writer()?, inputs: &self.inputs })
    }

    fn spilled_bytes(&self) -> u64 {
        self.sorter.stats().bytes_spilled
    }
}

/// One thread's reader, and the writer that passes its evaluations to the sorter.
pub(super) struct EvalWorker<'s> {
    reader: LineReader,
    writer: Writer<'s, EvalItem, WORDS>,
    inputs: &'s [List],
}

impl Worker for EvalWorker<'_> {
    fn chunk(&mut self, _: u64, chunk: &mut Chunk, reading: &Reading<'_>) -> Result<()> {
        let (mut status, source) = (reading.chunk_status(chunk.place), chunk.place.input);
        let form = self.inputs[source as usize].form_of(chunk, &reading.stop())?;
        for line in chunk.games() {
            let read = match line.kind {
                PieceKind::Oversized => Err((EvalReason::TooLong, &b""[..])),
                PieceKind::Game | PieceKind::Fragment => self.reader.read(line.text, form),
            };
            match read {
                Ok(None) => {}
                Ok(Some(key)) => {
                    for &(mv, evaluation) in self.reader.found() {
                        self.writer.push(EvalItem::new(key, mv, source, evaluation))?;
                    }
                    status.note(line.offset, Status::Accepted { cut: false });
                }
                Err((reason, text)) => {
                    let text = &String::from_utf8_lossy(text);
                    status.note(line.offset, Status::Rejected { ply: None, reason: reason.into(), text });
                }
            }
        }
        reading.add(&status)
    }

    fn finish(self) -> Result<()> {
        Ok(self.writer.close()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_lose_nothing_and_the_better_is_smaller() {
        let evaluation = |score, depth, nodes| Evaluation { score, depth, nodes };
        let ascending = [
            (7, evaluation(Score::Cp(-3), u16::MAX, 0)),
            (9, evaluation(Score::Mate(-1), 30, NODES_MAX)),
            (0, evaluation(Score::Mate(1), 30, 5)),
            (0, evaluation(Score::Cp(99), 30, 5)),
            (0, evaluation(Score::Mate(-1), 30, 5)),
            (1, evaluation(Score::Mate(1), 30, 5)),
            (0, evaluation(Score::Cp(0), 0, 0)),
        ];
        let items = ascending.map(|(source, evaluation)| {
            let item = EvalItem::new(Key(u64::MAX), PackedMove(0x7fff), source, evaluation);
            let row = Row { id: item.id, note: 0, sums: item.words };
            let EvaluationRow { key, mv, source: kept_source, experience } = kept(&row);
            assert_eq!((key, mv, kept_source), (Key(u64::MAX), PackedMove(0x7fff), source));
            let Evaluation { score, depth, nodes } = evaluation;
            assert_eq!(experience, evaluated((key, mv), source, score, (depth, Some(nodes))).experience);
            item.words
        });
        assert!(items.is_sorted());
    }
}
