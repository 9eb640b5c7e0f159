//! The bytes and the metadata of the files.

use parquet::{
    basic::Encoding,
    file::{
        metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader},
        page_index::column_index::ColumnIndexMetaData,
    },
    schema::printer::print_schema,
};
use position::{Group, Key, RatingBand, Speed};
use proptest::prelude::*;
use tempfile::tempdir;

use super::fixture::{ALL_GROUPS, any_group, read, row, spread_rows, write};
use crate::{CountedInput, Counting, Groups, Row, Table, part::schema};

const SCHEMA: &str = "message edges {
  REQUIRED INT64 key (INTEGER(64,false));
  REQUIRED INT32 move (INTEGER(16,false));
  OPTIONAL BYTE_ARRAY speed (STRING);
  OPTIONAL INT32 rating_band (INTEGER(16,true));
  OPTIONAL INT32 month;
  OPTIONAL BYTE_ARRAY player_color (STRING);
  REQUIRED INT32 step (INTEGER(16,false));
  REQUIRED INT64 white;
  REQUIRED INT64 draws;
  REQUIRED INT64 black;
}
";

const RATINGS: &str = "  REQUIRED INT64 mover_elo_sum;
  REQUIRED INT64 opponent_elo_sum;
  REQUIRED INT64 rated_games;
}
";

#[test]
fn the_schema_is_golden() {
    let print = |groups, ratings| {
        let counting = Counting { groups, ratings, ..Counting::default() };
        let mut text = Vec::new();
        print_schema(&mut text, &schema::schema(&counting).unwrap());
        String::from_utf8(text).unwrap()
    };
    let without = |name: &str| {
        SCHEMA.lines().filter(|line| !line.contains(name)).flat_map(|line| [line, "\n"]).collect::<String>()
    };
    assert_eq!(print(ALL_GROUPS, false), SCHEMA);
    assert_eq!(print(Groups::NONE, false), without("OPTIONAL"));
    assert_eq!(print(ALL_GROUPS, true), SCHEMA.replace("}\n", RATINGS));
}

fn metadata(table: &Table, shard: usize) -> ParquetMetaData {
    let file = std::fs::File::open(table.path().join(&table.shards()[shard].part)).unwrap();
    let reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    reader.parse_and_finish(&file).unwrap()
}

#[test]
fn metadata_says_how_it_was_counted_and_nothing_else() {
    let dir = tempdir().unwrap();
    let counting = Counting { max_ply: 40, ..Counting::default() };
    let table = write(&dir.path().join("t"), counting, 1, 1, &spread_rows(3)).unwrap();
    let metadata = metadata(&table, 0);
    let file = metadata.file_metadata();
    assert_eq!(file.created_by(), Some(concat!("tabia ", env!("CARGO_PKG_VERSION"))));
    let pairs = file.key_value_metadata().unwrap().iter();
    let pairs: Vec<_> =
        pairs.map(|pair| format!("{}={}", pair.key, pair.value.as_deref().unwrap())).collect();
    let expected = [
        "tabia.format-version=1",
        "tabia.key-scheme=polyglot-781;ep=pseudo-legal",
        "tabia.max-ply=40",
        "tabia.repeats=each",
        "tabia.illegal-move=reject",
        "tabia.from-position=false",
        "tabia.group-by=none",
        "tabia.root=start",
        "tabia.filters=",
    ];
    assert_eq!(pairs, expected);
}

#[test]
fn columns_are_encoded_sorted_and_indexed_as_promised() {
    let dir = tempdir().unwrap();
    let rows: Vec<_> = (0..20_000).map(|n| row(n, 1, [n % 3, 0, n])).collect();
    let table = write(&dir.path().join("t"), Counting::default(), 1, 100, &rows).unwrap();
    let metadata = metadata(&table, 0);
    let row_group = metadata.row_group(0);
    let sorted: Vec<_> =
        row_group.sorting_columns().unwrap().iter().map(|column| column.column_idx).collect();
    assert_eq!(sorted, [0, 1]);
    let encodings: Vec<Vec<_>> =
        row_group.columns().iter().map(|column| column.encodings().collect()).collect();
    assert_eq!(encodings[0], [Encoding::DELTA_BINARY_PACKED]);
    assert!(encodings[1..].iter().all(|column| column.contains(&Encoding::RLE_DICTIONARY)), "{encodings:?}");
    let index = metadata.page_index_for_row_group(0);
    let ColumnIndexMetaData::INT64(keys) = index.column_index(0).unwrap() else { panic!("keys are INT64") };
    assert_eq!(keys.min_values(), [0, 16_384]);
    assert_eq!(keys.max_values(), [16_383, 19_999]);
    let pages = (0..6).map(|column| index.page_locations(column).unwrap().len());
    assert!(pages.eq([2; 6]), "pages of all columns begin at the same rows");
}

#[test]
fn grouped_rows_are_declared_sorted_by_all_their_groups() {
    let dir = tempdir().unwrap();
    for (groups, columns) in [(ALL_GROUPS, 6), (Groups { month: true, ..Groups::NONE }, 3)] {
        let counting = Counting { groups, ..Counting::default() };
        let table = write(&dir.path().join(columns.to_string()), counting, 1, 1, &spread_rows(3)).unwrap();
        let metadata = metadata(&table, 0);
        let declared: Vec<_> = metadata.row_group(0).sorting_columns().unwrap().iter().collect();
        assert!(declared.iter().map(|column| column.column_idx).eq(0..columns));
        assert!(declared.iter().all(|column| column.nulls_first && !column.descending));
    }
}

