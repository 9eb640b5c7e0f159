//! Tests the files themselves: order, statistics, encodings and metadata, and that the documentation is true
//! of them.

use std::{collections::BTreeSet, fs::File, path::Path};

use analysis::{ExportOptions, Folder, KeyType};
use pages::ROW_GROUP_ROWS;
use parquet::{
    basic::{Compression, Encoding, Type as PhysicalType},
    file::{
        metadata::{ParquetMetaData, RowGroupMetaData},
        reader::{FileReader, SerializedFileReader},
    },
};

use position::{Group, Key, Outcome, PackedMove, Tally};
use table::{Counting, Groups, Row};

use crate::fixture::{MemoryEdges, export, export_with, files, number, plain, read, with_fen};

fn metadata(path: &Path) -> ParquetMetaData {
    SerializedFileReader::new(File::open(path).unwrap()).unwrap().metadata().clone()
}

fn value<'m>(metadata: &'m ParquetMetaData, name: &str) -> Option<&'m str> {
    let pairs = metadata.file_metadata().key_value_metadata().unwrap();
    pairs.iter().find(|pair| pair.key == name).and_then(|pair| pair.value.as_deref())
}

#[test]
fn files_record_how_they_are_sorted_and_have_a_page_index() {
    let exported = export(&MemoryEdges::of_games(200, true), &ExportOptions::default());
    for (folder, sorted_by) in [("moves", 5), ("positions", 1), ("openings", 1)] {
        for path in files(&exported.path().join(folder)) {
            let metadata = metadata(&path);
            for row_group in metadata.row_groups() {
                let sorting = row_group.sorting_columns().unwrap();
                let columns: Vec<_> = sorting.iter().map(|column| column.column_idx).collect();
                assert_eq!(columns, (0..sorted_by).collect::<Vec<_>>(), "{}", path.display());
                assert!(sorting.iter().all(|column| !column.descending && column.nulls_first));
            }
            for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
                assert!(column.offset_index_offset().is_some());
                // Elsewhere, every page has values from the whole range: bounds would rule out no page.
                let name = column.column_path().string();
                let is_integer = matches!(column.column_type(), PhysicalType::INT32 | PhysicalType::INT64);
                let has_bounds = is_integer && !["child_key", "parent_key"].contains(&name.as_str());
                assert_eq!(column.column_index_offset().is_some(), has_bounds, "{name}");
            }
        }
    }
}

/// Rows of ten months, each too few for a row group of its own: a million rows may wait in memory together.
#[test]
fn row_groups_of_many_months_end_early() {
    let rows = (0..1_200_000_u32).map(|number| {
        let month = Some((2014, (number % 10 + 1) as u8));
        let tally = Tally::one(Outcome::White);
        let key = Key(u64::from(number) << 43);
        Row { key, mv: PackedMove(796), group: Group::default().with_month(month), tally, ..Row::default() }
    });
    let groups = Groups { month: true, ..Groups::NONE };
    let counting = Counting { groups, ..Counting::default() };
    let edges = MemoryEdges { shards: 1, counting, rows: rows.collect() };
    let options =
        ExportOptions { month_folders: true, folders: vec![Folder::Moves], ..ExportOptions::default() };
    let exported = export(&edges, &options);
    let row_groups: Vec<_> = (1..=10)
        .flat_map(|month| files(&exported.path().join(format!("moves/month=2014-{month:02}"))))
        .map(|path| metadata(&path).num_row_groups())
        .collect();
    assert_eq!(row_groups.len(), 10);
    assert!(row_groups.iter().any(|&count| count > 1), "{row_groups:?}");
}

#[test]
fn keys_are_deltas_of_bare_bits() {
    let exported = export(&MemoryEdges::of_games(50, false), &ExportOptions::default());
    for folder in ["moves", "positions", "openings"] {
        for path in files(&exported.path().join(folder)) {
            let metadata = metadata(&path);
            let key = metadata.row_group(0).column(0);
            assert!(key.encodings().any(|encoding| encoding == Encoding::DELTA_BINARY_PACKED), "{folder}");
            assert_eq!(key.compression(), Compression::UNCOMPRESSED);
            assert!(key.dictionary_page_offset().is_none());
        }
    }
}

