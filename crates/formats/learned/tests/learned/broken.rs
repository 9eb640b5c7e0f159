//! Broken records are read where their meaning is plain, rejected otherwise, and never affect the record
//! after them.

use crate::reading::items;

const GOOD: &str = "[White \"a\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.09.01\"]\n e4 e5 {-135 5 0}\n";
const GOOD_ITEM: &str = "a-Crafty 15.17 Some(19980901) e2e4 e7e5 {-135 5 0}";

/// The items read from a text between two good records.
#[track_caller]
fn between(text: &str) -> Vec<String> {
    let mut items = items(format!("{GOOD}{text}{GOOD}").as_bytes());
    let last = items.pop().unwrap();
    assert_eq!((items[0].as_str(), last.as_str()), (GOOD_ITEM, GOOD_ITEM), "{text}");
    items.split_off(1)
}

fn record(moves: &str) -> String {
    format!("[White \"w\"]\n[Black \"b\"]\n[Date \"1998.09.02\"]\n{moves}\n")
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    assert_eq!(between(text), [expected], "{text}");
}

#[test]
fn what_is_plain_is_read() {
    const PLAIN: &str = "w-b Some(19980902) e2e4 e7e5 g1f3 {1 2 3}";
    for moves in [
        " e4 e5 Nf3 {1 2 3}",
        " 1. e4 e5 2. Nf3 {1 2 3}",
        " 1.e4 e5 2.Nf3 {1 2 3}",
        "\te4\n\n\n e5\r\n  Nf3\n {1 2 3}\n\n",
        "e4 e5 Nf3{1 2 3}",
        " e2e4 e7e5 g1f3 {1 2 3}",
        " e2-e4 e7-e5 Ng1-f3 {1 2 3}",
        " e4! e5?! Nf3 $1 {1 2 3}",
        " e4 e5 Nf3 {  +1\t2 \n 3  }",
        " e4 e5 Nf3 {1 2 3",
        " e4 e5 Nf3 {1,2;3}",
        " e4 e5 Nf3 1-0 {1 2 3}",
        " e4 e5 Nf3 {1 2 3} \n\u{1a}",
    ] {
        reads_as(&record(moves), PLAIN);
        reads_as(&record(moves).replace('\n', "\r\n"), PLAIN);
        reads_as(&record(moves).replace("\n[", "\n\n \n["), PLAIN);
    }
}

#[test]
fn coordinates_are_moves_of_any_piece() {
    reads_as(
        &record(" e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1g1 e8c8 {1 2 3}"),
        "w-b Some(19980902) e2e4 d7d5 e4d5 d8d5 g1f3 c8g4 f1e2 b8c6 e1h1 e8a8 {1 2 3}",
    );
    reads_as(
        &record(" a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8n {1 2 3}"),
        "w-b Some(19980902) a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 b8c6 b7a8n {1 2 3}",
    );
    reads_as(&record(" e2e4 e7e5 e1g1 {1 2 3}"), "REJECTED illegal-move Some(3) e1g1");
}

#[test]
fn tags_may_be_many_or_few() {
    let moves = " d4 {1 2 3}\n";
    let date = "[Date \"1998.09.02\"]\n";
    reads_as(&format!("[Event \"x\"]\n{}", record(moves)), "w-b Some(19980902) d2d4 {1 2 3}");
    reads_as(
        &format!("{date}[Black \"b\"]\n[X \"\"]\n[White \"w\"]\n{moves}"),
        "w-b Some(19980902) d2d4 {1 2 3}",
    );
    reads_as(&format!("[White \"w\"] [Black \"b\"] {date}{moves}"), "w-b Some(19980902) d2d4 {1 2 3}");
    reads_as(&format!("[White \"w\"]\n{moves}"), "w- None d2d4 {1 2 3}");
    reads_as(&format!("[White \"w\"]\n[Black \"b\"]\n[Date x]\n{moves}"), "w-b None d2d4 {1 2 3}");
    reads_as(&record(moves).replace("[Date", "[Event no end\n[Date"), "w-b Some(19980902) d2d4 {1 2 3}");
    reads_as(&record(moves).replace("\"w\"", "w"), "REJECTED invalid-tags None [White w]");
    let long = "n".repeat(500);
    reads_as(
        &record(moves).replace("\"w\"", &format!("\"{long}\"")),
        &format!("{long}-b Some(19980902) d2d4 {{1 2 3}}"),
    );
}

