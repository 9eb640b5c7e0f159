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
    assert!(error.contains("--weights has 1 values for 2 books"), "{error}");
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

/// A book of other programs whose last entries were appended: said by `info`, refused by `merge`, mended.
#[test]
fn a_book_that_is_not_sorted_is_mended() {
    let bench = Workbench::after(["build SAMPLE -o s.tabia --polyglot s.bin --min-games 3"]);
    let sorted = bench.read("s.bin");
    let (first, rest) = sorted.split_at(32);
    bench.write("u.bin", [rest, first].concat());
    bench.assert_prints("info u.bin", ["warning", "1 entries have a key below", "`tabia merge --repair`"]);
    assert_eq!(bench.json("info u.bin")["details"]["unsorted"], 1);
    bench.assert_fails("verify u.bin", 1, ["the file is not sorted: `tabia merge --repair`"]);
    bench.assert_fails("merge u.bin s.bin -o m.bin", 1, ["is not sorted"]);
    bench.assert_says("merge --repair u.bin -o r.bin", ["1 entries had a key below the one before"]);
    assert!(bench.read("r.bin") == sorted, "the same book");
    bench.ok("verify r.bin");
    assert!(!bench.ok("info r.bin").contains("warning"));
    // A move that comes twice has both weights; the key 0 is none of a position.
    let mut twice = first[..16].to_vec();
    twice[10..12].copy_from_slice(&7_u16.to_be_bytes());
    bench.write("twice.bin", [&sorted[..], &twice, &[0; 16]].concat());
    let said = bench.said("merge --repair twice.bin -o once.bin");
    assert!(said.contains("1 entries repeat a move") && said.contains("1 entries have the key 0"), "{said}");
    let once = bench.read("once.bin");
    let weight = |bytes: &[u8]| u16::from_be_bytes([bytes[10], bytes[11]]);
    let of = |mv: &[u8]| once.chunks(16).find(|entry| entry[..10] == mv[..10]).map(weight);
    assert_eq!((once.len(), of(first)), (sorted.len(), Some(weight(first) + 7)));
    bench.ok("verify once.bin");
    for (arguments, says) in [
        ("merge --repair u.bin s.bin -o m.bin", "--repair sorts one Polyglot book, but 2 were given"),
        ("merge --repair s.tabia -o m.tabia", "--repair applies only to Polyglot books"),
        ("merge --repair --strategy max u.bin -o m.bin", "cannot be used with"),
    ] {
        bench.assert_fails(arguments, 2, [says]);
    }
}
