//! What real Craftys wrote, and the files made to try their importer: how much of it is read, and what is
//! not.

use std::{collections::BTreeMap, fmt::Write as _};

use learned::{Item, LearnedBatch};
use pgn::input::{ChunkOptions, Input};
use testing::corpus;

use crate::reading::{files, read_all};

/// A line for each file of a folder: what was read of it, and rejections by reason.
fn counted(folder: &str) -> Option<String> {
    let mut table = String::new();
    for path in files(&corpus(folder)?) {
        let (lines, _) = read_all(vec![Input::file(&path)], &ChunkOptions::default()).unwrap();
        let mut counts = BTreeMap::<&str, usize>::new();
        for line in &lines {
            let reason = line.split_once("REJECTED ").map(|(_, rest)| rest.split(' ').next().unwrap());
            *counts.entry(reason.unwrap_or("read")).or_default() += 1;
        }
        let counts: Vec<_> = counts.iter().map(|(what, count)| format!("{what} {count}")).collect();
        let name = path.file_name().unwrap().to_string_lossy();
        writeln!(table, "{}", format!("{name}: {}", counts.join(", ")).trim_end()).unwrap();
    }
    Some(table)
}

#[track_caller]
fn holds(folder: &str, reviewed: &str) {
    if let Some(table) = counted(folder) {
        assert_eq!(table.lines().collect::<Vec<_>>(), reviewed.lines().map(str::trim).collect::<Vec<_>>());
    }
}

/// As many records are read as the files have lines that begin ` {` or end in `}`.
#[test]
fn every_record_of_a_real_crafty_is_read() {
    holds(
        "../crafty/book",
        "crafty-v15.17-book-36games.lrn: read 47
        crafty-v15.17-book-60games.lrn: read 81
        crafty-v16.19-book-36games.lrn: read 46
        crafty-v16.19-book-60games.lrn: read 72
        crafty-v16.6-book-36games.lrn: read 49
        crafty-v16.6-book-60games.lrn: read 80
        crafty-v17.14-book-36games.lrn: read 52
        crafty-v17.14-book-60games.lrn: read 77
        crafty-v18.1-book-36games.lrn: read 46
        crafty-v18.1-book-60games.lrn: read 80
        crafty-v18.15-book-36games.lrn: read 44
        crafty-v18.15-book-60games.lrn: read 77
        crafty-v18.2-book-36games-SIGNBUG.lrn: read 46
        crafty-v18.3-book-36games.lrn: read 49
        crafty-v18.3-book-60games.lrn: read 77
        crafty-v19.19-book-36games.lrn: read 67
        crafty-v19.19-book-60games.lrn: read 114
        crafty-v20.14-book-36games.lrn: read 69
        crafty-v20.14-book-60games.lrn: read 114",
    );
}

#[test]
fn every_position_of_a_real_crafty_is_read() {
    holds(
        "../crafty/position",
        "crafty-v15.17-position.lrn: read 76
        crafty-v16.19-position.lrn: read 75
        crafty-v16.6-position.lrn: read 64
        crafty-v17.14-position.lrn: read 55
        crafty-v18.1-position.lrn: read 65
        crafty-v18.15-position.lrn: read 75
        crafty-v18.3-position.lrn: read 62
        crafty-v19.19-position.lrn: read 64
        crafty-v20.14-position.lrn: read 63",
    );
}

/// In `junk.lrn` a number is among the moves; in `illegal.lrn` the moves are legal after all.
#[test]
fn files_made_to_break_an_importer_are_read_as_meant() {
    holds(
        "../crafty/synthetic",
        "blank.lrn: read 2
        book.lrn: read 1
        bulk3000.lrn: read 3000
        crlf.lrn: read 1
        even.lrn: read 1
        fourtags.lrn: read 2
        illegal.lrn: read 2
        junk.lrn: bad-token 1
        nan.lrn: read 1
        nums.lrn: read 1
        nums2.lrn: read 1
        odd.lrn: read 1
        paper_section5.lrn: read 3
        position.lrn:
        res2.lrn: read 2
        res300.lrn: read 1
        uci.lrn: read 1
        wrap.lrn: read 1",
    );
}

#[test]
fn files_of_a_community_are_read_whole() {
    holds(
        "learn",
        "crafty-learn-1998-a.lrn: read 8169
        crafty-position-netchess.lrn: read 167",
    );
}

/// The side to move is Crafty's, which shows whether the names are the right way round.
#[test]
fn crafty_is_the_side_to_move_in_its_positions() {
    let Some(folder) = corpus("../crafty/position") else { return };
    let (mut positions, mut right) = (0, 0);
    for path in files(&folder) {
        let mut reader = learned::open(vec![Input::file(&path)], &ChunkOptions::default()).unwrap();
        let batches: Vec<_> = reader.by_ref().map(Result::unwrap).collect();
        for item in batches.iter().flat_map(LearnedBatch::items) {
            let Item::Position(entry) = item else { panic!("{item:?}") };
            let turn = shakmaty::Position::turn(entry.position);
            let mover = turn.fold_wb(entry.players.white.text(), entry.players.black.text());
            positions += 1;
            right += usize::from(mover.starts_with("Crafty"));
        }
    }
    assert_eq!((positions, right), (599, 599));
}
