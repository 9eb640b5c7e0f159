//! Looks up keys in an artefact, without needing a board.

mod in_memory;
mod look_ups;

use std::thread;

use book::{PositionEntry, polyglot, polyglot::Weight};
use position::{Edge, Key, PackedMove, RatingSums, Step, Tally};
use shakmaty::{Chess, Color};
use table::{Gather, PositionCounts, PositionRows, Row, SortedRows as _, Table, for_each_shard};

use self::in_memory::TableInMemory;
pub use self::look_ups::{LookUps, VisitAnswer};
use crate::{Artefact, Error, Result, View};

/// The approximate number of rows that can be read sequentially in the time that one look-up takes.
const LOOK_UP_ROWS: u64 = 5000;

/// The data that an artefact contains for a key. The data includes the counts or weights of moves, but not
/// the names of moves, because a move can be named only with a board.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KeyProbe {
    /// The key.
    pub key: Key,
    /// The side to move; `None` in a Polyglot book, which does not store it.
    pub turn: Option<Color>,
    /// The games that reached the position, by result; `None` in a Polyglot book.
    pub tally: Option<Tally>,
    /// The moves in descending order of games; moves with the same number of games are ordered by their
    /// encoding. In a Polyglot book, they are in the order of the file.
    pub moves: Vec<KeyMove>,
}

/// One move of a position that was looked up by key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct KeyMove {
    /// The move. It may be illegal if the file is damaged or if two positions have the same key.
    pub mv: PackedMove,
    /// The move's step, which encodes what the move changes in the key besides its squares; `None` unless the
    /// artefact is a table.
    pub step: Option<Step>,
    /// The games in which the move was played, by result; `None` in a Polyglot book.
    pub tally: Option<Tally>,
    /// The mean Elo of the players who played the move, over the games in which both ratings are known.
    /// `None` unless the artefact is a table with ratings.
    pub average_elo: Option<f64>,
    /// The mean Elo of the opponents of the players who played the move, over the games in which both ratings
    /// are known.
    pub opponent_elo: Option<f64>,
    /// The players' performance rating, that is, the rating with which their expected score against their
    /// opponents would equal their actual score; `None` unless the artefact is a table with ratings.
    pub performance: Option<f64>,
    /// The move's weight in a Polyglot book.
    pub weight: Option<u16>,
    /// The last 32 bits of the move's entry in a Polyglot book; 0 for other artefacts.
    pub learn: u32,
}

impl KeyMove {
    /// How often the move was played: its number of games or, in a Polyglot book, its weight.
    #[must_use]
    pub fn played(&self) -> u64 {
        played(self.weight, self.tally)
    }
}

/// How often a move was played, given its weight or tally.
pub(crate) fn played(weight: Option<u16>, tally: Option<Tally>) -> u64 {
    weight.map_or_else(|| tally.unwrap_or_default().games(), u64::from)
}

impl KeyProbe {
    /// A Polyglot book may encode castling as a king's move of two squares. This function encodes such moves
    /// in the usual form, in which the king takes its own rook.
    pub(crate) fn normalized(mut self, position: &Chess) -> Self {
        for known in &mut self.moves {
            known.mv = known.mv.normalized(position);
        }
        self
    }

    /// Returns the weight of each move. For a Polyglot book, this is the stored weight. For other artefacts,
    /// each win by the side to move counts two and each draw counts one, and the sums are scaled as
    /// `tabia export polyglot` scales them by default.
    #[must_use]
    pub fn weights(&self) -> Vec<u16> {
        let raw = |known: &KeyMove| {
            known.tally.zip(self.turn).map_or(0, |(tally, turn)| Weight::WinsDraws.raw(tally, turn))
        };
        let largest = self.moves.iter().map(raw).max().unwrap_or(0);
        let weight = |known: &KeyMove| known.weight.unwrap_or_else(|| Weight::scaled(raw(known), largest));
        self.moves.iter().map(weight).collect()
    }
}

/// Looks up `key` in a book, a table or a Polyglot book; `None` if it does not contain the position.
///
/// # Errors
///
/// Fails with [`Error::NoBookToChooseFrom`] for an experience file. Also fails if the artefact cannot be read
/// or is damaged.
pub fn probe_key(artefact: &Artefact, key: Key) -> Result<Option<KeyProbe>> {
    View::of(artefact).probe_key(key)
}

impl View<'_> {
    /// Like [`probe_key`], but looks only in the part of the artefact that this view shows.
    ///
    /// # Errors
    ///
    /// Fails as [`probe_key`] does.
    pub fn probe_key(&self, key: Key) -> Result<Option<KeyProbe>> {
        match self.artefact {
            Artefact::Book(book) => Ok(book.probe(key)?.as_ref().map(of_entry)),
            Artefact::Table(table) => Ok(of_rows(&self.rows_of(table, key)?)),
            Artefact::Polyglot(reader) => Ok(of_entries(key, &reader.probe(key)?)),
            Artefact::Experience(file) => Err(Error::NoBookToChooseFrom(file.path().into())),
        }
    }
}

