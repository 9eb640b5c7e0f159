//! A real file: what Craftys on the chess servers of 1998 shared, over a book of master games.

use serde_json::json;
use testing::corpus;

use super::number;
use crate::workbench::Workbench;

/// 8,169 records of March and April 1998. A second implementation, in Python with a board of its own, counted
/// the same and gave every value to the last bit, over the book without the 4,277 games whose result is
/// there twice: 23,098 values, 548 of them not to be played.
#[test]
fn the_file_of_1998_over_master_games() {
    let Some(records) = corpus("learn/crafty-learn-1998-a.lrn") else { return };
    let Some(games) = corpus("kingbase2015-recon-a.pgn.zst") else { return };
    let bench = Workbench::new();
    bench.ok(&format!("count {} --max-ply 60 -o ruy.table --quiet", games.display()));
    let learning = bench.learn(&format!("crafty {} --rejects r.jsonl", records.display()), "x.parquet");
    assert_eq!(
        learning,
        json!({
            "records": 8169,
            "taught": 7280,
            // Copies, mostly in pairs; 34 lines that master games never played, and 16 lost games whose last
            // choice is a novelty.
            "idle": {"duplicate": 818, "no-book-move": 50},
            // Games of Ferret, Zamora and other engines that no Crafty took part in.
            "rejected": {"unknown-own-side": 21},
        })
    );
    assert_eq!(super::rejects(&bench, "r.jsonl").len(), 21);
    let known = bench.known("x.parquet");
    let unplayable = known.values().filter(|known| known["playable"] == false).count();
    assert_eq!((known.len(), unplayable), (23_213, 550));
    assert!(known.values().all(|known| number(&known["learn"]).is_finite()));
}
