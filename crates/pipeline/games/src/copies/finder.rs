//! Finds out which candidates are copies, using all threads.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use extsort::{BucketRows, Least, Sorted, Sorter, Writer};
use pgn::input::Place;
use run::{Context, Result};
use table::Fingerprints;

use super::{
    beginnings::find_beginnings,
    candidate::{Candidate, WORDS},
    crowd::Crowd,
    group_reader::GroupReader,
    list::Copy,
    moves::MovesFile,
    settle::{TableGames, settle},
    stayed::Stays,
};

/// The number of buckets into which candidates are sorted. Different threads compare the candidates of
/// different buckets.
pub(super) const BUCKETS: u32 = 16;

/// Collects the candidates that are copies, and the candidates that are kept.
pub(super) struct Finder<'c> {
    pub(super) context: &'c Context,
    pub(super) copies: Sorter<Copy, 2>,
    /// The fingerprints of the kept games; `None` if the fingerprints are not needed.
    pub(super) stayed: Option<Sorter<Stays, 2>>,
    /// The fingerprints of the games that a table already counts.
    pub(super) table: Option<Fingerprints>,
    /// A thread holds this lock while it uses a [`Crowd`].
    pub(super) crowd: Mutex<()>,
}

/// One thread's part of a [`Finder`].
struct FinderWriter<'f> {
    copies: Writer<'f, Copy, 2>,
    stayed: Option<Writer<'f, Stays, 2>>,
    /// Receives the kept games if they must still be compared with games of the same players and date. If
    /// this is `None`, `stayed` receives the kept games.
    cut: Option<Writer<'f, Candidate, WORDS>>,
}

impl Finder<'_> {
    /// Compares candidates that have the same moves, both with each other and with the games that a table
    /// already counts. If `cut` is set, it receives the kept games, so that they can be sorted by players and
    /// date.
    pub(super) fn settle(
        &self,
        candidates: &Sorted<WORDS, Least>,
        cut: Option<&Sorter<Candidate, WORDS>>,
    ) -> Result<()> {
        self.context
            .for_each_shard("comparing games", BUCKETS, |bucket| {
                let mut found = self.writer()?;
                let mut groups = GroupReader::open(candidates, bucket)?;
                found.cut = cut.map(Sorter::writer).transpose()?;
                let first = u64::from(bucket) << (64 - BUCKETS.ilog2());
                let mut table = self.table.as_ref().map(|table| table.from_game(first)).transpose()?;
                let mut held = TableGames::default();
                while let Some(game) = groups.peek()?.map(|first| first.group) {
                    if let Some(table) = &mut table {
                        held.replace(|held| Ok(table.of_game(game, held)?))?;
                    }
                    self.settle_group(&mut groups, &mut held, &mut found)?;
                }
                found.close()
            })
            .map(drop)
    }

    /// Compares candidates that have the same moves; `rows` contains the candidates of one bucket, from all
    /// sections.
    pub(super) fn settle_rows(&self, rows: BucketRows<WORDS, Least>) -> Result<()> {
        let (mut found, mut held) = (self.writer()?, TableGames::default());
        let mut groups = GroupReader::new(rows);
        while groups.peek()?.is_some() {
            self.context.check_interrupt()?;
            self.settle_group(&mut groups, &mut held, &mut found)?;
        }
        found.close()
    }

    /// Compares the games of the next group.
    fn settle_group(
        &self,
        groups: &mut GroupReader,
        held: &mut TableGames,
        found: &mut FinderWriter<'_>,
    ) -> Result<()> {
        let mut crowd = None;
        groups.next(|group| {
            held.leave_out(group, |copy| found.copy(copy, None))?;
            let crowd = match &mut crowd {
                Some((crowd, _)) => crowd,
                None => &mut crowd.insert(self.crowd()?).0,
            };
            crowd.take(group)
        })?;
        let group = &mut groups.group;
        held.leave_out(group, |copy| found.copy(copy, None))?;
        let Some((mut crowd, _turn)) = crowd else {
            settle(group, |copy, original| found.copy(copy, Some(original.place)))?;
            return group.iter().try_for_each(|game| found.keep(game));
        };
        crowd.take(group)?;
        crowd.settle(|game, original| match original {
            Some(_) => found.copy(game, original),
            None => found.keep(game),
        })
    }

    /// Returns a new [`Crowd`], and a lock that the caller must hold while using the crowd. There may be only
    /// one crowd at a time, because two would not fit in memory.
    fn crowd(&self) -> Result<(Crowd<'_>, MutexGuard<'_, ()>)> {
        let turn = self.crowd.lock().unwrap_or_else(PoisonError::into_inner);
        self.context.check_interrupt()?;
        Ok((Crowd::new(self.context)?, turn))
    }

    /// Compares kept games that have the same players and date, to find truncated copies among them.
    pub(super) fn find_cut(&self, games: &Sorted<WORDS, Least>, moves: &MovesFile) -> Result<()> {
        self.context
            .for_each_shard("comparing beginnings", BUCKETS, |bucket| {
                let mut found = self.writer()?;
                let mut groups = GroupReader::open(games, bucket)?;
                while groups.next(|_| Ok(()))? {
                    let check_stop = || self.context.check_interrupt();
                    let cut = find_beginnings(&groups.group, moves, check_stop)?;
                    cut.iter().try_for_each(|(copy, original)| found.copy(copy, Some(original.place)))?;
                    let cut: HashSet<Place> = cut.iter().map(|(copy, _)| copy.place).collect();
                    let mut stay = groups.group.iter().filter(|game| !cut.contains(&game.place));
                    stay.try_for_each(|game| found.keep(game))?;
                }
                found.close()
            })
            .map(drop)
    }

    fn writer(&self) -> Result<FinderWriter<'_>> {
        let stayed = self.stayed.as_ref().map(Sorter::writer).transpose()?;
        Ok(FinderWriter { copies: self.copies.writer()?, stayed, cut: None })
    }
}

impl FinderWriter<'_> {
    fn copy(&mut self, copy: &Candidate, original: Option<Place>) -> Result<()> {
        Ok(self.copies.push(Copy::new(copy.place, original))?)
    }

    /// Keeps a game that is not known to be a copy.
    fn keep(&mut self, game: &Candidate) -> Result<()> {
        match (&mut self.cut, &mut self.stayed) {
            (Some(cut), _) => Ok(cut.push(game.by_players())?),
            (None, Some(stayed)) => Ok(stayed.push(Stays(*game))?),
            (None, None) => Ok(()),
        }
    }

    fn close(self) -> Result<()> {
        self.cut.map_or(Ok(()), Writer::close)?;
        self.stayed.map_or(Ok(()), Writer::close)?;
        Ok(self.copies.close()?)
    }
}