/// Sorts moves in descending order of their games; moves with the same number of games are sorted by move.
fn by_games(moves: &mut [KeyMove]) {
    let games = |known: &KeyMove| known.tally.unwrap_or_default().games();
    moves.sort_by(|a, b| games(b).cmp(&games(a)).then(a.mv.cmp(&b.mv)));
}

/// Looks up many keys, in any order, as [`probe_key`] does. If many of them are in the same shard of a table,
/// that shard is read once from beginning to end instead of being searched for each key.
///
/// # Memory
///
/// A look-up takes eight bytes for each key, in addition to the result.
///
/// # Errors
///
/// Fails as [`probe_key`] does.
pub fn probe_keys(artefact: &Artefact, keys: &[Key]) -> Result<Vec<Option<KeyProbe>>> {
    let Artefact::Table(table) = artefact else {
        return keys.iter().map(|&key| probe_key(artefact, key)).collect();
    };
    let mut order: Vec<_> = (0..keys.len()).collect();
    order.sort_unstable_by_key(|&place| keys[place]);
    let (mut of_shards, mut rest) = (Vec::new(), order.as_slice());
    for info in table.shards() {
        let (wanted, others) = rest.split_at(rest.partition_point(|&place| keys[place] <= info.last));
        of_shards.push(wanted);
        rest = others;
    }
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let shards = of_shards.len() as u32;
    let probes = for_each_shard(
        threads,
        shards,
        || Ok(()),
        |_| false,
        |shard| {
            let wanted = of_shards[shard as usize];
            if wanted.len() as u64 * LOOK_UP_ROWS < table.shards()[shard as usize].rows {
                return wanted.iter().map(|&place| probe_key(artefact, keys[place])).collect();
            }
            read_through(table, shard, keys, wanted)
        },
    )?;
    let mut found = vec![None; keys.len()];
    for (place, probe) in of_shards.into_iter().flatten().zip(probes.into_iter().flatten()) {
        found[*place] = probe;
    }
    Ok(found)
}

/// Finds several keys in one pass over a shard. `wanted` holds the indices of these keys, in ascending order
/// of the keys.
fn read_through(table: &Table, shard: u32, keys: &[Key], wanted: &[usize]) -> Result<Vec<Option<KeyProbe>>> {
    let mut found = Vec::new();
    let mut wanted = wanted.chunk_by(|&a, &b| keys[a] == keys[b]).peekable();
    let mut rows = PositionRows::new(table.shard(shard)?);
    let mut of_key = RowsOfKey::default();
    while wanted.peek().is_some() && rows.next_into(&mut of_key)? {
        let key = of_key.0[0].key;
        while let Some(places) = wanted.next_if(|places| keys[places[0]] <= key) {
            let probe = (keys[places[0]] == key).then(|| of_rows(&of_key.0)).flatten();
            found.extend(places.iter().map(|_| probe.clone()));
        }
    }
    found.extend(wanted.flatten().map(|_| None));
    Ok(found)
}

/// All rows of a position.
#[derive(Default)]
pub(crate) struct RowsOfKey(pub(crate) Vec<Row>);

impl Gather for RowsOfKey {
    fn begin(&mut self, first: &Row) {
        self.0.clear();
        self.0.push(*first);
    }

    fn add(&mut self, row: &Row) {
        self.0.push(*row);
    }
}

/// Builds the answer from a book's entry.
pub(crate) fn of_entry(entry: &PositionEntry) -> KeyProbe {
    let counted = |edge: &Edge| KeyMove { mv: edge.mv, tally: Some(edge.tally), ..KeyMove::default() };
    let mut moves: Vec<_> = entry.edges.iter().map(counted).collect();
    by_games(&mut moves);
    KeyProbe { key: entry.key, turn: Some(entry.turn), tally: Some(entry.tally), moves }
}

/// Builds the answer from the rows of a key; `None` if there are none.
pub(crate) fn of_rows(rows: &[Row]) -> Option<KeyProbe> {
    let counts = PositionCounts::of(rows)?;
    let ratings = |mv| {
        let mut sums = RatingSums::NONE;
        let first = rows.partition_point(|row| row.mv < mv);
        rows[first..].iter().take_while(|row| row.mv == mv).for_each(|row| sums += row.ratings);
        sums
    };
    let counted = |(edge, &step): (&Edge, &Step)| {
        let sums = ratings(edge.mv);
        KeyMove {
            mv: edge.mv,
            step: Some(step),
            tally: Some(edge.tally),
            average_elo: sums.mover_mean(),
            opponent_elo: sums.opponent_mean(),
            performance: sums.performance(edge.tally, step.mover()),
            ..KeyMove::default()
        }
    };
    let mut moves: Vec<_> = counts.edges.iter().zip(&counts.steps).map(counted).collect();
    by_games(&mut moves);
    Some(KeyProbe { key: counts.key, turn: Some(counts.step.mover()), tally: Some(counts.tally), moves })
}

