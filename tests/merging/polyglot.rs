//! `merge` of Polyglot books; the judge is Debian's `polyglot merge-book`.

use std::{collections::BTreeMap, fs, path::Path, process::Command};

use crate::workbench::{Workbench, sample};

/// Moves by key, each with its weight.
type Weights = BTreeMap<u64, BTreeMap<u16, u64>>;

fn weights(path: &Path) -> Weights {
    let mut weights = Weights::new();
    for entry in fs::read(path).unwrap().chunks(16) {
        let bits = u128::from_be_bytes(entry.try_into().unwrap());
        let of_position = weights.entry((bits >> 64) as u64).or_default();
        of_position.insert((bits >> 48) as u16, (bits >> 32) as u64 & 0xffff);
    }
    weights
}

fn books() -> Workbench {
    let bench = Workbench::new();
    let sample = sample().display().to_string();
    bench.ok(&format!("build {sample} -o a.tabia --polyglot a.bin --min-games 3 --color white"));
    bench.ok(&format!("build {sample} -o b.tabia --polyglot b.bin --min-games 5 --weight games"));
    bench
}

#[test]
fn the_first_book_wins_a_position() {
    let bench = books();
    bench.ok("merge a.bin b.bin -o c.bin --strategy first");
    bench.ok("verify c.bin");
    let [a, b, c] = ["a.bin", "b.bin", "c.bin"].map(|book| weights(&bench.path(book)));
    let mut expected = b;
    expected.extend(a);
    assert_eq!(c, expected);
    let error = bench.fails("merge a.bin b.bin -o d.bin --strategy first --weights 1,2", 2);
    assert!(error.contains("leave out --weights and --no-scale"), "{error}");
}

/// Polyglot 2.0.4 adds weights up as they are, in sixteen bits: sums of 65,536 and more wrap.
#[test]
fn sums_are_those_of_polyglot() {
    let bench = books();
    let polyglot = Path::new("/usr/games/polyglot");
    if !polyglot.exists() {
        eprintln!("skipped: there is no {}", polyglot.display());
        return;
    }
    bench.ok("merge a.bin b.bin -o c.bin --no-scale");
    let arguments = "merge-book -in1 a.bin -in2 b.bin -out d.bin".split(' ');
    let judge = Command::new(polyglot).args(arguments).current_dir(bench.path("")).output().unwrap();
    assert!(judge.status.success());
    let (ours, theirs) = (weights(&bench.path("c.bin")), weights(&bench.path("d.bin")));
    assert!(ours.len() > 500);
    assert_eq!(ours, theirs);
}

#[test]
fn one_weight_a_book_is_asked_for() {
    let bench = books();
    let error = bench.fails("merge a.bin b.bin -o c.bin --weights 2", 2);
    assert!(error.contains("--weights names 1, and there are 2 books"), "{error}");
    bench.fails("merge a.bin b.bin -o c.bin --weights 2,0", 2);
    bench.fails("merge a.bin b.bin -o c.bin --cut-off 2", 2);
    bench.write("e.bin", "");
    bench.assert_fails("merge e.bin -o c.bin", 1, ["the books have no entries"]);
    assert!(!bench.path("c.bin").exists());
}

#[test]
fn what_is_cut_off_is_counted() {
    let bench = books();
    bench.assert_says("merge a.bin b.bin -o c.bin --cut-off 0.2", ["moves below the cut-off were left out"]);
    for moves in weights(&bench.path("c.bin")).values() {
        assert!(moves.len() <= 5, "more than five moves of a fifth each: {moves:?}");
    }
    bench.ok("verify c.bin");
}
