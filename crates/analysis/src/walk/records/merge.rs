//! Many ascending sources as one.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, binary_heap::PeekMut},
};

use position::Key;

use super::Record;
use crate::Result;

/// A source of records that ascend.
pub(crate) trait Source {
    /// The next one.
    fn next(&mut self) -> Result<Option<Record>>;
}

/// Merges sources into one that has every key once.
///
/// # Memory
///
/// 20 KB a source in a file.
pub(crate) struct Merge<S> {
    sources: Vec<S>,
    /// The next record of each source that has one, the smallest on top.
    heads: BinaryHeap<Reverse<(Record, usize)>>,
}

impl<S: Source> Merge<S> {
    pub(crate) fn new(mut sources: Vec<S>) -> Result<Self> {
        let mut heads = BinaryHeap::with_capacity(sources.len());
        for (index, source) in sources.iter_mut().enumerate() {
            heads.extend(source.next()?.map(|record| Reverse((record, index))));
        }
        Ok(Self { sources, heads })
    }

    /// The next record, and which source has it; other records of its key are passed over.
    pub(crate) fn next(&mut self) -> Result<Option<(Record, usize)>> {
        let Some(first) = self.pop()? else { return Ok(None) };
        while self.heads.peek().is_some_and(|head| head.0.0.key == first.0.key) {
            self.pop()?;
        }
        Ok(Some(first))
    }

    fn pop(&mut self) -> Result<Option<(Record, usize)>> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(None) };
        let popped = head.0;
        match self.sources[popped.1].next()? {
            Some(record) => head.0.0 = record,
            None => drop(PeekMut::pop(head)),
        }
        Ok(Some(popped))
    }
}

/// Joins ascending records with ascending keys that are asked for.
pub(crate) struct Lookup<S> {
    records: Merge<S>,
    head: Option<(Record, usize)>,
}

impl<S: Source> Lookup<S> {
    pub(crate) fn new(mut records: Merge<S>) -> Result<Self> {
        let head = records.next()?;
        Ok(Self { records, head })
    }

    /// The record of `key` and its source; asked with ascending keys.
    pub(crate) fn find(&mut self, key: Key) -> Result<Option<(Record, usize)>> {
        while self.head.is_some_and(|(record, _)| record.key < key) {
            self.head = self.records.next()?;
        }
        Ok(self.head.filter(|(record, _)| record.key == key))
    }

    /// Whether there is nothing left.
    pub(crate) fn is_empty(&self) -> bool {
        self.head.is_none()
    }
}
