//! `tabia review`: how each game of a player and a book parted, as text, JSON, CSV, PGN and Parquet.

use serde_json::Value;

use crate::workbench::{Workbench, game};

/// A repertoire of lines that White won: in `both.tabia` the moves of both sides, in `white.tabia` White's,
/// and in `both.bin` those that scored.
fn repertoire() -> Workbench {
    let bench = Workbench::new();
    let lines = [
        game("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0").repeat(3),
        game("1. e4 c5 2. Nf3", "1-0").repeat(2),
        game("1. e4 Nc6 2. Nf3 d6", "1-0"),
        game("1. d4 d5 2. c4", "1-0").repeat(2),
    ];
    bench.write("lines.pgn", lines.concat());
    bench.ok("build lines.pgn -o both.tabia --polyglot both.bin");
    bench.ok("build lines.pgn -o white.tabia --color white");
    bench
}

/// A game of the player, who has White.
fn own(date: &str, moves: &str, result: &str) -> String {
    game(moves, result).replacen("\n\n", &format!("\n[White \"Me\"]\n[Date \"{date}\"]\n\n"), 1)
}

fn with_games(bench: &Workbench) {
    let games = [
        own("2024.05.01", "1. e4 e5 2. Nf3 Nc6 3. Bc4", "0-1"),
        own("2024.06.??", "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5", "1/2-1/2"),
        own("2023.01.02", "1. e4 e5 2. Nf3 Nf6 3. Nxe5", "1-0"),
        own("2023.01.03", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4", "1-0"),
        own("2023.01.04", "1. e4 e5 2. Nf3", "1-0"),
        own("2023.01.05", "1. Nf3 d5", "1-0"),
        // The opponent comes into the book by another order.
        own("2023.01.06", "1. e4 Nc6 2. Nf3 e5 3. Bb5", "*"),
    ];
    bench.write("mine.pgn", games.concat());
}

/// The report of one way of parting.
fn report<'v>(review: &'v Value, departure: &str) -> &'v Value {
    let reports = review["review"]["departures"].as_array().unwrap();
    reports.iter().find(|report| report["departure"] == departure).unwrap()
}

#[test]
fn each_way_of_parting_is_found() {
    let bench = repertoire();
    with_games(&bench);
    for book in ["both.tabia", "both.bin", "white.tabia"] {
        let found = bench.json(&format!("review mine.pgn --book {book} --player Me"));
        assert_eq!(found["review"]["games"], 7, "{book}");
        let games =
            ["player-left", "opponent-left", "book-ended", "completed", "other-opening", "other-side"]
                .map(|departure| report(&found, departure)["games"].as_u64().unwrap());
        assert_eq!(games, [2, 1, 1, 2, 1, 0], "{book}");
        let left = report(&found, "player-left");
        assert_eq!((&left["draws"], &left["losses"], &left["score"]), (&1.into(), &1.into(), &0.25.into()));
        let place = &left["places"][0];
        assert_eq!(place["line"], "1. e4 e5 2. Nf3 Nc6");
        assert_eq!((&place["played"], &place["book"]), (&"Bc4".into(), &serde_json::json!(["Bb5"])));
        assert_eq!((&place["last"], &place["color"]), (&"2024-05-01".into(), &"white".into()));
    }
}

