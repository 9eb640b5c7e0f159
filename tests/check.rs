//! `tabia check`: each kind of finding in a book made to have it, and the exit codes of continuous
//! integration.

use serde_json::Value;

use crate::workbench::{Workbench, game};

/// A game of a line that White wins, as often as asked.
fn games(line: &str, result: &str, times: usize) -> String {
    game(line, result).repeat(times)
}

/// White's repertoire: 1.e4 with an answer to 1…e5 and none to 1…c5; a second move that scores worse; a
/// circle.
fn repertoire() -> Workbench {
    let bench = Workbench::new();
    let pgn = [
        games("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0", 10),
        games("1. e4 e5 2. Bc4 Nc6 3. Qh5", "0-1", 10),
        games("1. e4 e5 2. Nf3 Nf6 3. Ng1 Ng8 4. Nf3 Nf6", "1/2-1/2", 2),
    ];
    bench.write("mine.pgn", pgn.concat());
    bench.write(
        "all.pgn",
        games("1. e4 c5 2. Nf3", "1-0", 30)
            + &games("1. e4 e5 2. Nf3", "1-0", 60)
            + &games("1. e4 a6 2. d4", "1-0", 1),
    );
    bench.ok("build mine.pgn -o mine.tabia --polyglot mine.bin");
    bench.ok("count all.pgn -o all.table");
    bench
}

fn checked(bench: &Workbench, arguments: &str) -> Value {
    bench.json(&format!("check {arguments}"))
}

/// The report of one kind.
fn report<'v>(checked: &'v Value, kind: &str) -> &'v Value {
    checked["kinds"].as_array().unwrap().iter().find(|report| report["kind"] == kind).unwrap()
}

