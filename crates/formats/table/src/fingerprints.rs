//! `_fingerprints`: the fingerprints of the games that a table counts, so that no game is counted twice.
//!
//! # Format
//!
//! The file consists only of the games' fingerprints, in ascending order. Each [`Fingerprint`] is two
//! little-endian numbers of 8 and 16 bytes. The manifest records the number of fingerprints and the file's
//! XXH3-64. Short games whose players or year are unknown are left out, because no other game counts as a
//! copy of them. In a store, the file's name ends with the number of the job that wrote the parts. Before
//! version 3 of the table format, the file was called `games.fingerprints`.

mod reader;
mod writer;

use serde::{Deserialize, Serialize};

pub use self::{reader::Fingerprints, writer::FingerprintsWriter};
use crate::shards::job_of_part;

/// The file's name in a table's directory.
const FINGERPRINTS_NAME: &str = "_fingerprints";
/// The file's name before version 3 of the table format.
pub(crate) const OLD_FINGERPRINTS_NAME: &str = "games.fingerprints";

/// Returns the name of the fingerprint file of the table that contains `part`. In a store, this name ends
/// with the number of the job that wrote the part.
#[must_use]
pub fn fingerprints_name(part: &str) -> String {
    job_of_part(part).map_or_else(|| FINGERPRINTS_NAME.to_owned(), |job| format!("{FINGERPRINTS_NAME}-{job}"))
}

/// The manifest's entry for the file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FingerprintsInfo {
    /// Which copies were left out: `exact` or `truncated`.
    pub dedup_games: String,
    /// The number of fingerprints in the file.
    pub fingerprints: u64,
    /// XXH3-64 of the file.
    pub xxh3: String,
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use position::{Fingerprint, Players};

    use super::*;
    use crate::{Counting, Error, JoinOptions, Shared, Table, TableWriter, merge, shared_games, subtract};

    fn fingerprint(game: u64, players: u128) -> Fingerprint {
        Fingerprint { game, players: Players(players) }
    }

    /// A table with these fingerprints and no rows.
    fn table(path: &Path, dedup: &str, games: &[Fingerprint]) -> Table {
        let writer = TableWriter::create(path, Counting::default(), 1, true).unwrap();
        let mut out = writer.fingerprints().unwrap();
        for &game in games {
            out.push(game).unwrap();
        }
        let writer = writer.with_fingerprints(Some(out.finish(dedup).unwrap()));
        let shards = vec![writer.shard(0).unwrap().finish().unwrap()];
        writer.finish(shards, Vec::new()).unwrap()
    }

    fn all(table: &Table) -> Vec<Fingerprint> {
        let mut fingerprints = table.fingerprints().unwrap().unwrap();
        std::iter::from_fn(|| fingerprints.read().unwrap()).collect()
    }

    #[test]
    fn they_are_read_back_and_found_by_game() {
        let dir = tempfile::tempdir().unwrap();
        let games: Vec<_> = (0..20_000).map(|n| fingerprint(n / 3 * 1000, n.into())).collect();
        let table = table(&dir.path().join("a.table"), "exact", &games);
        assert_eq!(all(&table), games);
        let fingerprints = table.fingerprints().unwrap().unwrap();
        for game in [0, 1000, 1001, 4_000_000, 6_666_000, 6_667_000] {
            let expected: Vec<_> = games.iter().filter(|it| it.game == game).map(|it| it.players).collect();
            let mut found = Vec::new();
            fingerprints.from_game(game).unwrap().of_game(game, &mut found).unwrap();
            assert_eq!(found, expected, "{game}");
        }
    }

    #[test]
    fn damage_and_disorder_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.table");
        table(&path, "exact", &[fingerprint(1, 1), fingerprint(2, 1)]);
        let file = path.join(FINGERPRINTS_NAME);
        let sound = fs::read(&file).unwrap();
        for at in 0..sound.len() {
            let mut bytes = sound.clone();
            bytes[at] ^= 1;
            fs::write(&file, bytes).unwrap();
            let found = Table::open(&path).unwrap().fingerprints();
            assert!(matches!(found.err(), Some(Error::Checksum { .. })), "byte {at}");
        }
        fs::write(&file, &sound[..24]).unwrap();
        assert!(matches!(Table::open(&path).unwrap().fingerprints().err(), Some(Error::Length { .. })));
        fs::remove_file(&file).unwrap();
        assert!(Table::open(&path).unwrap().fingerprints().is_err());
    }

    #[test]
    fn joins_count_shared_games_and_take_games_out() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        let dates = [[2013, 8, 1], [2013, 0, 0], [2012, 8, 1]];
        let [known, year, other] =
            dates.map(|[year, month, day]| Players::new([0, 0, 0, 0, year, month, day]).0);
        let a =
            table(&at("a"), "exact", &[fingerprint(1, known), fingerprint(2, known), fingerprint(3, known)]);
        let b = table(&at("b"), "exact", &[fingerprint(1, other), fingerprint(2, year), fingerprint(4, 1)]);
        let options = JoinOptions::default();
        assert_eq!(shared_games(&[&a, &b], &options).unwrap(), Some(1), "2 is known better in b");
        let refused = merge(&[&a, &b], &at("m"), &options).err();
        assert!(matches!(refused, Some(Error::SharedGames { games: 1, .. })), "{refused:?}");
        let merged = merge(&[&a, &b], &at("m"), &JoinOptions { shared: Shared::Keep, ..options }).unwrap();
        assert_eq!(all(&merged).len(), 6);
        let left = subtract(&merged, &b, &options).unwrap();
        assert_eq!(all(&left), all(&a));
        let refused = subtract(&left, &b, &options).err();
        assert!(matches!(refused, Some(Error::GamesNotHeld { games: 2, .. })), "{refused:?}");
        let c = table(&at("c"), "truncated", &[]);
        let refused = merge(&[&a, &c], &at("n"), &options).err();
        assert!(matches!(refused, Some(Error::Disagree { option: "dedup-games", .. })), "{refused:?}");
    }
}