/// Builds the answer from a key's entries in a Polyglot book; `None` if there are none.
pub(crate) fn of_entries(key: Key, entries: &[polyglot::PolyglotEntry]) -> Option<KeyProbe> {
    let weighted = |entry: &polyglot::PolyglotEntry| KeyMove {
        mv: entry.mv,
        weight: Some(entry.weight),
        learn: entry.learn,
        ..KeyMove::default()
    };
    let moves: Vec<_> = entries.iter().map(weighted).collect();
    (!moves.is_empty()).then_some(KeyProbe { key, turn: None, tally: None, moves })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use book::{BookWriter, Existing};
    use shakmaty::Square;
    use table::{Counting, TableWriter};

    use super::*;

    #[test]
    fn moves_come_by_games_and_weigh_as_in_an_export() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.tabia");
        let edge = |to, tally| Edge { mv: PackedMove::new(Square::E2, to, None), tally };
        let (few, many) =
            (Tally { white: 1, draws: 1, black: 0 }, Tally { white: 40_000, draws: 0, black: 9 });
        let mut tally = few;
        tally += many;
        let edges = vec![edge(Square::E3, few), edge(Square::E4, many)];
        let mut writer = BookWriter::create(&path, &serde_json::json!({}), 1, Existing::Refuse).unwrap();
        writer.push(&PositionEntry { key: Key::START, turn: Color::White, tally, edges }).unwrap();
        writer.finish().unwrap();
        let book = Artefact::open(&path).unwrap();
        let found = probe_key(&book, Key::START).unwrap().unwrap();
        let moves: Vec<_> = found.moves.iter().map(|known| known.mv.to_string()).collect();
        assert_eq!(moves, ["e2e4", "e2e3"]);
        assert_eq!(found.weights(), [65_535, 2]);
        assert_eq!((found.turn, found.tally), (Some(Color::White), Some(tally)));
        assert_eq!(probe_key(&book, Key(1)).unwrap(), None);
    }

    #[test]
    fn many_keys_are_found_as_each_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.table");
        let counted = TableWriter::create(&path, Counting::default(), 2, false).unwrap();
        let white = Tally { white: 1, ..Tally::default() };
        let row = |key, mv| Row { key: Key(key), mv: PackedMove(mv), tally: white, ..Row::default() };
        let few = [row(3, 796), row(5, 0), row(5, 796), row(9, 731)];
        // The shard is large enough that looking up a few keys one by one is cheaper than scanning it.
        let many = (0..2 * LOOK_UP_ROWS).map(|number| row(1 << 63 | number, 796));
        // A row with a count that does not fit into 32 bits.
        let large = Row { tally: Tally { white: 1 << 32, ..white }, ..row(u64::MAX - 1, 796) };
        let part = |shard, rows: &mut dyn Iterator<Item = Row>| {
            let mut shard = counted.shard(shard).unwrap();
            rows.for_each(|row| shard.push(&row).unwrap());
            shard.finish().unwrap()
        };
        let shards = vec![part(0, &mut few.into_iter()), part(1, &mut many.chain([large]))];
        counted.finish(shards, Vec::new()).unwrap();
        let table = Artefact::open(&path).unwrap();
        let keys = [9, 5, 4, 1 << 63 | 7, 5, 3, 10, u64::MAX, u64::MAX - 1, 0].map(Key);
        let alone: Vec<_> = keys.iter().map(|&key| probe_key(&table, key).unwrap()).collect();
        assert_eq!(alone.iter().filter(|probe| probe.is_some()).count(), 6);
        assert_eq!(probe_keys(&table, &keys).unwrap(), alone);
        assert_eq!(probe_keys(&table, &[]).unwrap(), []);
        let go_on = || ControlFlow::Continue(());
        let mut look_ups = LookUps::of(&table, (2, u64::MAX), &go_on);
        for _ in 0..2 {
            assert_eq!(keys.map(|key| look_ups.at(key).unwrap()).to_vec(), alone);
        }
        let mut is_first =
            |key| matches!(look_ups.visit(key).unwrap(), VisitAnswer::First(found) if found.is_some());
        assert_eq!([5, 5, 4, 4].map(|key| is_first(Key(key))), [true, false, false, false]);
        assert_eq!(look_ups.moves().unwrap(), 2 * LOOK_UP_ROWS + 4);
        let mut is_again = |key| matches!(look_ups.visit(key).unwrap(), VisitAnswer::Again);
        assert_eq!([5, 4, 3, 3, 7, 7].map(|key| is_again(Key(key))), [true, true, false, true, false, true]);
        assert_eq!(keys.map(|key| look_ups.at(key).unwrap()).to_vec(), alone);
    }
}
