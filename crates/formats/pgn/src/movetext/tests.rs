use super::*;
use position::Outcome;
use shakmaty::{CastlingSide, san::San};

/// The tokens of `text` as words: moves as shakmaty writes them, results, `bad:…` and `unclosed:…` with their
/// text.
fn words(text: &str) -> Vec<String> {
    words_of(text.as_bytes())
}

fn words_of(text: &[u8]) -> Vec<String> {
    let mut movetext = Movetext::new(text, 0);
    let mut found = Vec::new();
    while let Some(token) = movetext.next() {
        let spelt = String::from_utf8_lossy(&text[movetext.span()]).into_owned();
        found.push(match token {
            Token::Move(san) => san.to_string(),
            Token::Result(Terminator::Known(outcome)) => outcome.to_string(),
            Token::Result(Terminator::Star) => "*".to_owned(),
            Token::Bad => format!("bad:{spelt}"),
            Token::UnclosedComment => format!("unclosed:{spelt}"),
        });
    }
    found
}

#[track_caller]
fn reads_as(text: &str, expected: &str) {
    assert_eq!(words(text).join(" "), expected, "{text}");
}

#[test]
fn moves_in_every_accepted_spelling() {
    for (text, san) in [
        ("e4", "e4"),
        ("Pe4", "e4"),
        ("e2e4", "e2e4"),
        ("e2-e4", "e2e4"),
        ("exd5", "exd5"),
        ("e4xd5", "e4xd5"),
        ("ed5", "ed5"),
        ("xd5", "xd5"),
        ("-d4", "d4"),
        ("Nf3", "Nf3"),
        ("N-f3", "Nf3"),
        ("Nbd2", "Nbd2"),
        ("N1d2", "N1d2"),
        ("Nb1d2", "Nb1d2"),
        ("Ng1-f3", "Ng1f3"),
        ("Nb1xd2", "Nb1xd2"),
        ("R1xa3", "R1xa3"),
        ("bc4", "bc4"),
        ("Bc4", "Bc4"),
        ("Qh4#", "Qh4"),
        ("Qh4++", "Qh4"),
        ("exd6e.p.", "exd6"),
        ("exd6ep", "exd6"),
        ("exd6 e.p.", "exd6"),
        ("exd6+ ep", "exd6"),
        ("O-O", "O-O"),
        ("0-0", "O-O"),
        ("o-o", "O-O"),
        ("O-O-O+", "O-O-O"),
        ("0-0-0#", "O-O-O"),
        ("O-0-o", "O-O-O"),
    ] {
        reads_as(text, san);
        reads_as(&format!("1.{text} "), san);
    }
}

#[test]
fn promotions_in_every_accepted_spelling() {
    for text in
        ["e8=Q", "e8/Q", "e8(Q)", "e8(=Q)", "e8Q", "e8q", "e8=q+", "e8(q)#", "e8Q+", "e7e8Q", "e7-e8=Q"]
    {
        let san = words(text).concat();
        assert!(san.ends_with("e8=Q"), "{text} read as {san}");
    }
    reads_as("a1=N", "a1=N");
    reads_as("bxa8b", "bxa8=B");
    reads_as("e4=Q", "e4=Q");
    reads_as("e4Q", "bad:e4Q");
    reads_as("e8=K", "e8 bad:K");
    reads_as("e8Qd1", "bad:e8Qd1");
    reads_as("e8=Qd1", "bad:e8=Qd1");
    reads_as("Ke8=Q", "Ke8 bad:Q");
    reads_as("e8 (Qd1)", "e8");
    reads_as("e8(Qd1)", "e8");
}

#[test]
fn numbers_need_no_blank() {
    reads_as("1.e4 e5 2.Nf3", "e4 e5 Nf3");
    reads_as("1e4 1...e5 12. .... Nf3", "e4 e5 Nf3");
    reads_as("1.O-O", "O-O");
    reads_as("10.0-0 11.0-0-0", "O-O O-O-O");
    reads_as("7.1-0", "1-0");
    reads_as("7.0-1", "0-1");
    reads_as("e4e5", "e4e5");
    reads_as("1.e4!e5?!", "e4 e5");
    reads_as("e4$1e5$22 $ 3", "e4 e5 bad:$");
    reads_as("Nf3!?{a}Nc6(b)Bb5", "Nf3 Nc6 Bb5");
}

#[test]
fn evaluations_are_annotations() {
    for glyph in ["+/-", "-/+", "+/=", "=/+", "+-", "-+", "+=", "=+", "=", "~"] {
        reads_as(&format!("Nf3 {glyph} d5 {glyph}"), "Nf3 d5");
        if !glyph.starts_with('-') {
            reads_as(&format!("Nf3{glyph} d5"), "Nf3 d5");
        }
        reads_as(&format!("Nf3 {glyph} 1-0 {glyph}"), "Nf3 1-0");
    }
    reads_as("Nf3+ +-", "Nf3");
    reads_as("Nf3++-", "Nf3");
    reads_as("Nf3 + d5", "Nf3 bad:+ d5");
    reads_as("Nf3-+ d5", "bad:Nf3-+ d5");
}

