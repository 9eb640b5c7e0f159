//! What engines of today learn in.

use std::fs;

use crate::workbench::Workbench;

/// Stockfish's hash of the start position.
const START: u64 = 0x8f8f_01d4_562f_59fb;
/// 1.e4 as Stockfish packs it.
const E4: u16 = 0x031c;

/// A record of BrainLearn.
fn record(key: u64, mv: u16, depth: i32, value: i32) -> Vec<u8> {
    let numbers = [depth, value, mv.into(), 50].map(i32::to_le_bytes).concat();
    [&key.to_le_bytes()[..], &numbers].concat()
}

#[test]
fn searches_of_an_engine_are_evaluations_and_come_back() {
    let bench = Workbench::new();
    let records = [record(START, E4, 20, 120), record(START, E4, 9, 1), record(START ^ 1, E4, 30, 5)];
    bench.write("experience.exp", records.concat());
    let told = bench.said("learn exp experience.exp -o x.experience.parquet");
    for part in
        ["1 without a move or a depth, or of a move that was searched deeper", "1 of positions that no line"]
    {
        assert!(told.contains(part), "{told}");
    }
    bench.assert_prints("probe x.experience.parquet", ["e4 [evaluation] searched +0.32 at depth 20"]);
    bench.ok("learn export exp x.experience.parquet -o e.exp --layout sugar-v2 -q");
    let written = fs::read(bench.path("e.exp")).unwrap();
    assert_eq!((written.len(), &written[..26]), (50, &b"SugaR Experience version 2"[..]));
    assert_eq!((&written[26..34], &written[34..36]), (&START.to_le_bytes()[..], &E4.to_le_bytes()[..]));
    bench.ok("learn exp e.exp -o y.experience.parquet -q");
    bench.ok("learn export exp y.experience.parquet -o f.exp --layout sugar-v2 -q");
    assert_eq!(fs::read(bench.path("f.exp")).unwrap(), written);
}

#[test]
fn files_that_name_no_position_are_refused() {
    let bench = Workbench::new();
    bench.write("empty.exp", "");
    bench.write("cut.exp", vec![1; 25]);
    bench.write("foreign.exp", record(7, E4, 20, 120));
    bench.write("one.exp", record(START, E4, 20, 120));
    for (arguments, code, why) in [
        ("learn exp empty.exp -o x.experience.parquet", 1, "no record of a search"),
        ("learn exp cut.exp -o x.experience.parquet", 1, "has 25 bytes"),
        ("learn exp foreign.exp -o x.experience.parquet", 1, "its keys are of an unknown kind"),
        ("learn exp one.exp -o one.exp", 2, "one.exp"),
        ("import exp one.exp -o x.tabia", 2, "tabia learn exp"),
        ("probe one.exp", 1, "tabia learn exp"),
        (
            "experience show one.exp",
            1,
            "is not an experience file: it was not written by `tabia learn`; `tabia learn exp`",
        ),
    ] {
        bench.assert_fails(arguments, code, [why]);
    }
}