#[test]
fn names_are_as_crafty_writes_them() {
    let moves = " d4 {1 2 3}\n";
    let named = |name: &str| record(moves).replace("\"w\"", &format!("\"{name}\""));
    reads_as(&named("the \"Big\" One"), "the \"Big\" One-b Some(19980902) d2d4 {1 2 3}");
    reads_as(&named("back\\\\slash"), "back\\\\slash-b Some(19980902) d2d4 {1 2 3}");
    reads_as(&named("[White \"x\" {"), "[White \"x\" {-b Some(19980902) d2d4 {1 2 3}");
}

#[test]
fn dates_that_make_no_sense_are_unknown() {
    let moves = " d4 {1 2 3}\n";
    for date in
        ["1848660.02.13", "1998.02.30", "1900.01.01", "19100.01.01", "????.??.??", "1998.09.??", "", "x"]
    {
        reads_as(&record(moves).replace("1998.09.02", date), "w-b None d2d4 {1 2 3}");
    }
}

#[test]
fn moves_that_fail_reject_the_record() {
    for (moves, expected) in [
        (" e4 e5 Qh4 {1 2 3}", "illegal-move Some(3) Qh4"),
        (" e4 e5 null Nf3 {1 2 3}", "illegal-move Some(3) null"),
        (" Nf3 a6 Nd4 a5 Nc3 a4 Nb5 {1 2 3}", "ambiguous-move Some(7) Nb5"),
        (" e4 e5 -1.35 {1 2 3}", "bad-token None -1.35"),
        (" e4 e5 Zz9 Qh4 {1 2 3}", "bad-token None Zz9"),
        (" e4 e5 135 5 0}", "bad-token None }"),
        (" {1 2 3}", "no-moves None [White \"w\"]"),
        (" \u{1}\u{2}?x {1 2 3}", "no-moves None [White \"w\"]"),
        ("", "no-moves None [White \"w\"]"),
    ] {
        reads_as(&record(moves), &format!("REJECTED {expected}"));
    }
}

#[test]
fn numbers_that_fail_reject_the_record() {
    for (moves, expected) in [
        (" e4 e5", "[White \"w\"]"),
        (" e4 e5 {1 2}", "{1 2}"),
        (" e4 e5 {1 2 3 4}", "{1 2 3 4}"),
        (" e4 e5 {1 2 x}", "{1 2 x}"),
        (" e4 e5 {1.5 2 3}", "{1.5 2 3}"),
        (" e4 e5 {2147483648 2 3}", "{2147483648 2 3}"),
        (" e4 e5 {}", "{}"),
        (" e4 e5 {Here White errs}", "{Here White errs}"),
    ] {
        reads_as(&record(moves), &format!("REJECTED bad-numbers None {expected}"));
    }
}

#[test]
fn lost_moves_do_not_join_two_records() {
    let headers = "[White \"w\"]\n[Black \"b\"]\n";
    let lost = "REJECTED no-moves None [White \"w\"]";
    assert_eq!(between(headers), [lost]);
    assert_eq!(between(&headers.repeat(3)), [lost; 3]);
    assert_eq!(between("[White \"w\"]\n"), [lost]);
}

#[test]
fn text_after_a_record_is_listed_and_the_record_counts() {
    let plain = "w-b Some(19980902) d2d4 {1 2 3}";
    assert_eq!(between(&record(" d4 {1 2 3} d5 {4 5 6}")), [plain, "REJECTED stray-text None d5 {4 5 6}"]);
    assert_eq!(
        between(&record(" d4 {1 2 3}\n\n thanks, Bob")),
        [plain, "REJECTED stray-text None thanks, Bob"]
    );
    assert_eq!(between(&record(" d4 {1 2 3}\nposition")), [plain], "files may follow one another");
    for result in ["1-0", "0-1", "1/2-1/2", "*"] {
        assert_eq!(between(&record(&format!(" d4 {{1 2 3}} {result}\n"))), [plain], "{result} is no record");
    }
    let after = between(&record(" d4 {1 2 3} 1-0 thanks"));
    assert_eq!(after, [plain, "REJECTED stray-text None thanks"]);
    assert_eq!(between(&record(" d4 {1 2 3} 1-0x")), [plain, "REJECTED stray-text None 1-0x"]);
}