#[test]
fn pages_and_columns_of_groups_may_have_no_value() {
    let dir = tempdir().unwrap();
    // One row has a speed, none a band, and months are more than a byte can number.
    let rows: Vec<_> = (0..40_000)
        .map(|n| {
            let speed = (n == 20_000).then_some(Speed::Rapid);
            let month = (n % 2 == 0).then_some((1 + (n % 1000) as u16, 7));
            Row { group: Group::NONE.with_speed(speed).with_month(month), ..row(n, 1, [1, 0, 0]) }
        })
        .collect();
    let counting = Counting { groups: ALL_GROUPS, ..Counting::default() };
    let table = write(&dir.path().join("t"), counting, 1, 1000, &rows).unwrap();
    assert!(read(&table) == rows);
    assert_eq!(table.rows_of(Key(20_000)).unwrap(), [rows[20_000]]);
    let metadata = metadata(&table, 0);
    let index = metadata.page_index_for_row_group(0);
    let ColumnIndexMetaData::BYTE_ARRAY(speeds) = index.column_index(2).unwrap() else { panic!("texts") };
    let speed = |page| speeds.min_value(page).map(<[u8]>::to_owned);
    assert_eq!([speed(0), speed(1), speed(2)], [None, Some(b"rapid".to_vec()), None]);
    assert_eq!([0, 1, 2].map(|page| speeds.null_count(page)), [Some(16_384), Some(16_383), Some(7_232)]);
    let ColumnIndexMetaData::INT32(months) = index.column_index(4).unwrap() else { panic!("numbers") };
    assert_eq!((months.min_value(0), months.max_value(0)), (Some(&107), Some(&99_907)));
    let statistics = |column| metadata.row_group(0).column(column).statistics().unwrap();
    assert_eq!(statistics(3).null_count_opt(), Some(40_000));
    assert_eq!(statistics(3).min_bytes_opt(), None);
    assert_eq!(statistics(2).max_bytes_opt(), Some(&b"rapid"[..]));
}

proptest! {
    /// Groups sort as their columns do, on which the declared sorting rests: the bits of groups ascend as the
    /// values of their columns do.
    #[test]
    fn prop_groups_sort_as_their_columns(a in any_group(ALL_GROUPS), b in any_group(ALL_GROUPS)) {
        let values = |group: Group| {
            (
                group.speed().map(<&str>::from),
                group.rating_band().map(RatingBand::lower_bound),
                group.month(),
                group.player_color().map(|color| color.fold_wb("white", "black")),
            )
        };
        prop_assert_eq!(a.bits().cmp(&b.bits()), values(a).cmp(&values(b)));
    }
}

#[test]
fn the_manifest_is_golden() {
    let dir = tempdir().unwrap();
    let table =
        write(&dir.path().join("games.table"), Counting::default(), 1, 1, &[row(1, 2, [3, 4, 5])]).unwrap();
    let mut text = std::fs::read_to_string(table.path().join("_manifest.json")).unwrap();
    for changing in [&table.shards()[0].xxh3, table.digest(), &table.manifest().sources[0].xxh3] {
        text = text.replace(changing, "*");
    }
    let bytes = format!("\"bytes\":{}", table.shards()[0].bytes);
    let text = text.replace(&bytes, "\"bytes\":*").replace(env!("CARGO_PKG_VERSION"), "*");
    assert_eq!(text, include_str!("manifest.golden.json"));
}

/// Rewrites the manifest of a table as version 1 had it, its only source hashed all at once.
fn as_version_1(table: &Table, bytes: u64, whole: u64) -> Table {
    let path = table.path().join("_manifest.json");
    let mut manifest = table.manifest().clone();
    manifest.version = 1;
    manifest.sources[0].bytes = bytes;
    manifest.sources[0].xxh3 = crate::hex::digits(whole);
    std::fs::write(path, manifest.seal()).unwrap();
    Table::open(table.path()).unwrap()
}

#[test]
fn a_table_of_version_1_is_read_and_its_sources_are_known_again() {
    let dir = tempdir().unwrap();
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    let rows = [row(1, 2, [3, 4, 5])];
    let table = write(&old, Counting::default(), 1, 1, &rows).unwrap();
    let whole = xxhash_rust::xxh3::xxh3_64(b"a game");
    let table = as_version_1(&table, 6, whole);
    let again = write(&new, Counting::default(), 1, 1, &rows).unwrap();
    let same = CountedInput {
        xxh3: crate::hex::digits(xxhash_rust::xxh3::xxh3_64(&whole.to_le_bytes())),
        bytes: 6,
        ..CountedInput::default()
    };
    assert!(table.manifest().holds(&same) && !table.manifest().needs_whole_hashes());
    assert!(!table.manifest().holds(&again.manifest().sources[0]), "another input");
    let long = as_version_1(&table, 65 << 20, whole);
    assert!(long.manifest().needs_whole_hashes());
    let maybe = CountedInput { bytes: 65 << 20, ..same.clone() };
    assert!(long.manifest().holds(&maybe), "an input of that length may be the one");
    let other = CountedInput { whole_xxh3: crate::hex::digits(!whole), ..maybe };
    assert!(!long.manifest().holds(&other), "the hash of all bytes shows that it is not");
    let merged =
        crate::merge(&[&long, &again], &dir.path().join("both"), &crate::JoinOptions::default()).unwrap();
    assert_eq!(merged.manifest().version, 4);
    assert!(merged.manifest().needs_whole_hashes(), "the old hash stays");
}
