//! Finds copies among games with the same moves when these games do not all fit in memory.
//!
//! # Flow
//!
//! 1. The games are sorted by the facts that are known about their players and dates.
//! 2. Each game gets an entry whose key is the set of all facts known about the game. The game may also get
//!    entries whose keys are subsets of these facts. For example, if only the surnames and the year are known
//!    about some game, then each game whose surnames and year are known gets an entry whose key consists of
//!    its own surnames and year. Of several entries with the same key, only the entry of the game with the
//!    smallest rank is kept; [`Least`] does this during sorting.
//! 3. Games and entries are read side by side. For each game, the entry is found whose key is the set of all
//!    facts known about the game. If the entry belongs to another game, the other game is kept, and the first
//!    game is a copy of it. Otherwise, the game itself is kept.
//!
//! All facts that are known about the copy are also known about the kept game. The kept game cannot itself be
//! a copy of a third game: the third game would have all these facts too, and a smaller rank, so the entry
//! would belong to the third game instead. The verdicts are therefore the same as those of
//! [`settle`](super::settle::settle).

use std::collections::BTreeSet;

use extsort::{Item, Least, Lookup, Options, Row, Sorted, Sorter};
use pgn::input::Place;
use position::Players;
use run::{Context, Result};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    candidate::{Candidate, WORDS, place_of_words, words_of_place},
    group_reader::GroupReader,
};

/// The minimum memory that a sorter of games needs.
const SORTER_BYTES_MIN: u64 = 6 << 20;

/// Games with the same moves and result, in temporary files.
///
/// # Memory
///
/// Uses the memory reserved for a book's segments, half of it for the games and half for the entries. That
/// memory is free, since no book has been started yet.
pub(super) struct Crowd<'c> {
    context: &'c Context,
    games: Sorter<Candidate, WORDS>,
    /// For each game, the mask of the facts that are known about it. At most 128 different masks occur.
    known: BTreeSet<u128>,
}

impl<'c> Crowd<'c> {
    pub(super) fn new(context: &'c Context) -> Result<Self> {
        Ok(Self { context, games: Sorter::new(options(context))?, known: BTreeSet::new() })
    }

    /// Moves all games out of `group`.
    pub(super) fn take(&mut self, group: &mut Vec<Candidate>) -> Result<()> {
        let mut games = self.games.writer()?;
        for game in group.drain(..) {
            self.known.insert(game.players().known());
            games.push(game.by_knowledge())?;
        }
        Ok(games.close()?)
    }

    /// Calls `judge` with each game and, if it is a copy, the place of its original.
    pub(super) fn settle(self, mut judge: impl FnMut(&Candidate, Option<Place>) -> Result<()>) -> Result<()> {
        let games = self.games.finish()?;
        let entries = Sorter::<Entry, 4>::new(options(self.context))?;
        let mut writer = entries.writer()?;
        each(&games, |game| {
            let all = game.players().known();
            let parts = self.known.iter().filter(|&&part| part & all == part);
            parts.into_iter().try_for_each(|&part| Ok(writer.push(Entry::new(game, part))?))
        })?;
        writer.close()?;
        let mut entries = Lookup::new(entries.finish()?.bucket(0)?)?;
        each(&games, |game| {
            let entry = entries.find(u128::from(game.group) << 64)?;
            let first =
                entry.map(|&Row { sums: [_, _, stream, offset], .. }| place_of_words([stream, offset]));
            judge(game, first.filter(|first| *first != game.place))
        })
    }
}

fn options(context: &Context) -> Options {
    let memory_bytes = (context.memory.segments / 2).max(SORTER_BYTES_MIN);
    context.sorting(1, memory_bytes, 1)
}

fn each(games: &Sorted<WORDS, Least>, mut each: impl FnMut(&Candidate) -> Result<()>) -> Result<()> {
    let mut games = GroupReader::open(games, 0)?;
    while let Some(game) = games.next_game()? {
        each(&game)?;
    }
    Ok(())
}

/// An entry of a game. The key of the entry is the set of all facts known about the game, or a subset of
/// these facts.
#[derive(Clone, Copy)]
struct Entry {
    /// The hash of the key. [`Candidate::by_knowledge`] gives this group to a game about which exactly the
    /// facts in the key are known.
    group: u64,
    rank: u64,
    text: u64,
    place: Place,
}

impl Entry {
    fn new(game: &Candidate, part: u128) -> Self {
        let Players(players) = game.players() & part;
        let (rank, text, place) = game.rank();
        Self { group: xxh3_64(&players.to_le_bytes()), rank, text, place }
    }
}

impl Item<4> for Entry {
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 64;

    #[inline]
    fn bits(&self) -> u128 {
        u128::from(self.group) << 64
    }

    #[inline]
    fn add_to(&self, words: &mut [u64; 4]) {
        let [stream, offset] = words_of_place(self.place);
        Least::keep(words, &[self.rank, self.text, stream, offset]);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::copies::testing::{candidate, plainly, players};
    use run::{Limits, RunOptions};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn verdicts_are_those_of_the_definition(
            group in prop::collection::vec((players(), 0..3_u16), 1..200),
        ) {
            let limits = Limits { threads: Some(1), memory_mib: Some(64), ..Limits::default() };
            let context = Context::new(&limits, std::env::temp_dir(), RunOptions::default()).unwrap();
            let games: Vec<_> =
                (0..).zip(group).map(|(number, (players, tags))| candidate(number, players, tags)).collect();
            let mut crowd = Crowd::new(&context).unwrap();
            games.chunks(50).for_each(|some| crowd.take(&mut some.to_vec()).unwrap());
            let (mut stay, mut copies) = (Vec::new(), Vec::new());
            crowd.settle(|game, original| {
                match original {
                    None => stay.push(game.place.offset),
                    Some(original) => copies.push((game.place.offset, original.offset)),
                }
                Ok(())
            }).unwrap();
            stay.sort_unstable();
            copies.sort_unstable();
            prop_assert_eq!((stay, copies), plainly(games));
        }
    }
}