#[test]
fn the_text_says_who_left_and_what_the_book_plays() {
    let bench = repertoire();
    with_games(&bench);
    let text = bench.ok("review mine.pgn --book both.tabia --player me -q");
    for line in [
        "the player left            2 games, score 25.0 %, 1 place\n",
        "\nthe player left\n  2 games, score 25.0 %  1. e4 e5 2. Nf3 Nc6: Bc4; the book plays Bb5\n",
        "  1 game, score 100.0 %  1. e4 e5 2. Nf3: Nf6; the book has Nc6\n",
        "  1 game, score 100.0 %  start position: Nf3; the book plays e4, d4\n",
        "\nthe book ended\n  1 game, score 100.0 %  1. e4 e5 2. Nf3 Nc6 3. Bb5\n",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    let text = bench.ok("review mine.pgn --book white.tabia --player me -q --top 0");
    assert!(!text.contains("Nf6"), "{text}");
}

/// A book of one side says nothing about games in which the player has the other.
#[test]
fn games_of_the_other_side_are_counted_apart() {
    let bench = repertoire();
    with_games(&bench);
    let black = game("1. e4 e5 2. Nf3", "0-1").replacen("\n\n", "\n[Black \"Me\"]\n\n", 1);
    bench.write("mine.pgn", bench.text("mine.pgn") + &black.repeat(2));
    let asked = "review mine.pgn --book white.tabia --player Me --pgn out.pgn --force";
    let found = bench.json(asked);
    let apart = report(&found, "other-side");
    assert_eq!((&found["review"]["games"], &found["review"]["side"]), (&9.into(), &"white".into()));
    assert_eq!((&apart["games"], &apart["wins"], &apart["found"]), (&2.into(), &2.into(), &0.into()));
    assert_eq!(report(&found, "other-opening")["games"], 1);
    bench.assert_prints(asked, ["\nnot followed               2 games as Black: the book is White's\n"]);
    assert_eq!(bench.text("out.pgn").matches("{not followed: the book is of the other side}").count(), 2);
    let both = bench.json("review mine.pgn --book both.tabia --player Me");
    assert_eq!((&both["review"]["side"], &report(&both, "other-side")["games"]), (&Value::Null, &0.into()));
}

/// What the book plays in place of another opening is named, and a banned move is not.
#[test]
fn another_opening_names_no_banned_move() {
    let bench = repertoire();
    bench.write("x.pgn", own("2024.01.01", "1. Nf3 d5", "0-1"));
    bench.write("ban.edits", "forbid d4");
    bench.ok("edit both.tabia --script ban.edits -o banned.tabia");
    bench.write("y.pgn", game("1. c4 c5", "0-1").replacen("\n\n", "\n[Black \"Me\"]\n\n", 1));
    for games in ["x.pgn", "y.pgn"] {
        let asked = format!("review {games} --book banned.tabia --player Me --pgn out.pgn --force -q");
        let text = bench.ok(&asked);
        assert!(text.contains("; the book plays e4\n"), "{text}");
        assert!(bench.text("out.pgn").contains("{another opening: the book plays e4}"));
    }
}

/// A position is a row, whatever was played there.
#[test]
fn drills_ask_each_position_once() {
    let bench = repertoire();
    let games = [
        own("2024.05.01", "1. e4 c5 2. Nc3", "0-1"),
        own("2024.07.01", "1. e4 c5 2. c3", "0-1"),
        own("2024.06.01", "1. e4 c5 2. c3", "1-0"),
        own("2024.06.01", "1. e4 e5 2. d4", "1-0"),
    ];
    bench.write("mine.pgn", games.concat());
    bench.ok("review mine.pgn --book white.tabia --player Me --drill learn.csv -q");
    let rows = [
        "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,Nf3,Nf3,c3 Nc3,3,2024-07-01,1. e4 c5",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2,Nf3,Nf3,d4,1,2024-06-01,1. e4 e5",
    ];
    assert_eq!(
        bench.text("learn.csv"),
        format!("fen,answer,book,played,games,last,line\r\n{}\r\n", rows.join("\r\n"))
    );
}

#[test]
fn files_hold_every_place_and_every_game() {
    let bench = repertoire();
    with_games(&bench);
    bench.ok("review mine.pgn --book both.tabia --player Me --top 0 --drill a.csv --pgn a.pgn --parquet a.parquet -q");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let row = format!("{fen},Bb5,Bb5,Bc4,2,2024-05-01,1. e4 e5 2. Nf3 Nc6");
    assert_eq!(bench.text("a.csv"), format!("fen,answer,book,played,games,last,line\r\n{row}\r\n"));
    let pgn = bench.text("a.pgn");
    assert!(pgn.contains("\n1. e4 e5 2. Nf3 Nc6 3. Bc4 {the book plays Bb5} 0-1\n"), "{pgn}");
    assert!(pgn.contains("3. Bb5 a6 {the book ends here} 4. Ba4 1-0\n"), "{pgn}");
    assert_eq!(pgn.matches("[White \"Me\"]").count(), 7);
    bench.ok("count a.pgn -o again.table -q");
    assert!(bench.read("a.parquet").starts_with(b"PAR1"));
    // Neither threads nor chunks matter.
    bench.ok(
        "review mine.pgn --book both.tabia --player Me --drill b.csv --pgn b.pgn --parquet b.parquet -q -j 1 \
         --chunk-kib 1",
    );
    for ending in ["csv", "pgn", "parquet"] {
        assert_eq!(bench.read(&format!("a.{ending}")), bench.read(&format!("b.{ending}")), "{ending}");
    }
}

#[test]
fn the_places_do_not_depend_on_the_order_of_the_games() {
    let bench = repertoire();
    with_games(&bench);
    let text = bench.text("mine.pgn");
    let games: Vec<_> = text.split("[Result ").skip(1).map(|game| format!("[Result {game}")).collect();
    assert_eq!(games.len(), 7);
    bench.write("turned.pgn", games.into_iter().rev().collect::<String>());
    let review = |games: &str| bench.ok(&format!("review {games} --book both.tabia --player Me -q"));
    assert_eq!(review("mine.pgn"), review("turned.pgn"));
}

#[test]
fn mistakes_are_named() {
    let bench = repertoire();
    with_games(&bench);
    bench.ok("count lines.pgn -o lines.table");
    for (arguments, code, part) in [
        ("mine.pgn --book both.tabia", 2, "player"),
        ("mine.pgn --book lines.table --player Me", 2, "`tabia compact TABLE -o BOOK` makes a book of it"),
        ("both.tabia --book mine.pgn --player Me", 2, "did you mean `tabia review GAMES --book both.tabia`?"),
        ("mine.pgn --book both.tabia --player Me --color white", 2, "--player-color"),
        ("mine.pgn --book missing.tabia --player Me", 1, "missing.tabia"),
        ("mine.pgn --book both.tabia --player Nobody", 1, "filtered (player 7)"),
        ("mine.pgn --book both.tabia --player Me --drill -", 2, "drill"),
        ("mine.pgn --book both.tabia --player Me --drill a.pgn", 2, "a.pgn"),
    ] {
        let error = bench.fails(&format!("review {arguments}"), code);
        assert!(error.contains(part), "{arguments}: {error}");
        assert!(!error.contains("--allow-empty"), "nothing was to be written: {error}");
    }
    let error = bench.fails("review mine.pgn --book both.tabia --player Nobody --pgn x.pgn", 1);
    assert!(error.contains("--allow-empty"), "{error}");
}
