//! Copies of games: which are found, which stay, and that neither order nor limits matter.

use std::fs;

use crate::workbench::{Workbench, sample};

/// Twenty-four plies.
const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
                    10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8";
const SHORT: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#";

/// A game; a tag line for each of `tags`.
fn game(tags: &[(&str, &str)], moves: &str, result: &str) -> String {
    let tags =
        tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect::<Vec<_>>().concat();
    format!("[Event \"A match\"]\n{tags}[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

/// A game of these players on this date.
fn played(white: &str, black: &str, date: &str, moves: &str) -> String {
    game(&[("White", white), ("Black", black), ("Date", date)], moves, "1-0")
}

fn original() -> String {
    played("Hübner, Robert", "Carlsen, Magnus", "1998.03.07", LONG)
}

/// How many games count of `texts`, and how many are copies.
fn counted(texts: &[&str], dedup: &str) -> (u64, u64) {
    let bench = Workbench::with("a.pgn", texts.concat());
    let summary = bench.json(&format!("count a.pgn -o a.table --dedup-games {dedup}"));
    (summary["accepted"].as_u64().unwrap(), summary["copies"].as_u64().unwrap())
}

#[test]
fn one_game_in_many_spellings_counts_once() {
    let commented = LONG.replace("2. Nf3", "2. Nf3 {a comment} $1 (2. f4 exf4)").replace("Re8", "\n\nRe8?!");
    let others = [
        ("a newline more", format!("{}\n\n", original())),
        ("other tags", original().replace("A match", "Wch").replace("[White ", "[Site \"Bonn\"]\n[White ")),
        ("line breaks", original().replace(". ", ".\n")),
        ("Windows line ends", original().replace('\n', "\r\n")),
        ("comments", played("Huebner,R", "Carlsen,M", "1998.03.07", &commented)),
        ("castling with zeros", original().replace("O-O", "0-0")),
        ("more disambiguation", original().replace("Nbd2", "Nb1d2").replace("Nbd7", "Nb8d7")),
        ("no accents", original().replace('ü', "u")),
        ("a name without initial", played("HUEBNER", "Carlsen", "1998.03.07", LONG)),
        ("a year only", played("Hübner R.", "Carlsen M", "1998.??.??", LONG)),
        ("one name", played("Hübner, Robert", "?", "1998.03.07", LONG)),
        ("no names", played("?", "NN", "????.??.??", LONG)),
        ("no tags", format!("[Event \"?\"]\n\n{LONG} 1-0\n\n")),
    ];
    for (what, other) in others {
        assert_eq!(counted(&[&original(), &other], "exact"), (1, 1), "{what}");
        assert_eq!(counted(&[&other, &original()], "exact"), (1, 1), "{what}, first");
    }
}

#[test]
fn other_games_are_no_copies() {
    let others = [
        ("another player", played("Hübner, Robert", "Karpov, Anatoly", "1998.03.07", LONG)),
        ("another initial", played("Hübner, Anton", "Carlsen, Magnus", "1998.03.07", LONG)),
        ("another day", played("Hübner, Robert", "Carlsen, Magnus", "1998.03.08", LONG)),
        ("another move", original().replace("Bc2 Re8", "Bc2 c5")),
        ("another knight", original().replace("Nbd2", "Nfd2")),
        ("a move more", original().replace("Re8", "Re8 13. Nf1")),
        ("another result", original().replace("1-0", "1/2-1/2")),
    ];
    for (what, other) in others {
        assert_eq!(counted(&[&original(), &other], "exact"), (2, 0), "{what}");
    }
}

#[test]
fn many_players_of_one_game_are_told_apart() {
    let bench = Workbench::new();
    let games: Vec<_> =
        (0..5000).map(|n| played(&format!("Player{n}, A"), "B", "2001.01.01", LONG)).collect();
    bench.write("a.pgn", games.concat());
    for dedup in ["exact", "truncated"] {
        let summary = bench.json(&format!("count a.pgn -o a.table --dedup-games {dedup} --force"));
        assert_eq!((&summary["accepted"], &summary["copies"]), (&5000.into(), &0.into()), "{dedup}");
    }
}

#[test]
fn short_games_are_copies_only_with_names_and_date() {
    let known = played("Hübner, Robert", "Carlsen, Magnus", "1998.03.07", SHORT);
    let same = known.replace("A match", "B").replace("ü", "ue");
    assert_eq!(counted(&[&known, &same], "exact"), (1, 1));
    for other in [
        played("?", "?", "1998.03.07", SHORT),
        played("Hübner, Robert", "Carlsen, Magnus", "????.??.??", SHORT),
        played("Hübner, Robert", "?", "1998.03.07", SHORT),
    ] {
        assert_eq!(counted(&[&known, &other], "exact"), (2, 0), "{other}");
        assert_eq!(counted(&[&other, &other], "exact"), (2, 0), "{other}");
    }
}

#[test]
fn cut_copies_are_found_where_they_are_asked_for() {
    let cut = original().replace(" 12. Bc2 Re8", "");
    let cut_twice =
        original().replace(" 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8", "");
    assert_eq!(counted(&[&cut, &original(), &cut_twice], "exact"), (3, 0));
    assert_eq!(counted(&[&cut, &original(), &cut_twice], "truncated"), (1, 2));
    for other in [
        cut.replace("1-0", "0-1"),
        cut.replace("1998.03.07", "1998.03.08"),
        cut.replace("1998.03.07", "????.??.??"),
        cut.replace("Carlsen", "Karpov"),
        cut.replace("Bb7", "c6"),
    ] {
        assert_eq!(counted(&[&original(), &other], "truncated"), (2, 0), "{other}");
    }
}

#[test]
fn the_game_with_most_known_tags_stays_and_the_list_names_it() {
    let bench = Workbench::new();
    let rich = original().replace("[White ", "[WhiteElo \"2600\"]\n[BlackElo \"2800\"]\n[White ");
    let poor = original().replace("[White ", "[WhiteElo \"?\"]\n[BlackElo \"-\"]\n[White ");
    bench.write("poor.pgn", &poor);
    bench.write("rich.pgn", format!("{}{rich}", played("A", "B", "2000", SHORT)));
    let at = bench.text("rich.pgn").find("[Event \"A match\"]\n[WhiteElo").unwrap();
    let list = "--rejects list.jsonl --rejects-filtered --force";
    for inputs in ["poor.pgn rich.pgn", "rich.pgn poor.pgn"] {
        bench.ok(&format!("count {inputs} -o a.table --dedup-games exact --ratings --by rating-band {list}"));
        let line = bench.text("list.jsonl");
        let expected = format!(
            "{{\"input\":\"poor.pgn\",\"offset\":0,\"game\":1,\"copy_of\":{{\"input\":\"rich.pgn\",\"offset\":{at}}}}}\n"
        );
        assert_eq!(line, expected);
        let manifest = bench.text("a.table/_manifest.json");
        assert!(manifest.contains("\"copies\": 1") && manifest.contains("\"dedup_games\": \"exact\""));
    }
}

/// The sample with copies of every third game, spread over three files: with other events, cut, commented.
fn with_copies(bench: &Workbench) {
    let text = fs::read_to_string(sample()).unwrap();
    let mut games: Vec<_> = text.split_inclusive("\n\n[Event ").collect();
    games.truncate(600);
    let games: Vec<String> = games
        .iter()
        .map(|game| format!("[Event {}", game.trim_start_matches("[Event ").trim_end_matches("[Event ")))
        .collect();
    let mut files = vec![String::new(); 3];
    for (number, game) in games.iter().enumerate() {
        files[number % 3].push_str(game);
        if number % 3 == 0 {
            files[(number + 1) % 3].push_str(&game.replace("Fixed-node", "Copied"));
        }
        if number % 5 == 0 {
            files[(number + 2) % 3].push_str(&game.replace(" 5. ", " {so far} 5. "));
        }
    }
    for (number, file) in files.iter().enumerate() {
        bench.write(&format!("{number}.pgn"), file);
    }
}

#[test]
fn neither_order_nor_threads_nor_memory_matter() {
    let bench = Workbench::new();
    with_copies(&bench);
    for dedup in ["exact", "truncated"] {
        let mut first: Option<(Vec<u8>, Vec<u8>)> = None;
        for how in [
            "0.pgn 1.pgn 2.pgn -j 1",
            "2.pgn 1.pgn 0.pgn -j 2",
            "1.pgn 0.pgn 2.pgn -j 3 --chunk-kib 1",
            "2.pgn 0.pgn 1.pgn -j 1 --memory 24MiB",
        ] {
            bench
                .ok(&format!("count {how} -o a.table --dedup-games {dedup} --by month --ratings --force -q"));
            let fingerprints = bench.read("a.table/_fingerprints");
            let bytes = (bench.part_bytes("a.table"), fingerprints);
            assert_eq!(first.get_or_insert_with(|| bytes.clone()), &bytes, "{dedup}: {how}");
        }
    }
}

#[test]
fn a_table_remembers_its_games() {
    let bench = Workbench::new();
    with_copies(&bench);
    let count = |inputs: &str, table: &str| {
        bench.ok(&format!("count {inputs} -o {table} --dedup-games exact -q"));
    };
    count("0.pgn 1.pgn 2.pgn", "all.table");
    count("0.pgn", "a.table");
    count("1.pgn", "b.table");
    let same = |a: &str, b: &str| {
        let fingerprints = |table: &str| fs::read(bench.path(table).join("_fingerprints")).unwrap();
        assert_eq!(bench.part_bytes(a), bench.part_bytes(b), "{a} and {b}");
        assert_eq!(fingerprints(a), fingerprints(b), "{a} and {b}");
    };
    bench.ok("add a.table 1.pgn 2.pgn -q");
    same("a.table", "all.table");
    let error = bench.fails("add a.table 1.pgn --force -q", 1);
    assert!(error.contains("none of the"), "all its games are held: {error}");
    assert!(error.contains("copies"), "{error}");

    count("0.pgn", "c.table");
    bench.assert_fails("merge c.table b.table -o m.table", 1, ["share", "--shared keep"]);
    let error = bench.fails("merge c.table b.table -o m.table --force", 1);
    assert!(error.contains("share"), "replacing an output is another wish: {error}");
    let twice = "are in more than one table; each counts once per table";
    assert!(bench.said("merge c.table b.table -o m.table --shared keep").contains(twice));
    bench.write("3.pgn", original());
    count("3.pgn", "d.table");
    assert!(!bench.said("merge c.table d.table -o apart.table --shared keep").contains(twice));
    bench.ok("subtract m.table 1.pgn -q");
    same("m.table", "c.table");
    bench.assert_fails("subtract m.table 1.pgn -q", 1, ["of the games to be subtracted are not in"]);

    bench.ok("count 2.pgn -o off.table -q");
    bench.assert_fails("merge c.table off.table -o n.table", 1, ["dedup-games is off"]);
    bench.assert_fails("add off.table 1.pgn --dedup-games exact -q", 1, ["off, not exact"]);
    bench.ok("verify all.table");
    let info = bench.ok("info all.table");
    assert!(info.lines().any(|line| line.contains("copies left out") && line.contains(", exact")), "{info}");
    let path = bench.path("all.table/_fingerprints");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 4;
    fs::write(&path, bytes).unwrap();
    assert!(bench.fails("verify all.table", 1).contains("_fingerprints"));
    assert!(bench.fails("add all.table 1.pgn", 1).contains("_fingerprints"));
}

#[test]
fn a_file_under_two_names_counts_once() {
    let bench = Workbench::with("a.pgn", original());
    bench.write("b.pgn", original());
    let said = bench.said("count a.pgn b.pgn -o a.table --dedup-games exact");
    assert!(said.contains("2 games: 1 counted, 1 copy"), "{said}");
    assert!(said.contains("b.pgn has the same contents as a.pgn, so its games are copies"), "{said}");
}

#[test]
fn many_inputs_with_the_same_bytes_are_one_warning() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("all")).unwrap();
    for number in 0..200 {
        bench.write(&format!("all/{number:03}.pgn"), original());
    }
    let summary = bench.json("count all all/000.pgn all/001.pgn all/002.pgn -o a.table");
    let expected = [
        "all/000.pgn and 2 others were given more than once, but each is read only once",
        "all/001.pgn has the same contents as all/000.pgn, and 198 more inputs have those of an earlier input, so their games are counted more than once",
    ];
    assert_eq!(summary["warnings"], serde_json::json!(expected));
    assert_eq!(summary["accepted"], 200);
}

