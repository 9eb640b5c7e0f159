//! A line of Lichess's database of evaluated positions.

use position::{PackedMove, Score};
use shakmaty::{Role, Square};

use crate::{EvalReason, Evaluation, Refusal, json::Scanner};

/// The maximum length of the text of a move in bytes, as in `e7e8q`.
pub(crate) const MOVE_BYTES_MAX: usize = 5;

/// The first move of a line of moves, the offset of that move in the JSON text, and the line's value from
/// White's point of view.
type Pv = (PackedMove, usize, Score);

/// One search, with its depth, its nodes, and the index at which its lines of moves end.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Search {
    pub(crate) depth: u16,
    pub(crate) nodes: u64,
    end: usize,
}

/// The searches that one line of the list contains.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    searches: Vec<Search>,
    pvs: Vec<Pv>,
}

impl Searches {
    /// Reads a line of the list, and returns its FEN.
    pub(crate) fn read<'l>(&mut self, line: &'l [u8]) -> Result<&'l [u8], Refusal<'l>> {
        self.searches.clear();
        self.pvs.clear();
        let mut fen = None;
        let mut scanner = Scanner::new(line);
        scanner.object(|scanner, name| match name {
            b"fen" => once(&mut fen, scanner.string()?.1, name),
            b"evals" if self.searches.is_empty() => scanner.array(|scanner| self.search(scanner)),
            b"evals" => Err((EvalReason::MissingField, name)),
            _ => Err((EvalReason::UnknownField, name)),
        })?;
        scanner.end()?;
        if self.searches.is_empty() {
            return Err((EvalReason::NoEvaluation, b"evals"));
        }
        fen.ok_or((EvalReason::MissingField, b"fen"))
    }

    /// Iterates over the searches and their lines of moves.
    pub(crate) fn each(&self) -> impl Iterator<Item = (Search, &[Pv])> {
        let starts = std::iter::once(0).chain(self.searches.iter().map(|search| search.end));
        self.searches.iter().zip(starts).map(|(search, start)| (*search, &self.pvs[start..search.end]))
    }

    fn search<'l>(&mut self, scanner: &mut Scanner<'l>) -> Result<(), Refusal<'l>> {
        let (mut depth, mut knodes) = (None, None);
        let before = self.pvs.len();
        scanner.object(|scanner, name| match name {
            b"depth" => once(&mut depth, scanner.number(0..=u16::MAX.into())?, name),
            b"knodes" => once(&mut knodes, scanner.number(0..=Evaluation::NODES_MAX / 1000)?, name),
            b"pvs" if self.pvs.len() == before => scanner.array(|scanner| self.pv(scanner)),
            b"pvs" => Err((EvalReason::MissingField, name)),
            _ => Err((EvalReason::UnknownField, name)),
        })?;
        if self.pvs.len() == before {
            return Err((EvalReason::NoEvaluation, b"pvs"));
        }
        let depth = depth.ok_or((EvalReason::MissingField, &b"depth"[..]))?;
        let knodes: u64 = knodes.ok_or((EvalReason::MissingField, &b"knodes"[..]))?;
        let nodes = knodes * 1000;
        self.searches.push(Search { depth, nodes, end: self.pvs.len() });
        Ok(())
    }

    fn pv<'l>(&mut self, scanner: &mut Scanner<'l>) -> Result<(), Refusal<'l>> {
        if let Some((pv, after)) = usual_pv(scanner) {
            *scanner = after;
            self.pvs.push(pv);
            return Ok(());
        }
        let (mut score, mut line) = (None, None);
        scanner.object(|scanner, name| match name {
            b"cp" => once(&mut score, Score::Cp(scanner.number(Score::CP_RANGE)?), name),
            b"mate" => once(&mut score, crate::mate(scanner.word())?, name),
            b"line" => once(&mut line, scanner.string()?, name),
            _ => Err((EvalReason::UnknownField, name)),
        })?;
        let score = score.ok_or((EvalReason::MissingField, &b"cp"[..]))?;
        let (at, line) = line.ok_or((EvalReason::MissingField, &b"line"[..]))?;
        let first = crate::first_word(&line[..line.len().min(MOVE_BYTES_MAX + 1)]);
        let mv = uci(first).ok_or((EvalReason::IllegalMove, first))?;
        self.pvs.push((mv, at, score));
        Ok(())
    }
}

/// Reads a line of moves in the exact form that Lichess nearly always writes. This is three times as fast as
/// reading it field by field. `None` means that the line is in some other form, or faulty.
#[inline]
fn usual_pv<'l>(scanner: &Scanner<'l>) -> Option<(Pv, Scanner<'l>)> {
    let mut scanner = scanner.clone();
    scanner.pass(b"{\"cp\":")?;
    let score = Score::Cp(scanner.number(Score::CP_RANGE).ok()?);
    scanner.pass(b",\"line\":\"")?;
    let (at, line) = scanner.rest_of_string().ok()?;
    scanner.pass(b"}")?;
    let bytes = if line.get(4).is_none_or(|byte| *byte == b' ') { 4 } else { MOVE_BYTES_MAX };
    line.get(bytes).is_none_or(|byte| *byte == b' ').then_some(())?;
    Some(((uci(line.get(..bytes)?)?, at, score), scanner))
}

/// Stores the value of a field; fails if the field has occurred before.
fn once<'l, T>(place: &mut Option<T>, value: T, name: &'l [u8]) -> Result<(), Refusal<'l>> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err((EvalReason::MissingField, name)),
    }
}

/// Parses a move in UCI notation without checking that it is legal.
pub(crate) fn uci(text: &[u8]) -> Option<PackedMove> {
    let square = |at: usize| {
        let (file, rank) = (text.get(at)?.wrapping_sub(b'a'), text.get(at + 1)?.wrapping_sub(b'1'));
        (file < 8 && rank < 8).then(|| Square::new(u32::from(rank << 3 | file)))
    };
    let promotion = match text.get(4) {
        None => None,
        Some(letter) => Some(Role::from_char(char::from(*letter).to_ascii_lowercase())?),
    };
    (text.len() <= MOVE_BYTES_MAX).then_some(PackedMove::new(square(0)?, square(2)?, promotion))
}
