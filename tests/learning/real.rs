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
    assert_eq!((&learning["records"], &learning["taught"]), (&json!(8169), &json!(7280)));
    // Copies, mostly in pairs; 34 lines that master games never played, and 16 lost games whose last choice
    // is a novelty.
    let idle = json!({"duplicate": 818, "no-book-move": 34, "last-choice-not-in-book": 16});
    assert_eq!(learning["idle"], idle);
    // Games of Ferret, Zamora and other engines that no Crafty took part in.
    assert_eq!(learning["rejected"], json!({"unknown-own-side": 21}));
    assert_eq!(learning["unplayable"], 550);
    let named = learning["most_played_unplayable"].as_array().unwrap();
    assert_eq!((named.len(), &named[0]["line"]), (5, &json!("e4 c5 Nc3 Nc6")), "{named:?}");
    assert_eq!(super::rejects(&bench, "r.jsonl").len(), 21);
    let known = bench.known("x.parquet");
    let unplayable = known.values().filter(|known| known["playable"] == false).count();
    assert_eq!((known.len(), unplayable), (23_213, 550));
    let skipped = bench.learn(&format!("crafty {} --result-records skip", records.display()), "skip.parquet");
    let softened =
        bench.learn(&format!("crafty {} --result-records soften", records.display()), "soft.parquet");
    let unplayable = |learning: &serde_json::Value| learning["unplayable"].as_u64().unwrap();
    assert!(
        unplayable(&skipped) < unplayable(&softened) && unplayable(&softened) < 550,
        "{skipped} {softened}"
    );
    assert!(known.values().all(|known| number(&known["learn"]).is_finite()));
}