#[test]
fn results() {
    for (text, result) in [
        ("1-0", "1-0"),
        ("0-1", "0-1"),
        ("1/2-1/2", "1/2-1/2"),
        ("1/2", "1/2-1/2"),
        ("½-½", "1/2-1/2"),
        ("*", "*"),
    ] {
        reads_as(text, result);
        reads_as(&format!("e4{{}}{text} ; e5"), &format!("e4 {result}"));
    }
    reads_as("1-0-0", "bad:-0-0");
    reads_as("1/2-0", "bad:/2-0");
    reads_as("0-1:", "bad:-1:");
    reads_as("½", "bad:½");
}

#[test]
fn nothing_but_annotation_follows_the_result() {
    reads_as("1-0 { a } $1 !? ; b\n%c\n+-", "1-0");
    for (text, bad) in [
        ("e4", "e4"),
        ("1.", "1 bad:."),
        ("(e4)", "(e4)"),
        ("1-0", "1-0"),
        ("1/2", "1/2"),
        ("O-O", "O-O"),
        ("ep", "ep"),
        ("--", "--"),
        ("x", "x"),
    ] {
        reads_as(&format!("* {text}"), &format!("* bad:{bad}"));
    }
    reads_as("1-0 *", "1-0 bad:*");
}

#[test]
fn the_same_result_again_is_skipped() {
    reads_as("1-0 1-0", "1-0");
    reads_as("* {a} * 1-0 *", "* bad:1-0");
    reads_as("1/2-1/2 $1 1/2 ½-½ x", "1/2-1/2 bad:x");
}

#[test]
fn null_moves_and_drops_are_moves() {
    for text in ["--", "Z0", "null", "0000", "@@@@"] {
        reads_as(&format!("e4 {text} e5"), "e4 -- e5");
    }
    reads_as("N@f3 @e4 P@e5+", "N@f3 @e4 @e5");
    reads_as("K@e4 ---", "bad:K@e4 bad:---");
}

#[test]
fn comments_do_not_nest() {
    reads_as("e4 {a { b} e5 }", "e4 e5 bad:}");
    reads_as("e4 {; % ( [Event \"x\"]\n\n} e5", "e4 e5");
    reads_as("e4 ; { to the end\ne5", "e4 e5");
    reads_as("e4 {never closed e5", "e4 unclosed:{never closed e5");
    reads_as("e4 ; at the end of the text", "e4");
}

#[test]
fn percent_escapes_only_in_the_first_column() {
    reads_as("%e4\ne5\n%d4 {\r\nd5", "e5 d5");
    reads_as(" %e4\ne5", "bad:%e4 e5");
    reads_as("{a\n%b}\nc4", "c4");
}

#[test]
fn variations_nest() {
    reads_as("e4 (d4 (c4) {)} ; )\n%)\n d5) e5", "e4 e5");
    reads_as("e4 (1-0 nonsense @ ) e5", "e4 e5");
    reads_as("e4 (d4 (c4) e5", "e4 bad:(d4 (c4) e5");
    reads_as("e4 (d4 {c4) e5", "e4 unclosed:{c4) e5");
    reads_as("e4 ) e5", "e4 bad:) e5");
}

#[test]
fn deep_nesting_does_not_recurse() {
    let depth = 100_000;
    reads_as(&format!("e4 {} d4 {} e5", "(".repeat(depth), ")".repeat(depth)), "e4 e5");
}

#[test]
fn what_cannot_be_read_is_told() {
    for bad in
        ["Zf3", "e9", "Nf33", "N", "Sf3", "♘f3", "OO", "<D>", "[%clk", "e4_", "Nf3:", "x", "e.p", "O–O", "i4"]
    {
        reads_as(&format!("e4 {bad} e5"), &format!("e4 bad:{bad} e5"));
    }
    reads_as("Nf3,d5", "Nf3 bad:,d5");
    reads_as("Nf3:,d5}", "bad:Nf3:,d5 bad:}");
}

#[test]
fn a_stray_bracket_is_a_token_by_itself() {
    reads_as("e4)e5}d4", "e4 bad:) e5 bad:} d4");
    reads_as("e4 {a {b} c}*", "e4 bad:c bad:} *");
    reads_as("e4 {a}*", "e4 *");
    reads_as("e4 }1-0", "e4 bad:} 1-0");
    reads_as("e4 $*", "e4 bad:$ *");
    reads_as("e4 x*", "e4 bad:x*");
}

#[test]
fn bytes_of_other_encodings() {
    assert_eq!(words_of(b"e4 \xef\xbb\xbf e5\x1a\x0b\xbd"), ["e4", "e5", "bad:\u{fffd}"]);
    assert_eq!(words_of(b"e4 x\xef\xbb\xbfe5"), ["e4", "bad:x", "e5"], "a mark is a blank");
    assert_eq!(words_of(b"e4 {\xff} e5 \0"), ["e4", "e5", "bad:\0"]);
}

#[test]
fn lone_carriage_returns_end_lines_where_there_is_no_other() {
    reads_as("e4 ; one\re5\r%two\rd4", "e4 e5 d4");
    reads_as("e4 ; one\re5\n%two\rd4\nd5", "e4 d5");
}

#[test]
fn castling_is_whole() {
    assert_eq!(Movetext::new(b"0-0", 0).next(), Some(Token::Move(San::Castle(CastlingSide::KingSide))));
    assert_eq!(Movetext::new(b"0-1", 0).next(), Some(Token::Result(Terminator::Known(Outcome::Black))));
    reads_as("O-O-O-O O-Ox 0-01 O-O-", "bad:O-O-O-O bad:O-Ox bad:-01 bad:O-O-");
}
