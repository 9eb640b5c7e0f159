//! Memory: hostile inputs stay within `--memory` and 100 MB, and what the system refuses is an error with a
//! message.

use std::{fmt::Write as _, fs, io::Write as _};

use crate::workbench::{Workbench, sample};

const MB: u64 = 1_000_000;

/// Games of knights that go out and back, with a clock and an evaluation after each move.
fn long_annotated_games(games: usize, plies: usize) -> String {
    let mut text = String::new();
    for number in 0..games {
        write!(text, "[Event \"{number}\"]\n[Result \"1-0\"]\n\n").unwrap();
        for mv in ["Nf3", "Nf6", "Ng1", "Ng8"].iter().cycle().take(plies) {
            writeln!(text, "{mv} {{ [%eval 0.17] [%clk 0:01:00] }}").unwrap();
        }
        text += "1-0\n\n";
    }
    text
}

#[test]
fn long_annotated_games_are_exported_in_little_memory() {
    let bench = Workbench::with("long.pgn", long_annotated_games(10, 99_960));
    for observations in ["", "--observations"] {
        let summary =
            bench.json(&format!("export games long.pgn -o games --memory 32MiB -j 2 --force {observations}"));
        assert_eq!(summary["exported"]["games"], 10);
        let peak = summary["peak_rss_bytes"].as_u64().unwrap();
        assert!(peak <= (32 << 20) + 100 * MB, "{observations} {peak} bytes");
    }
}

#[test]
fn a_window_that_the_memory_does_not_allow_is_refused() {
    let bench = Workbench::new();
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    encoder.write_all(&fs::read(sample()).unwrap()).unwrap();
    bench.write("long.pgn.zst", encoder.finish().unwrap());
    let error = bench.fails("count long.pgn.zst -o t.table --memory 64MiB -j 2", 1);
    let wanted = "tabia: decompressing long.pgn.zst (zst) needs a window of 128 MiB, but the memory limit allows only 55 MiB; give more --memory\n";
    assert_eq!(error, wanted);
    bench.ok("count long.pgn.zst -o t.table --memory 192MiB -j 2");
}

#[test]
fn a_thread_that_is_refused_is_an_error_and_no_panic() {
    let bench = Workbench::after(["count SAMPLE -o t.table"]);
    bench.ok("compact t.table -o b.tabia");
    for arguments in [
        "export polyglot b.tabia -o b.bin -j 2",
        "compact t.table -o c.tabia -j 2 --memory 32MiB",
        "simulate b.tabia --policy polyglot --games 10 -j 2",
        "export csv b.tabia -o b.csv -j 2",
    ] {
        for kib in (36_000..64_000).step_by(4_000) {
            let (code, error) = bench.ended(&format!("ulimit -v {kib}; exec \"$TABIA\" {arguments}"));
            assert!(!error.contains("panicked"), "{kib} KiB: {arguments}: {error}");
            // Below some limit the loader ends the process before it begins.
            if code == Some(1) {
                assert!(error.starts_with("tabia: "), "{kib} KiB: {arguments}: {error}");
            }
            for name in ["b.bin", "c.tabia", "b.csv"] {
                fs::remove_file(bench.path(name)).ok();
            }
        }
    }
}

/// What holds a book in memory says how much is enough before it begins, and gives the same with that.
#[test]
fn what_a_book_needs_is_said_and_is_enough() {
    let bench = Workbench::after(["build SAMPLE -o all.tabia --table all.table --polyglot all.bin"]);
    for (arguments, instead) in [
        ("check all.tabia --color white --limit 100", "check a part of the book"),
        ("check all.bin --limit 100", "check a part of the book"),
        ("export csv all.tabia -f -o out", "ask for fewer lines"),
        ("export epd all.bin -f -o out", "ask for fewer lines"),
        ("export pgn all.table -f -o out", "ask for fewer lines"),
        ("export csv all.table -f -o out --max-ply 30", "ask for fewer lines"),
        ("export abk all.tabia -f -o out", "ask for fewer lines"),
    ] {
        let error = bench.assert_fails(
            &format!("{arguments} --memory 1MiB"),
            1,
            ["MiB of memory are needed, but only 1 may be used: use --memory ", instead],
        );
        assert!(!bench.names().contains(&"out".to_owned()), "{arguments}: something is written");
        let enough = error.split("use --memory ").nth(1).unwrap().split(',').next().unwrap();
        let written = |memory: &str| {
            let text = bench.ok(&format!("{arguments} {memory}"));
            (text, bench.path("out").exists().then(|| bench.read("out")))
        };
        assert_eq!(written(&format!("--memory {enough}")), written(""), "{arguments} {enough}");
        fs::remove_file(bench.path("out")).ok();
    }
}

/// A table that the memory does not hold is read where it is, and a comparison finds its lines on disk.
#[test]
fn what_is_written_does_not_depend_on_the_memory() {
    let bench = Workbench::after(["build SAMPLE -o all.tabia --table all.table --polyglot all.bin"]);
    bench.ok("compact all.table -o some.tabia --min-games 3");
    for arguments in ["csv all.table --max-ply 8 -f", "pgn all.table --min-games 20 -f"] {
        bench.ok(&format!("export {arguments} -o little --memory 4MiB"));
        bench.ok(&format!("export {arguments} -o much --memory 1GiB"));
        assert!(bench.read("little") == bench.read("much"), "{arguments}");
    }
    for arguments in
        ["diff all.tabia some.tabia --top 50", "diff some.tabia all.bin", "diff all.table some.tabia"]
    {
        let of = |flags: &str| bench.ok(&format!("{arguments} {flags}"));
        assert_eq!(of("--memory 1MiB -j 1"), of("--memory 1GiB -j 2"), "{arguments}");
    }
    bench.ok("export json some.tabia -o little -f --memory 32MiB -j 1");
    bench.ok("export json some.tabia -o much -f --memory 1GiB -j 2");
    assert!(bench.read("little") == bench.read("much"));
}
