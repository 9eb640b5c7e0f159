//! The fingerprints of joined tables.

use position::Fingerprint;

use super::{JoinOptions, Shared};
use crate::{Error, Fingerprints, FingerprintsInfo, Result, Table, TableWriter, parallel::check_stop};

/// The number of games between checks of the stop flag.
const GAMES_A_STEP: u64 = 1 << 16;

/// Fails if only some of the tables have fingerprints, or if the tables differ in which copies were left out.
pub(super) fn check_agreement(tables: &[&Table]) -> Result<()> {
    let name = |table: &Table| {
        let info = table.manifest().fingerprints.as_ref();
        info.map_or("off", |info| info.dedup_games.as_str()).to_owned()
    };
    let [first, others @ ..] = tables else { unreachable!("a join has a table at least") };
    let expected = name(first);
    let other = others.iter().map(|table| (table, name(table))).find(|(_, got)| *got != expected);
    other.map_or(Ok(()), |(table, got)| {
        Err(Error::Disagree {
            path: table.path().to_owned(),
            other: first.path().to_owned(),
            option: "dedup-games",
            expected: expected.into(),
            got: got.into(),
        })
    })
}

/// Counts the games that are in more than one of the tables and would be counted twice. `None` if the tables
/// have no fingerprints.
///
/// # Errors
///
/// Fails if a file cannot be read or is damaged.
pub fn shared_games(tables: &[&Table], options: &JoinOptions<'_>) -> Result<Option<u64>> {
    let merged = MergedRows::open(tables)?;
    merged.map(|merged| merged.for_each(options, |_| Ok(()))).transpose()
}

/// Writes the fingerprints of all `tables`, if they have any.
pub(super) fn write_sum(
    tables: &[&Table],
    writer: &TableWriter,
    options: &JoinOptions<'_>,
) -> Result<Option<FingerprintsInfo>> {
    let Some(merged) = MergedRows::open(tables)? else { return Ok(None) };
    let mut out = writer.fingerprints()?;
    let shared = merged.for_each(options, |fingerprint| out.push(fingerprint))?;
    if shared > 0 && options.shared == Shared::Refuse {
        let [first, others @ ..] = tables else { unreachable!("a join has a table at least") };
        let path = others.first().unwrap_or(first).path().to_owned();
        return Err(Error::SharedGames { path, other: first.path().to_owned(), games: shared });
    }
    finish(out, tables[0])
}

/// Writes those fingerprints of the table `from` that are not in the table `what`. Writes nothing if either
/// table has no fingerprints.
pub(super) fn write_difference(
    from: &Table,
    what: &Table,
    writer: &TableWriter,
) -> Result<Option<FingerprintsInfo>> {
    let (Some(mut minuends), Some(mut subtrahends)) = (from.fingerprints()?, what.fingerprints()?) else {
        return Ok(None);
    };
    let mut out = writer.fingerprints()?;
    let mut held = Vec::new();
    let mut taken = Vec::new();
    let mut missing = 0;
    while let Some(Fingerprint { game, .. }) = lower(minuends.peek()?, subtrahends.peek()?) {
        held.clear();
        taken.clear();
        minuends.of_game(game, &mut held)?;
        subtrahends.of_game(game, &mut taken)?;
        for players in taken.drain(..) {
            let of = |players| Fingerprint { game, players };
            let same = held.iter().position(|&it| it == players);
            let found = same.or_else(|| held.iter().position(|&it| of(players).is_copy_of(of(it))));
            missing += u64::from(found.is_none());
            found.map(|at| held.remove(at));
        }
        held.iter().try_for_each(|&players| out.push(Fingerprint { game, players }))?;
    }
    if missing > 0 {
        return Err(Error::GamesNotHeld { path: from.path().to_owned(), games: missing });
    }
    finish(out, from)
}

fn finish(out: crate::FingerprintsWriter, like: &Table) -> Result<Option<FingerprintsInfo>> {
    let dedup = like.manifest().fingerprints.as_ref().map(|info| info.dedup_games.clone());
    Ok(Some(out.finish(&dedup.unwrap_or_default())?))
}

fn lower(a: Option<Fingerprint>, b: Option<Fingerprint>) -> Option<Fingerprint> {
    [a, b].into_iter().flatten().min()
}

/// Merges the fingerprints of several tables in ascending order, and returns each one with the index of its
/// table.
struct MergedRows(Vec<Fingerprints>);

impl MergedRows {
    /// Opens the fingerprints; `None` if the tables have none.
    fn open(tables: &[&Table]) -> Result<Option<Self>> {
        let opened: Vec<_> = tables.iter().map(|table| table.fingerprints()).collect::<Result<_>>()?;
        Ok(opened.into_iter().collect::<Option<Vec<_>>>().map(Self))
    }

    /// Calls `each` with every fingerprint; returns how many belong to a copy of a game in another table.
    fn for_each(
        mut self,
        options: &JoinOptions<'_>,
        mut each: impl FnMut(Fingerprint) -> Result<()>,
    ) -> Result<u64> {
        let mut shared = 0;
        let mut games = 0;
        let mut group = Vec::<(usize, Fingerprint)>::new();
        while let Some((table, next)) = self.next()? {
            if group.first().is_some_and(|(_, first)| first.game != next.game) {
                group.clear();
            }
            let is_shared = group.iter().any(|(other, held)| *other != table && next.is_copy_of(*held));
            shared += u64::from(is_shared);
            group.push((table, next));
            each(next)?;
            games += 1;
            if games % GAMES_A_STEP == 0 {
                check_stop(options.stop)?;
            }
        }
        Ok(shared)
    }

    fn next(&mut self) -> Result<Option<(usize, Fingerprint)>> {
        let mut least = None;
        for (index, fingerprints) in self.0.iter_mut().enumerate() {
            let next = fingerprints.peek()?.map(|next| (next, index));
            least = [least, next].into_iter().flatten().min();
        }
        let Some((next, index)) = least else { return Ok(None) };
        self.0[index].read()?;
        Ok(Some((index, next)))
    }
}