#[test]
fn a_file_cut_anywhere_costs_one_record_at_most() {
    let text = format!("{GOOD}{GOOD}{GOOD}");
    for end in 0..text.len() {
        let cut = &text[..end];
        let items = items(cut.as_bytes());
        let whole = cut.matches("0}").count();
        assert!(items[..whole].iter().all(|item| item == GOOD_ITEM), "{cut}");
        let rest = &items[whole..];
        assert!(rest.len() <= 1 && rest.iter().all(|item| item.starts_with("REJECTED")), "{cut}: {rest:?}");
        assert_eq!(rest.is_empty(), cut.is_empty() || cut.trim_end().ends_with("0}"), "{cut}");
    }
}

#[test]
fn text_before_all_records_is_an_item() {
    let begins = |text: &str| items(format!("{text}{GOOD}").as_bytes());
    assert_eq!(begins("From: a\nTo: b\n\n"), ["REJECTED fragment None From: a", GOOD_ITEM]);
    assert_eq!(begins(" e5 Nf3 {1 2 3}\n"), ["REJECTED fragment None e5 Nf3 {1 2 3}", GOOD_ITEM]);
    assert_eq!(
        begins(" e5 {1 2 3}\n d4 d5 {4 5 6} \n\nBob\n"),
        [
            "REJECTED fragment None e5 {1 2 3}",
            "REJECTED fragment None d4 d5 {4 5 6}",
            "REJECTED fragment None Bob",
            GOOD_ITEM
        ],
        "each is a record without tags"
    );
    assert_eq!(begins("\u{feff}\n% made by hand\n\n"), [GOOD_ITEM]);
    assert_eq!(begins("position\n"), [GOOD_ITEM], "a record is known by its moves");
    let epd = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 10; ce 21; pm e4;\n";
    let expected =
        "REJECTED epd None rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 10; ce 21; pm e4;";
    assert_eq!(begins(&epd.repeat(3)), [expected, GOOD_ITEM]);
    assert_eq!(items(epd.as_bytes()), [expected]);
    assert_eq!(items(b""), [""; 0]);
}

#[test]
fn games_are_no_records() {
    assert_eq!(
        items(b"[Event \"x\"]\n[White \"a\"]\n[Black \"b\"]\n\n1. e4 e5 1-0\n\n[Event \"y\"]\n\n1. d4 {good} 1-0\n"),
        ["REJECTED bad-numbers None [Event \"x\"]", "REJECTED bad-numbers None {good} 1-0"]
    );
}

#[test]
fn a_record_beyond_a_mebibyte_is_none() {
    let long = record(&" Nf3 Nf6 Ng1 Ng8".repeat(80_000));
    assert_eq!(between(&long), ["REJECTED too-long None [White \"w\"]"]);
}

#[test]
fn positions_are_recognised_by_their_line() {
    let entry = |board: &str, numbers: &str| {
        format!(
            "[White \"w\"]\n[Black \"Crafty 19.17\"]\n[Date \"2004.10.16\"]\nsetboard {board}\n{numbers}\n"
        )
    };
    let board = "rnbqkbnr/pppppppp///4P//PPPP1PPP/RNBQKBNR/ b KQkq";
    let expected = "w-Crafty 19.17 Some(20041016) 823c9b50fd114196 {-34 6387 600}";
    reads_as(&entry(board, "{-34 6387 600}"), expected);
    reads_as(&entry(board, "{-34 6387 600}").replace('\n', "\r\n\r\n"), expected);
    reads_as(&entry(board, "{-34 6387}"), "REJECTED bad-numbers None {-34 6387}");
    reads_as(&entry(board, ""), "REJECTED bad-numbers None [White \"w\"]");
    reads_as(
        &entry("rnbqkbnr/pppppppp///4P//PPPP1PPP/ b KQkq", "{1 2 3}"),
        "REJECTED bad-position None setboard rnbqkbnr/pppppppp///4P//PPPP1PPP/ b KQkq",
    );
    let exchanged = "[Black \"w\"]\n[White \"Crafty 19.17\"]\n[Date \"2004.10.16\"]\n";
    reads_as(&format!("{exchanged}setboard {board}\n{{-34 6387 600}}\n"), expected);
}
