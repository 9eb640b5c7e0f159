//! Finds out which candidates are copies, on all threads.

use std::collections::HashSet;

use extsort::{Least, Sorted, Sorter, Writer};
use pgn::input::Place;
use table::Fingerprints;

use super::{
    beginnings::find_beginnings,
    candidate::{Candidate, WORDS},
    groups::Groups,
    list::Copy,
    moves::MovesFile,
    settle::settle,
    stayed::Stays,
};
use crate::{Context, Result, shard::for_each_shard};

/// Buckets that candidates are sorted into, so that several threads can look at them.
pub(super) const BUCKETS: u32 = 16;

/// Takes what is found out about candidates.
pub(super) struct Finder<'c> {
    pub(super) context: &'c Context,
    pub(super) copies: Sorter<Copy, 2>,
    /// By what the games that stay are known, if that is asked for.
    pub(super) stayed: Option<Sorter<Stays, 2>>,
    /// By what the games are known that a table counts.
    pub(super) table: Option<Fingerprints>,
}

/// One thread's part of it.
struct FinderWriter<'f> {
    copies: Writer<'f, Copy, 2>,
    stayed: Option<Writer<'f, Stays, 2>>,
}

impl Finder<'_> {
    /// Compares the candidates with the same moves, and with the games that a table counts. Those that stay
    /// go to `cut`, by players and date, if beginnings are looked for.
    pub(super) fn settle(
        &self,
        candidates: &Sorted<WORDS, Least>,
        cut: Option<&Sorter<Candidate, WORDS>>,
    ) -> Result<()> {
        for_each_shard(self.context, "comparing games", BUCKETS, |bucket| {
            let (mut found, mut groups) = (self.writer()?, Groups::open(candidates, bucket)?);
            let mut cut = cut.map(Sorter::writer).transpose()?;
            let first = u64::from(bucket) << (64 - BUCKETS.ilog2());
            let mut table = self.table.as_ref().map(|table| table.from_game(first)).transpose()?;
            let mut held = Vec::new();
            while let Some(game) = groups.peek()?.map(|first| first.group) {
                held.clear();
                if let Some(table) = &mut table {
                    table.of_game(game, &mut held)?;
                }
                groups.next(|group| settle(group, &held, |copy, original| found.copy(copy, original)))?;
                settle(&mut groups.group, &held, |copy, original| found.copy(copy, original))?;
                for game in &groups.group {
                    match &mut cut {
                        Some(cut) => cut.push(game.by_players())?,
                        None => found.stays(game)?,
                    }
                }
            }
            cut.map_or(Ok(()), Writer::close)?;
            found.close()
        })
        .map(drop)
    }

    /// Compares the games that stay and have the same players and date.
    pub(super) fn find_cut(&self, games: &Sorted<WORDS, Least>, moves: &MovesFile) -> Result<()> {
        for_each_shard(self.context, "comparing beginnings", BUCKETS, |bucket| {
            let (mut found, mut groups) = (self.writer()?, Groups::open(games, bucket)?);
            while groups.next(|_| Ok(()))? {
                let cut = find_beginnings(&groups.group, moves)?;
                cut.iter().try_for_each(|(copy, original)| found.copy(copy, Some(original)))?;
                let cut: HashSet<Place> = cut.iter().map(|(copy, _)| copy.place).collect();
                let mut stay = groups.group.iter().filter(|game| !cut.contains(&game.place));
                stay.try_for_each(|game| found.stays(game))?;
            }
            found.close()
        })
        .map(drop)
    }

    fn writer(&self) -> Result<FinderWriter<'_>> {
        let stayed = self.stayed.as_ref().map(Sorter::writer).transpose()?;
        Ok(FinderWriter { copies: self.copies.writer()?, stayed })
    }
}

impl FinderWriter<'_> {
    fn copy(&mut self, copy: &Candidate, original: Option<&Candidate>) -> Result<()> {
        Ok(self.copies.push(Copy::new(copy.place, original.map(|original| original.place)))?)
    }

    fn stays(&mut self, game: &Candidate) -> Result<()> {
        self.stayed.as_mut().map_or(Ok(()), |stayed| Ok(stayed.push(Stays(*game))?))
    }

    fn close(self) -> Result<()> {
        self.stayed.map_or(Ok(()), Writer::close)?;
        Ok(self.copies.close()?)
    }
}
