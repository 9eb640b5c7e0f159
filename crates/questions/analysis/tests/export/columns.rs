//! Groups, ratings, experience, and columns left out.

use std::collections::{BTreeMap, BTreeSet};

use analysis::{Evaluations, ExportOptions, Extras};
use position::{Experience, Group, Key, PackedMove, Score};

use crate::fixture::{Exported, MemoryEdges, Record, export, export_with, key, number, plain, real, text};

/// The key, move, speed, band and month of a row.
type Id = (Key, i64, Option<String>, Option<i64>, Option<i64>);

fn month(group: Group) -> Option<i64> {
    group.month().map(|(year, month)| i64::from(year) * 100 + i64::from(month))
}

fn id(key: Key, mv: PackedMove, group: Group) -> Id {
    let speed = group.speed().map(|speed| speed.to_string());
    let band = group.rating_band().map(|band| i64::from(band.lower_bound()));
    (key, mv.0.into(), speed, band, month(group))
}

fn by_id(rows: &[Record]) -> BTreeMap<Id, &Record> {
    let id = |row: &Record| {
        (
            key(&row["key"]).unwrap(),
            number(&row["move"]).unwrap(),
            text(&row["speed"]).map(str::to_owned),
            number(&row["rating_band"]),
            number(&row["month"]),
        )
    };
    rows.iter().map(|row| (id(row), row)).collect()
}

#[test]
fn a_row_is_an_edge_and_group() {
    let edges = MemoryEdges::of_games(200, true);
    let rows = export(&edges, &ExportOptions::default()).read("moves");
    let written = by_id(&rows);
    let wanted: Vec<_> = edges.rows.iter().filter(|row| !row.mv.is_terminal()).collect();
    assert_eq!((written.len(), rows.len()), (wanted.len(), wanted.len()));
    for wanted in wanted {
        let row = written[&id(wanted.key, wanted.mv, wanted.group)];
        assert_eq!(number(&row["games"]), Some(wanted.tally.games().cast_signed()));
        let same_position = edges.rows.iter().filter(|row| row.key == wanted.key);
        let visits: u64 =
            same_position.clone().filter(|row| row.group == wanted.group).map(|row| row.tally.games()).sum();
        let share = f64::from(wanted.tally.games() as u32) / f64::from(visits as u32);
        assert!((real(&row["share"]).unwrap() - share).abs() < 1e-6);
        let months = same_position.filter(|row| row.mv == wanted.mv).filter_map(|row| month(row.group));
        assert_eq!(number(&row["first_month"]), months.clone().min());
        assert_eq!(number(&row["last_month"]), months.max());
        assert_eq!(real(&row["average_rating"]), Some(1500.0));
        let performance = real(&row["performance_rating"]).unwrap();
        assert!((800.0..=2400.0).contains(&performance), "{performance}");
    }
}

#[test]
fn months_may_have_folders() {
    let edges = MemoryEdges::of_games(200, true);
    let flat = export(&edges, &ExportOptions::default());
    let options = ExportOptions { month_folders: true, ..ExportOptions::default() };
    let folders = export(&edges, &options);
    let flat_rows = flat.read("moves");
    let mut read = 0;
    for (folder, wanted) in [
        ("month=2013-01", Some(201_301)),
        ("month=2013-02", Some(201_302)),
        ("month=2013-03", Some(201_303)),
        ("month=__HIVE_DEFAULT_PARTITION__", None),
    ] {
        let rows = folders.read(&format!("moves/{folder}"));
        let mut expected = flat_rows.clone();
        expected.retain(|row| number(&row["month"]) == wanted);
        for row in &mut expected {
            row.remove("month");
        }
        assert!(!rows.is_empty());
        assert_eq!(rows, expected, "{folder}");
        read += rows.len();
    }
    assert_eq!(read, flat_rows.len());
    assert_eq!(folders.read("positions"), flat.read("positions"));
}

#[test]
fn experience_is_looked_up() {
    let edges = MemoryEdges::of_games(400, false);
    let e4 = PackedMove(796);
    let look_up = |key: Key, mv: PackedMove| {
        let known = Experience { learn: -0.5, learn_count: 2, user_value: Some(70), ..Experience::default() };
        (key == Key::START && mv == e4).then_some(known)
    };
    let extras = Extras { experience: Some(&look_up), ..plain() };
    let rows = export_with(&edges, extras, &ExportOptions::default()).unwrap().read("moves");
    let learned: Vec<_> = rows.iter().filter(|row| real(&row["learn"]).is_some()).collect();
    assert_eq!(learned.len(), 1);
    assert_eq!(text(&learned[0]["uci"]), Some("e2e4"));
    assert_eq!(real(&learned[0]["learn"]), Some(-0.5));
    assert_eq!(number(&learned[0]["user_value"]), Some(70));
    assert!(rows.iter().all(|row| real(&row["average_rating"]).is_none()));
}

#[test]
fn evaluations_have_columns_where_they_are_given() {
    let edges = MemoryEdges::of_games(400, false);
    let evaluations = |key: Key, mv: PackedMove| match (key == Key::START, mv.0) {
        (true, 0) => {
            Evaluations { eval: Some(Score::Cp(20)), depth: Some(40), minimax: Some(Score::Mate(9)) }
        }
        (true, 796) => Evaluations { eval: Some(Score::Mate(-3)), ..Evaluations::default() },
        _ => Evaluations::default(),
    };
    let extras = Extras { evaluations: Some(&evaluations), ..plain() };
    let exported = export_with(&edges, extras, &ExportOptions::default()).unwrap();
    let columns = ["eval_cp", "eval_mate", "eval_depth", "minimax_cp", "minimax_mate"];
    let of = |folder, fits: &dyn Fn(&Record) -> bool| {
        let rows = exported.read(folder);
        assert_eq!(
            rows.iter().filter(|row| columns.iter().any(|name| number(&row[*name]).is_some())).count(),
            1
        );
        let row = rows.iter().find(|row| fits(row)).unwrap().clone();
        columns.map(|name| number(&row[name]))
    };
    let is_start = |row: &Record| key(&row["key"]) == Some(Key::START);
    assert_eq!(of("positions", &is_start), [Some(20), None, Some(40), None, Some(9)]);
    let is_e4 = |row: &Record| is_start(row) && number(&row["move"]) == Some(796);
    assert_eq!(of("moves", &is_e4), [None, Some(-3), None, None, None]);
    let without = export(&edges, &ExportOptions::default());
    for folder in ["moves", "positions"] {
        assert!(columns.iter().all(|name| !without.read(folder)[0].contains_key(*name)), "{folder}");
    }
}

#[test]
fn columns_can_be_left_out() {
    let edges = MemoryEdges::of_games(30, false);
    let without = ["eco", "child_key", "score"].map(str::to_owned).to_vec();
    let exported = export(&edges, &ExportOptions { without, ..ExportOptions::default() });
    let whole = export(&edges, &ExportOptions::default());
    let names = |exported: &Exported, folder: &str| -> BTreeSet<String> {
        exported.read(folder)[0].keys().cloned().collect()
    };
    let gone =
        |folder| names(&whole, folder).difference(&names(&exported, folder)).cloned().collect::<Vec<_>>();
    assert_eq!(gone("moves"), ["child_key", "score"]);
    assert_eq!(gone("positions"), ["eco"]);
    let mut expected = whole.read("positions");
    for row in &mut expected {
        row.remove("eco");
    }
    assert_eq!(exported.read("positions"), expected);
}
