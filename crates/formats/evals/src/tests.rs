use position::{Key, PackedMove, Score, push_epd};
use proptest::prelude::*;
use shakmaty::{Chess, Position as _, fen::Fen};

use super::*;

/// A line of Lichess's database as it was published, with Black to move: the best line comes first.
const BLACK_TO_MOVE: &str = r#"{"fen":"7r/1p3k2/p1bPR3/5p2/2B2P1p/8/PP4P1/3K4 b - -","evals":[{"pvs":[{"cp":48,"line":"f7g7 e6e2 h8d8 e2d2"}],"knodes":644403,"depth":55},{"pvs":[{"cp":69,"line":"f7g7 e6e2"},{"cp":163,"line":"h8d8 d1e1"},{"cp":229,"line":"h8a8 d1e1"}],"knodes":4189972,"depth":46}]}"#;

type Found = (Key, Vec<(PackedMove, Evaluation)>);

fn read(line: &str) -> std::result::Result<Found, (EvalReason, String)> {
    read_as(line, &ListFormat::of(line.as_bytes()).unwrap())
}

fn read_as(line: &str, form: &ListFormat) -> std::result::Result<Found, (EvalReason, String)> {
    let mut reader = LineReader::default();
    let key =
        reader.read(line.as_bytes(), form).map_err(|(why, text)| (why, text.escape_ascii().to_string()))?;
    Ok((key.unwrap(), reader.found().to_vec()))
}

#[test]
fn values_are_turned_to_the_movers_view_and_the_deeper_counts() {
    let (_, found) = read(BLACK_TO_MOVE).unwrap();
    let values: Vec<_> =
        found.iter().map(|(mv, it)| (mv.to_string(), it.score, it.depth, it.nodes)).collect();
    let cp = |text: &str, cp, depth, knodes: u64| (text.to_owned(), Score::Cp(cp), depth, knodes * 1000);
    let expected = [
        cp("--", -48, 55, 644_403),
        cp("f7g7", -48, 55, 644_403),
        cp("h8d8", -163, 46, 4_189_972),
        cp("h8a8", -229, 46, 4_189_972),
    ];
    assert_eq!(values, expected);
}

#[test]
fn an_obvious_winner_has_a_high_value() {
    let line = |side| {
        format!(
            r#"{{ "fen" : "3qk3/8/8/8/8/8/8/4K3 {side} - -", "evals": [ {{"depth":9, "knodes":1, "pvs":[{{"line":"e{rank}e{rank_on}","cp":-900}}]}} ] }}"#,
            rank = if side == "w" { 1 } else { 8 },
            rank_on = if side == "w" { 2 } else { 7 },
        )
    };
    // Black is a queen up, so the list has -900, from White's view, in both positions.
    assert_eq!(read(&line("w")).unwrap().1[0].1.score, Score::Cp(-900));
    assert_eq!(read(&line("b")).unwrap().1[0].1.score, Score::Cp(900));
}

