//! Games in other spellings than PGN's: counted, told by kind, recorded in tables, refused with
//! `--strict-san`; and `--result-from`.

use serde_json::{Value, json};

use crate::workbench::{Workbench, game};

/// The same game: plain, in coordinates, and with other signs and gaps.
const PLAIN: &str = "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 Nf6 5. Be2 Bg4 6. O-O";
const COORDINATES: &str = "1. e2e4 d7d5 2. e4d5 d8d5 3. b1-c3 d5-a5 4. g1f3 g8f6 5. f1e2 c8g4 6. e1g1";
const SIGNS: &str = "1.e4 d52.e:d5 Q×d5 3.♘c3± ♛a5 4…♘f3 Nf6\u{a0}5.Be2 Bg4 6.O–O";

fn misspelt() -> String {
    // The number of a move says nothing, so that of the fourth may be that of a reply.
    [
        game(COORDINATES, "1-0"),
        format!("[Result \"1-0\"]\n\n{SIGNS}1–0\n\n"),
        game(PLAIN, "1-0").replace('x', ""),
    ]
    .concat()
}

#[test]
fn a_misspelled_game_counts_as_the_plain_one() {
    let bench = Workbench::with("odd.pgn", misspelt());
    bench.write("plain.pgn", game(PLAIN, "1-0").repeat(3));
    bench.ok("count plain.pgn -o plain.table");
    bench.assert_says(
        "count odd.pgn -o odd.table",
        ["3 games: 3 counted", "read leniently: 2 capture signs, 2 captures without x, 9 coordinates, 1 evaluation signs, 3 figurines"],
    );
    assert!(bench.part_bytes("odd.table") == bench.part_bytes("plain.table"));
    let summary = bench.json("count odd.pgn -o odd.table -j 2 --chunk-kib 1 --force");
    let kinds = json!({
        "coordinates": 9, "captures-without-x": 2, "capture-signs": 2, "figurines": 3, "evaluation-signs": 1,
        "typography": 4, "glued-results": 1, "glued-numbers": 1,
    });
    assert_eq!(summary["lenient"], kinds);
    assert_eq!(summary["inputs"][0]["lenient"], kinds);
    assert!(bench.json("count plain.pgn -o plain.table --force").get("lenient").is_none());
    let strict = bench.fails("count odd.pgn -o strict.table --strict-san", 1);
    assert!(strict.contains("illegal-move 2") && strict.contains("bad-token 1"), "{strict}");
}

#[test]
fn games_that_are_learned_exported_and_filtered_are_read_alike() {
    let bench = Workbench::with("odd.pgn", misspelt());
    bench.assert_says("export games odd.pgn -o games", ["3 games: 3 counted", "read leniently: "]);
    bench.assert_says("filter odd.pgn -o kept.pgn --rest rest.pgn", ["3 games: 3 counted"]);
    assert_eq!(bench.read("kept.pgn"), bench.read("odd.pgn"), "as they are written");
    bench.fails("filter odd.pgn -o strict.pgn --strict-san", 1);
    let own = misspelt().replace("[Result", "[Black \"Me\"]\n[Result");
    bench.write("own.pgn", format!("{own}{own}"));
    bench.ok("count own.pgn -o own.table");
    let learned = bench.json("learn games own.pgn --player Me --table own.table -o own.experience.parquet");
    assert_eq!((&learned["learning"]["records"], &learned["lenient"]["figurines"]), (&json!(6), &json!(6)));
    let annotated = "[Event \"a\"]\n[Result \"1-0\"]\n\n1.♘f3! {[%eval 0.3]} ♞f6± 2.d2d4 1-0\n";
    bench.write("marks.pgn", annotated);
    bench.ok("learn annotations marks.pgn -o marks.experience.parquet");
    let shown = bench.ok("experience show marks.experience.parquet");
    assert!(shown.contains("Nf3"), "{shown}");
}

#[test]
fn lines_of_repertoires_may_be_misspelled_in_their_variations() {
    let lines = |text: &str| {
        let bench = Workbench::with("r.pgn", format!("[Event \"r\"]\n\n{text} *\n"));
        bench.ok("count r.pgn --repertoire -o r.table");
        bench.part_bytes("r.table")
    };
    let plain = lines("1. e4 d5 (1... e5 2. Nf3 $1 (2. f4 exf4)) 2. exd5");
    assert!(lines("1. e2e4 d7d5 (1… e5 2.♘f3 $1 (2.f4 e5f4)) 2.ed5") == plain);
}

#[test]
fn copies_are_found_in_any_spelling() {
    let rest = " e6 7. d3 Be7 8. Bd2 O-O 9. a3 Nbd7 10. h3 Bh5 11. Re1 c6 12. Bf1 Rfe8 ";
    let mut games = misspelt() + &game(PLAIN, "1-0");
    for castling in ["6.O–O", "6. O-O", "6. e1g1"] {
        games = games.replace(castling, &format!("{castling}{rest}"));
    }
    let bench = Workbench::with("odd.pgn", games);
    let summary = bench.json("count odd.pgn -o odd.table --dedup-games exact");
    assert_eq!(
        (&summary["accepted"], &summary["copies"], &summary["rejected"]),
        (&json!(1), &json!(3), &json!({}))
    );
}