#[test]
fn standard_input_is_read_twice() {
    let bench = Workbench::new();
    let text = format!("{}{}", original(), original());
    let mut count = bench.command("count - -o a.table --dedup-games exact");
    let output = count.write_stdin(text).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("2 games: 1 counted, 1 copy"), "{said}");
}

#[test]
fn learning_and_exports_leave_copies_out_too() {
    let bench = Workbench::with("a.pgn", format!("{}{}", original(), original()));
    let summary = bench.json("export games a.pgn -o games --dedup-games exact");
    assert_eq!((&summary["copies"], &summary["exported"]["games"]), (&1.into(), &1.into()));
    bench.write("marks.pgn", "[Event \"x\"]\n\n1. e4! e5\n\n[Event \"x\"]\n\n1. d4! d5\n");
    bench.ok("learn annotations marks.pgn -o x.experience.parquet --dedup-games exact");
}

#[test]
fn filtered_games_stand_as_they_stood() {
    let bench = Workbench::new();
    let games = [
        played("A", "B", "2001.01.01", LONG),
        original().replace('\n', "\r\n"),
        "[Event \"cut\"]\n\n1. e4 e5 2. Qh9 1-0\n[Event \"x\"]\n\n".to_owned(),
        original(),
        played("C", "D", "2002.01.01", SHORT).trim_end().to_owned(),
    ];
    bench.write("a.pgn", games.concat());
    bench.write("b.pgn", "[Black \"X\"]\n[White \"Y\"]\n\n1. d4 d5 0-1");
    bench.ok("filter a.pgn b.pgn -o kept.pgn --rest rest.pgn --dedup-games exact");
    let stays = if bench.text("kept.pgn").contains("\r\n") { 1 } else { 3 };
    let expected = [&games[0], &games[stays], &games[4], "\n\n[Black \"X\"]\n[White \"Y\"]\n\n1. d4 d5 0-1"];
    assert_eq!(bench.text("kept.pgn"), expected.map(ToString::to_string).concat());
    assert_eq!(bench.text("rest.pgn"), if stays == 1 { games[2..4].concat() } else { games[1..3].concat() });

    bench.ok("filter kept.pgn -o again.pgn");
    assert_eq!(bench.text("again.pgn"), bench.text("kept.pgn"), "what is kept whole stays byte for byte");
    bench.ok("filter kept.pgn -o packed.pgn.zst");
    assert_eq!(bench.ok("filter packed.pgn.zst -o -"), bench.text("kept.pgn"));
    bench.assert_fails("filter a.pgn -o kept.pgn.gz", 2, ["--output", ".zst"]);
    bench.assert_fails("filter a.pgn -o none.pgn --player Nobody", 1, ["none of the 6 games counts"]);
    assert!(!bench.path("none.pgn").exists());
}

#[test]
fn games_of_old_macintosh_files_are_still_read_behind_others() {
    let bench = Workbench::with("lf.pgn", original());
    let old = [played("A", "B", "2001.01.01", LONG), played("C", "D", "2002.01.01", SHORT)].concat();
    bench.write("cr.pgn", old.replace('\n', "\r"));
    for inputs in ["lf.pgn cr.pgn", "cr.pgn lf.pgn"] {
        bench.ok(&format!("filter {inputs} -o kept.pgn --force"));
        assert_eq!(bench.json("count kept.pgn -o kept.table --force")["accepted"], 3, "{inputs}");
    }
    bench.ok("filter cr.pgn -o kept.pgn --force");
    assert_eq!(bench.text("kept.pgn"), old);
}