#[test]
fn each_kind_is_found() {
    let bench = repertoire();
    let found = checked(&bench, "mine.tabia --color white --against all.table --min-games 2 --plies 6");
    let holes = report(&found, "holes");
    assert_eq!((&holes["found"], &holes["findings"][0]["line"]), (&1.into(), &"1. e4".into()), "{holes}");
    let what = holes["findings"][0]["what"].as_str().unwrap();
    assert!(what.starts_with("no answer to c5 (played 33.0 % of the time, 30 games; "), "{what}");
    let choices = report(&found, "choices");
    assert_eq!(choices["findings"][0]["line"], "1. e4 e5", "{choices}");
    assert_eq!(choices["findings"][0]["what"], "2 moves: Nf3, Bc4");
    let worse = report(&found, "worse");
    assert_eq!(worse["found"], 1, "{worse}");
    assert_eq!(worse["findings"][0]["line"], "1. e4 e5 2. Bc4", "{worse}");
    let repetitions = report(&found, "repetitions");
    assert!(repetitions["found"].as_u64().unwrap() >= 1, "{repetitions}");
    let what = repetitions["findings"][0]["what"].as_str().unwrap();
    assert_eq!(what, "the last 4 plies lead back to the same position");
    let dead = report(&found, "dead-ends");
    let lines: Vec<_> = dead["findings"].as_array().unwrap().iter().map(|found| &found["line"]).collect();
    assert_eq!(lines, ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 e5 2. Bc4 Nc6 3. Qh5"], "{dead}");
    assert_eq!(report(&found, "unreachable")["found"], 0);
    assert_eq!(found["reached"], found["positions"]);
}

#[test]
fn a_polyglot_book_is_checked_as_far_as_it_knows() {
    let bench = repertoire();
    let found = checked(&bench, "mine.bin --color white --against all.table");
    assert_eq!(report(&found, "holes")["findings"][0]["line"], "1. e4");
    assert_eq!(report(&found, "worse")["not_checked"], "a Polyglot book has no scores");
    assert_eq!(report(&found, "choices")["found"], 1);
    // A key of its own that no line reaches, a move that is not legal, and a weight of 0.
    let entry = |key: u64, mv: u16, weight: u16| {
        [&key.to_be_bytes()[..], &mv.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat()
    };
    let (e2e4, d2d4, e2e5) = (0o1434, 0o1333, 0o1444);
    let start = 0x463b_9618_1691_fc9c;
    let entries = [entry(7, e2e4, 1), entry(start, e2e4, 1), entry(start, d2d4, 0), entry(start, e2e5, 1)];
    bench.write("odd.bin", entries.concat());
    let odd = checked(&bench, "odd.bin");
    assert_eq!((&odd["color"], &odd["positions"]), (&"white".into(), &2.into()));
    let weights: Vec<_> =
        report(&odd, "weights")["findings"].as_array().unwrap().iter().map(|it| &it["what"]).collect();
    assert_eq!(weights, ["has weight 0 and is never played", "e2e5 is not legal"]);
    assert_eq!(report(&odd, "unreachable")["findings"][0]["key"], "0000000000000007");
}

/// The position after 1. d4 d5 2. c4 e6 is in the book, and no move that the book has leads there: a White
/// that does not play by it gets there by 2. c4 or 2. d4.
#[test]
fn a_player_of_the_book_plays_its_moves_and_the_opponent_any_that_lead_back() {
    let bench = Workbench::new();
    let transposed = games("1. d4 d5 2. c4 e6", "1-0", 1) + &games("1. c4 d5 2. d4 e6", "1-0", 1);
    let others = games("1. d4 d5 2. Nf3", "1-0", 2) + &games("1. c4 d5 2. Nf3", "1-0", 2);
    bench.write("games.pgn", transposed + &others);
    bench.ok("build games.pgn -o mine.tabia --min-games 2 --polyglot mine.bin");
    let unreachable = |arguments: &str| report(&checked(&bench, arguments), "unreachable")["found"].clone();
    assert_eq!(unreachable("mine.tabia"), 2);
    assert_eq!(unreachable("mine.tabia --color black"), 0);
    assert_eq!(unreachable("mine.tabia --color white"), 2);
    bench.write("prune.txt", "prune unreachable\n");
    bench.ok("edit mine.tabia --script prune.txt --color white -o pruned.tabia");
    assert_eq!(unreachable("pruned.tabia --color white"), 0);
    bench.ok("edit mine.tabia --script prune.txt -o pruned2.tabia");
    assert_eq!(unreachable("pruned2.tabia"), 0);
    let black = "edit mine.tabia --script prune.txt --color black -o pruned3.tabia";
    bench.assert_fails(black, 1, ["nothing to prune"]);
    for threads in [1, 3] {
        let text = bench.ok(&format!("check mine.tabia --color white -j {threads}"));
        assert_eq!(text, bench.ok("check mine.tabia --color white"));
    }
}

/// In a book of own games a move that was tried once is no line of the repertoire, and what comes after a
/// move comes up as often as it is played.
#[test]
fn own_moves_weigh_by_their_share() {
    let bench = Workbench::new();
    bench.write(
        "mine.pgn",
        &(games("1. d4 d5 2. c4", "1-0", 72) + &games("1. e4 e5", "1-0", 24) + &games("1. f4 d5", "0-1", 4)),
    );
    let replies = games("1. d4 Nf6", "1-0", 1) + &games("1. d4 f5", "1-0", 1) + &games("1. f4 e6", "1-0", 98);
    bench.write("all.pgn", &(replies + &games("1. e4 c5", "1-0", 98) + &games("1. d4 d5", "1-0", 98)));
    bench.ok("build mine.pgn -o mine.tabia --color white");
    bench.ok("count all.pgn -o all.table");
    let asked = "check mine.tabia --against all.table --min-share 0.01 --only holes --fail weights";
    let text = bench.ok(asked);
    let expected = "holes: 3\n  1. e4: no answer to c5 (played 100.0 % of the time, 98 games; the line comes up 24.00 % of the time)\n  1. d4:\n    \
        no answer to f5 (played 1.0 % of the time, 1 game; the line comes up 0.72 % of the time)\n    \
        no answer to Nf6 (played 1.0 % of the time, 1 game; the line comes up 0.72 % of the time)\n";
    assert!(text.contains(expected), "{text}");
    let found = checked(&bench, &format!("{} --own-share 0", &asked[6..]));
    let holes = report(&found, "holes");
    assert_eq!((&holes["found"], &holes["findings"][1]["line"]), (&4.into(), &"1. f4".into()), "{holes}");
    // Only the commonest one is followed.
    let found = checked(&bench, &format!("{} --own-share 0.9", &asked[6..]));
    assert_eq!(report(&found, "holes")["found"], 2);
    bench.assert_fails("check mine.tabia --own-share 1.1", 2, ["--own-share: must be from 0 to 1"]);
}

/// A move that is banned is no move of the repertoire: it is no choice, no line ends behind it, and what the
/// opponent plays there needs no answer. What only it leads to stays reached.
#[test]
fn banned_moves_are_not_played() {
    let bench = Workbench::new();
    let lines = games("1. e4 e5 2. Nf3", "1-0", 5) + &games("1. e4 e5 2. Bc4", "0-1", 5);
    bench.write("mine.pgn", &(lines + &games("1. d4 d5 2. c4", "1-0", 5)));
    bench.write("all.pgn", &(games("1. d4 Nf6", "1-0", 9) + &games("1. e4 e5", "1-0", 9)));
    bench.ok("build mine.pgn -o mine.tabia --color white");
    bench.ok("count all.pgn -o all.table");
    let found = checked(&bench, "mine.tabia --against all.table");
    let numbers = |found: &Value| {
        ["holes", "choices", "worse", "dead-ends"].map(|kind| report(found, kind)["found"].as_u64().unwrap())
    };
    assert_eq!(numbers(&found), [1, 2, 2, 3], "{found}");
    for ban in ["forbid d4", "mark d4: ?", "mark d4: ??"] {
        bench.write("ban.edits", ban);
        bench.ok("edit mine.tabia --script ban.edits -o banned.tabia --force");
        let banned = checked(&bench, "banned.tabia --against all.table");
        assert_eq!(numbers(&banned), [0, 1, 1, 2], "{ban}: {banned}");
        assert_eq!(
            (&banned["reached"], report(&banned, "unreachable")),
            (&found["reached"], report(&found, "unreachable"))
        );
    }
    bench.write("both.edits", "forbid e4 e5 Nf3\nforbid e4 e5 Bc4\n");
    bench.ok("edit mine.tabia --script both.edits -o none.tabia");
    let none = checked(&bench, "none.tabia --against all.table");
    assert_eq!(numbers(&none), [2, 1, 1, 2], "without a move there is no answer to 1…e5: {none}");
}

#[test]
fn the_exit_code_tells_findings_of_the_kinds_asked_for() {
    let bench = repertoire();
    bench.ok("check mine.tabia --color white");
    let asked = "check mine.tabia --color white --against all.table";
    let error = bench.fails(&format!("{asked} --only holes"), 1);
    assert_eq!(error, "tabia: the check failed: holes 1\n");
    bench.ok(&format!("{asked} --only holes --min-games 50"));
    bench.ok(&format!("{asked} --only holes,choices --fail weights"));
    let error = bench.fails(&format!("{asked} --fail choices,worse,weights"), 1);
    assert_eq!(error, "tabia: the check failed: choices 1, worse 1\n");
}

#[test]
fn text_says_what_was_not_checked_and_what_is_more() {
    let bench = repertoire();
    bench.ok("compact all.table -o white.tabia --color white");
    let text = bench.ok("check white.tabia");
    assert!(text.starts_with("white.tabia: the repertoire of white, "), "{text}");
    assert!(text.contains("holes: not checked: the book has no moves of the opponent"), "{text}");
    let text = bench.ok("check mine.tabia --color white --against white.tabia");
    assert!(text.contains("holes: not checked: the book named by --against has no moves of the opponent"));
    let text = bench.ok("check mine.tabia --only choices --fail weights");
    assert!(text.contains("choices: not checked: name the side of the repertoire\n"), "{text}");
    bench.assert_prints("check mine.tabia --color white --limit 1", ["  … and 1 more (--limit)\n"]);
    // A key says nothing to a reader who did not ask for it.
    bench.ok("build SAMPLE -o few.tabia --min-games 5 --color white");
    let text = bench.ok("check few.tabia --limit 1");
    let last = text.lines().find(|line| line.starts_with("unreachable: ")).unwrap();
    assert!(
        last.ends_with(" (--only unreachable lists their keys)") && !text.contains(": no line from"),
        "{text}"
    );
    let text = bench.ok("check few.tabia --only unreachable --fail weights --limit 1");
    assert!(text.contains(": no line from the start position or a root leads there\n"), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    let bench = repertoire();
    for (arguments, code, expected) in [
        ("all.table", 2, "is not a book to play from; `tabia compact TABLE -o BOOK` makes one from a table"),
        ("mine.tabia --only hole", 2, "expected one of holes, choices"),
        ("mine.tabia --min-share 2", 2, "--min-share: must be from 0 to 1"),
        ("nothing.tabia", 1, "no such file"),
        ("mine.tabia --against mine.pgn", 1, "mine.pgn"),
    ] {
        bench.assert_fails(&format!("check {arguments}"), code, [expected]);
    }
}
