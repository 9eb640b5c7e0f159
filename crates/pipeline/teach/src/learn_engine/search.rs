//! Runs several engines that search positions at the same time.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};

use engine::{Limit, Searcher, SearcherOptions, Value};
use position::{Key, PackedMove};
use run::{Context, Error, Result};
use serde_json::json;
use shakmaty::{Chess, EnPassantMode, fen::Fen};

use super::{error::EngineFails, positions::Target, record::Record};

/// The search gives up after this many failures in a row.
const FAILURES_MAX: usize = 10;

/// The values that were found for a position (move 0) and its moves.
pub(super) type MoveValues = Box<[(PackedMove, Value)]>;

/// A position that the engine failed to search.
pub(super) struct EngineFailure {
    key: Key,
    fen: String,
    pub(super) reason: &'static str,
    text: String,
}

impl EngineFailure {
    /// Formats the failure as a line of the list of rejected positions.
    pub(super) fn line(&self) -> String {
        let Self { key, fen, reason, text } = self;
        let key = format!("{:016x}", key.0);
        format!("{}\n", json!({ "key": key, "fen": fen, "reason": reason, "text": text }))
    }
}

/// The engines, and how they search.
pub(super) struct Search<'c> {
    context: &'c Context,
    options: SearcherOptions,
    limit: Limit,
    /// Whether the kept moves of a position are searched too.
    moves: bool,
    pub(super) engine_name: String,
    /// Idle engines.
    idle: Mutex<Vec<Searcher>>,
    /// How many positions in a row could not be searched.
    failures: AtomicUsize,
}

impl<'c> Search<'c> {
    /// Starts the first engine.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot be started or lacks an option.
    pub(super) fn begin(
        context: &'c Context,
        options: SearcherOptions,
        limit: Limit,
        moves: bool,
    ) -> Result<Self> {
        let first = Searcher::start(&options)?;
        if moves {
            first.need_option("MultiPV")?;
        }
        let engine_name = first.name().to_owned();
        let (idle, failures) = (Mutex::new(vec![first]), AtomicUsize::new(0));
        Ok(Self { context, options, limit, moves, engine_name, idle, failures })
    }

    /// Searches the positions that are not recorded yet, with `jobs` engines. Returns all values, including
    /// those that were recorded, and the positions on which the engine failed.
    ///
    /// # Errors
    ///
    /// Fails with [`EngineFails`] if the engine fails on [`FAILURES_MAX`] positions in a row, or on all
    /// positions. Also fails if the engine cannot be started, or the record cannot be written.
    pub(super) fn all(
        &self,
        wanted: &[Target],
        record: Option<&Record>,
        jobs: usize,
    ) -> Result<(BTreeMap<Key, MoveValues>, Vec<EngineFailure>)> {
        let mut searched = BTreeMap::new();
        let mut left = Vec::new();
        for position in wanted {
            match record.and_then(|record| record.of_position(position.key)) {
                Some(known) => drop(searched.insert(position.key, known.clone())),
                None => left.push(position),
            }
        }
        let progress = self.context.progress();
        progress.enter_steps("searching", left.len() as u64, "positions");
        let mut results = Vec::new();
        if !left.is_empty() {
            let check = || self.context.check_interrupt();
            let each = |number: u32| {
                let position = left[number as usize];
                self.position(position, record).inspect(|_| progress.steps_done(1))
            };
            results = table::for_each_shard(jobs, left.len() as u32, check, Error::is_consequence, each)?;
        }
        let mut rejected = Vec::new();
        for (position, result) in left.into_iter().zip(results) {
            match result {
                Ok(found) => drop(searched.insert(position.key, found)),
                Err(failed) => rejected.push(failed),
            }
        }
        rejected.sort_unstable_by_key(|rejected| rejected.key);
        match rejected.last() {
            Some(last) if searched.is_empty() => {
                Err(EngineFails { positions: rejected.len(), last: last.text.clone() }.into())
            }
            _ => Ok((searched, rejected)),
        }
    }

    /// Searches a position, and records the values.
    fn position(
        &self,
        position: &Target,
        record: Option<&Record>,
    ) -> Result<Result<MoveValues, EngineFailure>> {
        let Some(board) = position.board() else { unreachable!("a position is chosen by its board") };
        // A failed search is retried once, in another engine process.
        let again = |error: engine::Error| match error.reason() {
            Some(_) => self.try_position(position, &board),
            None => Err(error),
        };
        match self.try_position(position, &board).or_else(again) {
            Ok(found) => {
                self.failures.store(0, Relaxed);
                record.map_or(Ok(()), |record| record.add(position.key, &found))?;
                Ok(Ok(found))
            }
            Err(error) => {
                let Some(reason) = error.reason() else { return Err(error.into()) };
                let (positions, text) = (self.failures.fetch_add(1, Relaxed) + 1, error.to_string());
                if positions >= FAILURES_MAX {
                    return Err(EngineFails { positions, last: text }.into());
                }
                let fen = Fen::from_position(&board, EnPassantMode::Legal).to_string();
                Ok(Err(EngineFailure { key: position.key, fen, reason, text }))
            }
        }
    }

    /// Searches a position with an idle engine or, if none is idle, with a newly started one. An engine that
    /// fails is killed.
    fn try_position(&self, position: &Target, board: &Chess) -> engine::Result<MoveValues> {
        let idle = self.idle().pop();
        let mut searcher = idle.map_or_else(|| Searcher::start(&self.options), Ok)?;
        let mut found = vec![(PackedMove::TERMINAL, searcher.search(board, self.limit, &[])?[0])];
        let asked = if self.moves { &position.moves[..] } else { &[] };
        let moves: Vec<_> = asked.iter().filter_map(|mv| Some((*mv, mv.unpack(board)?))).collect();
        if !moves.is_empty() {
            let legal: Vec<_> = moves.iter().map(|(_, mv)| *mv).collect();
            let values = searcher.search(board, self.limit, &legal)?;
            found.extend(moves.iter().map(|(mv, _)| *mv).zip(values));
        }
        self.idle().push(searcher);
        Ok(found.into())
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Searcher>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