#[test]
fn tables_know_how_games_were_spelled_and_do_not_mix() {
    let bench = Workbench::with("g.pgn", game(PLAIN, "1-0"));
    bench.write("more.pgn", game(COORDINATES, "1-0"));
    bench.ok("count g.pgn -o lenient.table");
    bench.ok("count g.pgn -o strict.table --strict-san");
    bench.write("other.pgn", game("1. d4 d5", "0-1"));
    bench.ok("count other.pgn -o other.table --strict-san");
    let counting = |table: &str| {
        let manifest: Value = serde_json::from_str(&bench.text(&format!("{table}/_manifest.json"))).unwrap();
        manifest["counting"].clone()
    };
    assert_eq!(counting("lenient.table")["spelling"], "lenient");
    assert_eq!(counting("strict.table").get("spelling"), None);
    assert!(bench.part_bytes("lenient.table") == bench.part_bytes("strict.table"));
    bench.assert_fails("merge lenient.table strict.table -o m.table --force", 1, ["strict-san"]);
    bench.assert_fails("subtract lenient.table other.table", 1, ["strict-san"]);
    bench.assert_fails("add lenient.table other.table", 1, ["strict-san"]);
    // Games are added as the table's were counted.
    bench.assert_says("add lenient.table more.pgn", ["read leniently: "]);
    bench.assert_fails("add strict.table more.pgn", 1, ["illegal-move 1"]);
    bench.assert_prints("info strict.table", ["spelling", "strict"]);
}

#[test]
fn a_table_without_the_key_is_of_strict_reading() {
    let bench = Workbench::with("g.pgn", game(PLAIN, "1-0"));
    bench.ok("count g.pgn -o old.table --strict-san");
    bench.ok("count g.pgn -o new.table");
    assert!(!bench.text("old.table/_manifest.json").contains("spelling"));
    bench.ok("merge old.table old.table -o both.table --force");
    bench.assert_fails("merge old.table new.table -o m.table --force", 1, ["strict-san"]);
}

#[test]
fn tag_and_moves_that_differ_are_decided_by_one_of_them() {
    let bench = Workbench::with("g.pgn", "[Result \"1-0\"]\n\n1. e4 0-1\n\n[Result \"*\"]\n\n1. e4 0-1\n");
    bench.assert_fails("count g.pgn -o g.table", 1, ["result-mismatch 2"]);
    let by = |source: &str| {
        bench.ok(&format!("count g.pgn -o {source}.table --result-from {source}"));
        let moves = bench.probe(&format!("{source}.table"), "");
        crate::workbench::results(&moves["moves"][0])
    };
    assert_eq!(by("tag"), [1, 0, 0], "`*` is what the tag says");
    assert_eq!(by("moves"), [0, 0, 2]);
    bench.assert_fails("merge tag.table moves.table -o m.table --force", 1, ["result-from"]);
    bench.assert_prints("info moves.table", ["results from"]);
    bench.assert_fails("count g.pgn -o r.table --result-from half", 2, ["both, tag or moves"]);
}

#[test]
fn a_broken_tag_that_nothing_needs_is_a_warning() {
    let text = "[Event \"a\"]\n[Annotator \"Krush, I]\n[PlyCount \"57”]\n[Date \"2014.01]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    let bench = Workbench::with("g.pgn", text);
    bench.assert_says(
        "count g.pgn -o g.table",
        [
            "1 game: 1 counted",
            "warning: 3 tags that cannot be read were passed over, since nothing needs them",
        ],
    );
    assert_eq!(bench.json("count g.pgn -o g.table --force")["lenient"], json!({"broken-tags": 3}));
    bench.assert_fails("count g.pgn -o m.table --by month", 1, ["invalid-tags 1"]);
    bench.assert_fails("count g.pgn -o s.table --strict-san", 1, ["invalid-tags 1"]);
}

#[test]
fn a_nul_before_the_first_tag_is_a_byte_like_any_other() {
    let two = format!("\0[Event \"a\"]\n{}{}", game(PLAIN, "1-0"), game(PLAIN, "1-0"));
    let bench = Workbench::with("g.pgn", two);
    let summary = bench.json("count g.pgn -o g.table");
    assert_eq!((&summary["accepted"], &summary["rejected"]), (&json!(1), &json!({"fragment": 1})));
    bench.write("one.pgn", format!("\0[Event \"a\"]\n{}", game(PLAIN, "1-0")));
    bench.assert_fails("count one.pgn -o one.table", 1, ["fragment 1"]);
}

#[test]
fn starts_of_chess960_are_rejected_as_that() {
    let fen = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1";
    let bench = Workbench::with("g.pgn", format!("[FEN \"{fen}\"]\n{}", game("1. e4", "1-0")));
    bench.assert_fails("count g.pgn -o g.table --from-position", 1, ["variant 1"]);
    bench.assert_fails("count g.pgn -o g.table", 1, ["from-position 1"]);
}

#[test]
fn filter_takes_a_line_or_a_position() {
    let (sicilian, french) = (game("1. e4 c5 2. Nf3", "1-0"), game("1. e4 e6 2. d4", "0-1"));
    let bench = Workbench::with("g.pgn", format!("{sicilian}{french}"));
    let kept = |flag: &str, value: &str| {
        let mut command = bench.command("filter g.pgn -o kept.pgn --rest rest.pgn --force");
        command.args([flag, value]).assert().success();
        assert_eq!(bench.text("rest.pgn"), sicilian);
        bench.text("kept.pgn")
    };
    assert_eq!(kept("--line", "1. e4 e6"), french);
    assert_eq!(kept("--line", "e2e4 e7e6"), french);
    assert_eq!(kept("--fen", "rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"), french);
    let both = bench
        .command("filter g.pgn -o both.pgn --line e4")
        .args(["--fen", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 40"])
        .output()
        .unwrap();
    assert_eq!(both.status.code(), Some(2), "{both:?}");
}
