//! Games as rows.

use analysis::{GameMove, GameOptions, GameRow, GamesWriter, KeyType, MoveList};
use parquet::record::Field;
use position::{Key, PackedMove};

use crate::fixture::{Record, files, key, number, read, text};

/// Writes games to `out` in a new folder.
pub(crate) fn written(options: &GameOptions, games: &[GameRow]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = GamesWriter::create(&dir.path().join("out"), options.clone()).unwrap();
    for game in games {
        writer.push(game).unwrap();
    }
    let (report, prepared) = writer.prepare().unwrap();
    prepared.publish().unwrap();
    assert_eq!(report.games, games.len() as u64);
    dir
}

fn game(number: i16) -> GameRow {
    GameRow {
        event: Some("Rated Blitz game".to_owned()),
        white: Some(format!("player {number}")),
        result: Some("1-0".to_owned()),
        white_elo: Some(number),
        white_rating_diff: Some(-7),
        utc_date: Some(15_706),
        utc_time: Some(82_800),
        end_key: Some(Key(u64::MAX - 1)),
        moves: [796, 3364].map(|packed| GameMove { packed: PackedMove(packed), castles: false }).to_vec(),
        keys: vec![Key::START, Key(u64::MAX - 2)],
        evals_cp: vec![Some(17), None],
        evals_mate: vec![None, Some(-3)],
        clocks: vec![Some(179.5), None],
        ..GameRow::default()
    }
}

fn list(field: &Field) -> Vec<Field> {
    match field {
        Field::ListInternal(list) => list.elements().to_vec(),
        other => panic!("{other:?} is no list"),
    }
}

#[test]
fn a_game_comes_back() {
    let dir = written(&GameOptions::default(), &[game(1500), GameRow::default()]);
    let rows = read(&dir.path().join("out/games/part-00000.parquet"));
    let row = &rows[0];
    assert_eq!(number(&row["game"]), Some(1));
    assert_eq!(text(&row["Event"]), Some("Rated Blitz game"));
    assert_eq!(text(&row["Black"]), None);
    assert_eq!(number(&row["WhiteElo"]), Some(1500));
    assert_eq!(number(&row["WhiteRatingDiff"]), Some(-7));
    assert_eq!(row["UTCDate"], Field::Date(15_706));
    assert_eq!(row["UTCTime"], Field::TimeMillis(82_800_000));
    assert_eq!(number(&row["plies"]), Some(2));
    assert_eq!(key(&row["end_key"]), Some(Key(u64::MAX - 1)));
    assert_eq!(list(&row["moves"]), ["e2e4", "e7e5"].map(|mv| Field::Str(mv.to_owned())));
    assert_eq!(list(&row["evals_cp"]), [Field::Int(17), Field::Null]);
    assert_eq!(list(&row["evals_mate"]), [Field::Null, Field::Int(-3)]);
    assert_eq!(list(&row["clocks"]), [Field::Float(179.5), Field::Null]);
    let empty = &rows[1];
    assert_eq!(number(&empty["plies"]), Some(0));
    assert_eq!(list(&empty["moves"]), []);
    assert_eq!([&empty["evals_cp"], &empty["clocks"], &empty["end_key"]], [&Field::Null; 3]);
}

#[test]
fn moves_may_be_numbers_and_keys_signed() {
    let options = GameOptions { moves: MoveList::Packed, key_type: KeyType::I64, ..GameOptions::default() };
    let dir = written(&options, &[game(1)]);
    let row = &read(&dir.path().join("out/games/part-00000.parquet"))[0];
    assert_eq!(list(&row["moves"]), [Field::UShort(796), Field::UShort(3364)]);
    assert_eq!(row["end_key"], Field::Long(-2));
}

#[test]
fn parts_have_so_many_games_in_input_order() {
    let games: Vec<_> = (0..7).map(game).collect();
    let dir = written(&GameOptions { games_a_part: 3, ..GameOptions::default() }, &games);
    let parts: Vec<Vec<_>> = files(&dir.path().join("out/games"))
        .iter()
        .map(|path| read(path).iter().map(|row| number(&row["WhiteElo"]).unwrap()).collect())
        .collect();
    assert_eq!(parts, [vec![0, 1, 2], vec![3, 4, 5], vec![6]]);
}

#[test]
fn moves_are_rows_in_parts_of_the_same_games() {
    let without = vec!["uci".to_owned(), "Event".to_owned()];
    let options = GameOptions { observations: true, games_a_part: 2, without, ..GameOptions::default() };
    let games = [game(1), GameRow::default(), game(3)];
    let dir = written(&options, &games);
    let parts = |folder: &str| -> Vec<Vec<Record>> {
        files(&dir.path().join("out").join(folder)).iter().map(|path| read(path)).collect()
    };
    let numbers = |parts: &[Vec<Record>], column: &str| -> Vec<Vec<i64>> {
        parts.iter().map(|rows| rows.iter().map(|row| number(&row[column]).unwrap()).collect()).collect()
    };
    let observed = parts("observations");
    assert_eq!(numbers(&parts("games"), "game"), [vec![1, 2], vec![3]]);
    assert_eq!(numbers(&observed, "game"), [[1, 1], [3, 3]]);
    assert_eq!(numbers(&observed, "ply"), [[0, 1]; 2]);
    assert_eq!(numbers(&observed, "move"), [[796, 3364]; 2]);
    let last = &observed[1][1];
    assert_eq!(key(&last["key"]), Some(Key(u64::MAX - 2)));
    assert_eq!(text(&last["result"]), Some("1-0"));
    assert!(!last.contains_key("uci"));
}

#[test]
fn columns_of_observations_need_observations() {
    let dir = tempfile::tempdir().unwrap();
    let create = |observations| {
        let without = vec!["uci".to_owned()];
        let options = GameOptions { observations, without, ..GameOptions::default() };
        GamesWriter::create(&dir.path().join("out"), options)
    };
    assert!(create(false).is_err_and(|error| error.to_string().contains("`uci`")));
    assert!(create(true).is_ok());
}

#[test]
fn a_writer_that_is_dropped_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("out");
    let mut writer = GamesWriter::create(&path, GameOptions::default()).unwrap();
    writer.push(&game(1)).unwrap();
    drop(writer);
    assert_eq!(files(dir.path()), Vec::<std::path::PathBuf>::new());
}