#[test]
fn keys_and_castling_are_polyglots() {
    let line = |fen: &str, mv: &str| {
        format!(
            r#"{{"fen":"{fen}","evals":[{{"pvs":[{{"cp":1,"line":"{mv} e8g8"}}],"knodes":0,"depth":1}}]}}"#
        )
    };
    let (key, _) = read(&line("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "e2e4")).unwrap();
    assert_eq!(key, Key::START);
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    let moves = ["e1g1", "e1h1"].map(|mv| read(&line(castling, mv)).unwrap().1[1].0.to_string());
    assert_eq!(moves, ["e1h1", "e1h1"]);
    // A rook on e1 does not castle.
    assert_eq!(
        read(&line("3k4/8/8/8/8/8/8/4R1K1 w - -", "e1g1")),
        Err((EvalReason::IllegalMove, "e1g1".into()))
    );
    // The square behind a pawn counts only if a pawn may take it.
    let keys = ["-", "e3"]
        .map(|square| read(&line(&format!("4k3/8/8/8/4P3/8/8/4K3 b - {square}"), "e8e7")).unwrap().0);
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn what_is_not_known_is_rejected() {
    use EvalReason::{
        BadNumber, BadPosition, BadText, IllegalMove, MissingField, NoEvaluation, UnknownField,
    };
    let good = r#"{"fen":"4k3/8/8/8/8/8/8/4K3 w - -","evals":[{"pvs":[{"cp":1,"line":"e1e2"}],"knodes":0,"depth":1}]}"#;
    drop(read(good).unwrap());
    for (from, to, why, text) in [
        ("\"cp\":1", "\"cp\":1.5", BadNumber, "1.5"),
        ("\"cp\":1", "\"cp\":-1000001", BadNumber, "-1000001"),
        ("\"cp\":1", "\"mate\":0", BadNumber, "0"),
        ("\"cp\":1", "\"cp\":1,\"mate\":2", MissingField, "mate"),
        ("\"cp\":1,", "", MissingField, "cp"),
        ("\"cp\":1", "\"cp\":1,\"wdl\":3", UnknownField, "wdl"),
        ("\"knodes\":0,", "", MissingField, "knodes"),
        ("\"knodes\":0", "\"knodes\":-1", BadNumber, "-1"),
        ("\"depth\":1", "\"depth\":65536", BadNumber, "65536"),
        ("e1e2", "e1e3", IllegalMove, "e1e3"),
        ("e1e2", "", IllegalMove, ""),
        ("e1e2", "Ke2", IllegalMove, "Ke2"),
        ("4K3", "4KK2", BadPosition, "4k3/8/8/8/8/8/8/4KK2 w - -"),
        ("[{\"cp\":1,\"line\":\"e1e2\"}]", "[]", NoEvaluation, "pvs"),
        ("}]}", "}]}}", BadText, "}"),
        ("}]}", "}]", BadText, ""),
        ("e1e2", "e1e2\\u0020", BadText, "e1e2\\\\u0020\\\"}],\\\"knodes\\\":0,\\\"depth\\\":1}]}"),
    ] {
        let broken = good.replacen(from, to, 1);
        assert_eq!(read(&broken), Err((why, text.to_owned())), "{broken}");
    }
}

proptest! {
    /// A FEN in its usual form, and one that differs from it in one byte.
    #[test]
    fn prop_a_usual_fen_is_read_as_by_the_library(
        choices in prop::collection::vec(0usize..200, 0..80), at in any::<prop::sample::Index>(), byte in b' '..b'{',
    ) {
        let mut position = Chess::default();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() { break; }
            position.play_unchecked(moves[choice % moves.len()]);
        }
        let mut text = String::new();
        push_epd(&position, &mut text);
        let mut text = text.into_bytes();
        prop_assert_eq!(fen::usual(&text), Some(Fen::from_ascii(&text).unwrap().into_setup()));
        let at = at.index(text.len());
        text[at] = byte;
        if let Some(setup) = fen::usual(&text) {
            prop_assert_eq!(Some(setup), Fen::from_ascii(&text).ok().map(Fen::into_setup));
        }
    }
}

#[test]
fn a_line_of_moves_is_the_same_in_any_order_of_its_fields() {
    let line = |pv: &str| {
        let search = format!(r#"{{"pvs":[{pv}],"knodes":0,"depth":1}}"#);
        read(&format!(r#"{{"fen":"4k3/P7/8/8/8/8/8/4K3 w - -","evals":[{search}]}}"#))
    };
    for (cp, moves) in [("-5", "e1e2"), ("7", "a7a8q e8e7"), ("0", "a7a8q")] {
        let usual = line(&format!(r#"{{"cp":{cp},"line":"{moves}"}}"#)).unwrap();
        assert_eq!(usual, line(&format!(r#"{{"line":"{moves}","cp":{cp}}}"#)).unwrap());
    }
    for (cp, moves) in
        [("1", "e1e2q"), ("1", "e1e2 \\"), ("1", "a7a8"), ("1", "a7a8qq"), ("1", ""), ("1x", "e1e2")]
    {
        let usual = line(&format!(r#"{{"cp":{cp},"line":"{moves}"}}"#)).unwrap_err().0;
        assert_eq!(usual, line(&format!(r#"{{"line":"{moves}","cp":{cp}}}"#)).unwrap_err().0, "{cp} {moves}");
    }
}

/// The moves of what was found with their values, depth and nodes.
fn rows(found: &Found) -> Vec<(String, Score, u16, u64)> {
    found.1.iter().map(|(mv, it)| (mv.to_string(), it.score, it.depth, it.nodes)).collect()
}

#[test]
fn epd_has_the_movers_view_and_any_other_operation() {
    let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - ce -31; acd 22; acn 1500; pm c5; id \"a; b\";";
    let row = |mv: &str, score, depth, nodes| (mv.to_owned(), score, depth, nodes);
    let expected = vec![row("--", Score::Cp(-31), 22, 1500), row("c7c5", Score::Cp(-31), 22, 1500)];
    assert_eq!(rows(&read(line).unwrap()), expected);
    let mate = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 bm O-O; dm -3; ce 5";
    let expected = vec![row("--", Score::Mate(-3), 0, 0), row("e1h1", Score::Mate(-3), 0, 0)];
    assert_eq!(rows(&read(mate).unwrap()), expected);
    let several = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O Kd1; ce 5;";
    assert_eq!(rows(&read(several).unwrap()).len(), 1, "a value is of one move");
    for (operations, why) in [
        ("acd 5;", EvalReason::NoEvaluation),
        ("ce 1.5;", EvalReason::BadNumber),
        ("ce 3; bm Ke3;", EvalReason::IllegalMove),
    ] {
        assert_eq!(
            read(&format!("4k3/8/8/8/8/8/8/4K3 w - - {operations}")).unwrap_err().0,
            why,
            "{operations}"
        );
    }
}

#[test]
fn values_of_the_cloud_database_are_read_as_cdbdirect_prints_them() {
    let row = |score| vec![("--".to_owned(), score, 0, 0)];
    for (printed, score) in [
        ("cdb eval: 96, ply: 7;", Score::Cp(96)),
        ("cdb eval: -139;", Score::Cp(-139)),
        ("cdb eval: M7, ply: 3;", Score::Mate(4)),
        ("cdb eval: -M8;", Score::Mate(-4)),
    ] {
        let line = format!("4k3/8/8/8/8/8/8/4K3 w - - 0 1 ; {printed}");
        assert_eq!(rows(&read(&line).unwrap()), row(score), "{printed}");
    }
    let wrong = read("4k3/8/8/8/8/8/8/4K3 w - - ; cdb eval: M0;").unwrap_err();
    assert_eq!(wrong.0, EvalReason::BadNumber);
}

#[test]
fn columns_are_found_by_their_names() {
    let form = ListFormat::of(b"\xEF\xBB\xBFDepth, fen ,cp,uci,mate,nodes\r\n").unwrap();
    let at = |line: &str| read_as(line, &form);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let found = at(&format!("30,\"{start}\",25,e2e4,,7")).unwrap();
    assert_eq!((found.0, rows(&found)), (Key::START, vec![("e2e4".to_owned(), Score::Cp(25), 30, 7)]));
    let found = at(&format!("30,{start},,,-2,")).unwrap();
    assert_eq!(rows(&found), vec![("--".to_owned(), Score::Mate(-2), 30, 0)]);
    for (line, why) in [
        (format!("30,{start},25,e2e5,,7"), EvalReason::IllegalMove),
        (format!("30,{start},25,e2e4,1,7"), EvalReason::MissingField),
        (format!(",{start},25,e2e4,,7"), EvalReason::MissingField),
        (format!("30,{start},25,e2e4"), EvalReason::BadText),
    ] {
        assert_eq!(at(&line).unwrap_err().0, why, "{line}");
    }
    let by_key = ListFormat::of(b"key,uci,cp,depth").unwrap();
    let found = read_as("463b96181691fc9c,e1h1,3,4", &by_key).unwrap();
    assert_eq!((found.0, found.1[0].0.to_string()), (Key::START, "e1h1".to_owned()));
    let mut reader = LineReader::default();
    assert_eq!(reader.read(b"key,uci,cp,depth", &by_key), Ok(None), "lists that were put together");
}

#[test]
fn what_is_no_list_says_why() {
    for (text, why) in [
        ("[Event \"a\"]\n", "it begins with `[Event \"a\"]`"),
        ("", "it begins with ``"),
        ("fen,uci,cp\n", "no column `depth`"),
        ("fen,uci,depth\n", "no column `cp` or `mate`"),
        ("uci,cp,depth\n", "no column `fen` or `epd` or `key`"),
        ("fen,cp,depth,wdl\n", "column `wdl` is not known"),
        ("fen,cp,depth,CP\n", "two columns named `cp`"),
    ] {
        let said = ListFormat::of(text.as_bytes()).unwrap_err();
        assert!(said.contains(why), "{text:?}: {said}");
    }
}