#[test]
fn metadata_has_rows_sums_and_every_column() {
    let metadata_of_caller = vec![("tabia.max-ply".to_owned(), "60".to_owned())];
    let options = ExportOptions { metadata: metadata_of_caller, ..ExportOptions::default() };
    let exported = export(&MemoryEdges::of_games(200, true), &options);
    for file in &exported.report.files {
        let path = exported.path().join(&file.path);
        let metadata = metadata(&path);
        let rows = read(&path);
        assert_eq!(value(&metadata, "tabia.rows"), Some(rows.len().to_string().as_str()));
        assert_eq!(file.rows, rows.len() as u64);
        assert_eq!(file.bytes, std::fs::metadata(&path).unwrap().len());
        for (name, sum) in
            [("white", file.tally.white), ("draws", file.tally.draws), ("black", file.tally.black)]
        {
            let counted: i64 = rows.iter().filter_map(|row| row.get(name)).filter_map(number).sum();
            assert_eq!(sum.cast_signed(), counted);
            assert_eq!(value(&metadata, &format!("tabia.{name}")), Some(counted.to_string().as_str()));
        }
        assert_eq!(value(&metadata, "tabia.max-ply"), Some("60"));
        assert_eq!(value(&metadata, "tabia.key-type"), Some("u64"));
        assert_eq!(metadata.file_metadata().created_by(), Some(concat!("tabia ", env!("CARGO_PKG_VERSION"))));
        let columns: serde_json::Value =
            serde_json::from_str(value(&metadata, "tabia.columns").unwrap()).unwrap();
        let described: Vec<_> =
            columns.as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap()).collect();
        let schema = metadata.file_metadata().schema();
        let written: Vec<_> = schema.get_fields().iter().map(|field| field.name()).collect();
        assert_eq!(described, written);
    }
}

#[test]
fn signed_keys_ascend_as_signed_numbers() {
    for shards in [1, 8] {
        let edges = MemoryEdges::of_games(100, false).in_shards(shards);
        let exported = export(&edges, &ExportOptions { key_type: KeyType::I64, ..ExportOptions::default() });
        for folder in ["moves", "positions", "openings"] {
            let keys: Vec<_> = exported.read(folder).iter().map(|row| number(&row["key"]).unwrap()).collect();
            assert!(keys.is_sorted(), "{folder}");
            assert!(keys.iter().any(|key| *key < 0) && keys.iter().any(|key| *key > 0));
        }
        assert_eq!(files(&exported.path().join("moves")).len(), shards.max(2) as usize);
    }
}

#[test]
fn row_groups_are_full() {
    // Positions of 12,000 games come to more than one row group in a single shard.
    let edges = MemoryEdges::of_games(12_000, false).in_shards(1);
    let exported = export(&edges, &ExportOptions { threads: 2, ..ExportOptions::default() });
    for folder in ["moves", "positions"] {
        let metadata = metadata(&exported.path().join(folder).join("part-00000.parquet"));
        let (last, full) = metadata.row_groups().split_last().unwrap();
        assert!(!full.is_empty());
        assert!(full.iter().all(|row_group| row_group.num_rows() == ROW_GROUP_ROWS.cast_signed() as i64));
        assert!(last.num_rows() <= ROW_GROUP_ROWS.cast_signed() as i64);
    }
}

#[test]
fn the_documentation_names_every_column_with_its_type() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/parquet.md");
    let text = std::fs::read_to_string(path).unwrap();
    let documented: BTreeSet<_> = text.lines().filter(|line| line.starts_with("| `")).collect();
    let folders = vec![Folder::Moves, Folder::Positions, Folder::Openings, Folder::Lines];
    let evaluations = |_, _| analysis::Evaluations::default();
    let extras = analysis::Extras { evaluations: Some(&evaluations), ..plain() };
    let options = ExportOptions { folders, ..with_fen() };
    let exported = export_with(&MemoryEdges::of_games(50, true), extras, &options).unwrap();
    let mut paths: Vec<_> = ["moves", "positions", "openings", "lines"]
        .map(|folder| exported.path().join(folder).join("part-00000.parquet"))
        .to_vec();
    let options = analysis::GameOptions { observations: true, ..analysis::GameOptions::default() };
    let games = crate::games::written(&options, &[]);
    let of_games = ["games", "observations"];
    paths.extend(of_games.map(|folder| games.path().join("out").join(folder).join("part-00000.parquet")));
    for path in paths {
        let metadata = metadata(&path);
        let columns: serde_json::Value =
            serde_json::from_str(value(&metadata, "tabia.columns").unwrap()).unwrap();
        for column in columns.as_array().unwrap() {
            let (name, kind) = (column["name"].as_str().unwrap(), column["type"].as_str().unwrap());
            let row = format!("| `{name}` | {kind} |");
            assert!(documented.iter().any(|line| line.starts_with(&row)), "docs/parquet.md lacks {row}");
        }
    }
}
