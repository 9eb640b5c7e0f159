use super::*;
use crate::input::cutting::LineEnds;

fn starts(text: &str, ends: LineEnds) -> Vec<usize> {
    starts_by(text, Rule::games(ends))
}

fn starts_by(text: &str, rule: Rule) -> Vec<usize> {
    let text = text.as_bytes();
    let all = memchr_iter(b'[', text);
    all.filter_map(|at| start_at(text, at, rule)).map(|start| start.line).collect()
}

#[test]
fn event_starts_a_game_anywhere_at_the_start_of_a_line() {
    assert_eq!(
        starts("e4 { [Event \"a\"]\n[Event \"b\"]\n \t\u{1a}\u{feff}[Event \"c\"]", LineEnds::Lf),
        [17, 29]
    );
    assert_eq!(
        starts("x\n[Event  \"a\"]\n[Event\"a\"]\n[\tEvent\t\"a\"]\n e4 [Event \"a\"]", LineEnds::Lf),
        [2, 15, 26],
        "blanks around the name do not matter"
    );
    assert_eq!(starts("x\n[event \"a\"]\n[EventDate \"a\"]\n[Event x]", LineEnds::Lf), [0; 0]);
}

#[test]
fn an_event_that_completes_a_header_starts_no_game() {
    let lf = |text: &str| starts(text, LineEnds::Lf);
    assert_eq!(lf("[B \"b\"]\n[D \"d\"]\n[Event \"a\"]\n[W \"w\"]\n[Event \"b\"]"), [0, 36]);
    assert_eq!(lf("e4\n\n\t[B\"b\"] [C \"\"]\r\n% x\n[ Event \"a\"]\n\n*"), [4]);
    assert_eq!(starts("e4\r\n\r\n[B \"b\"]\r\n[Event \"a\"]\r[Event \"b\"]", LineEnds::Cr), [6, 27]);
    assert_eq!(lf("\n[B \"b\n[Event \"a\"]"), [1], "a tag that is not closed is one of the header, too");
    for other in
        ["1. e4", "[B \"b\"] 1. e4", "[A \"a\"] [Event \"a\"]", "[Event \"a\"]", "[Event \"a", "[B]", "[1]"]
    {
        let text = format!("\n[A \"a\"]\n{other}\n[Event \"b\"]");
        let event = text.len() - 11;
        assert!(lf(&text).contains(&event), "{other}");
    }
    assert_eq!(lf("e4\n[B \"b\"]\n[Event \"a\"]"), [11], "a header begins after a blank line");
}

#[test]
fn a_header_is_completed_near_its_beginning_only() {
    for (between, completes) in [(31, true), (32, false)] {
        let escaped = "x".repeat(99);
        let text = format!("%{escaped}\n[A \"\"]\n%{}\n[Event \"\"]", &escaped[..between]);
        let found = starts(&text, LineEnds::Lf);
        assert_eq!(text.rfind('[').map(|event| event - found[0]), Some(between + 9), "{text}");
        assert_eq!(found.len() == 1, completes, "{text}");
    }
}

#[test]
fn another_tag_starts_a_game_after_a_blank_line_or_none() {
    assert_eq!(starts("[White \"a\"]\n[Black \"b\"]\n\n[White \"c\"]", LineEnds::Lf), [0, 25]);
    assert_eq!(starts("1. e4\n \t\r\u{1a}\u{feff}\u{b}\u{c}\n[W_9\t\"c\"]", LineEnds::Lf), [16]);
    assert_eq!(starts("\u{feff}\n[White \"c\"]", LineEnds::Lf), [4]);
    assert_eq!(starts("\n[%clk 1]\n\n[9 \"\"]\n\n[White-\"\"]\n\n[White '']", LineEnds::Lf), [0; 0]);
    assert_eq!(starts("\n[White\"\"]\n\n[ \tWhite \"\"]\n\n[White\n\"\"]", LineEnds::Lf), [1, 12]);
}

#[test]
fn a_record_starts_at_tags_that_follow_none() {
    let records = |text: &str, ends| starts_by(text, Rule { ends, unit: Unit::Records });
    let lf = |text: &str| records(text, LineEnds::Lf);
    assert_eq!(lf("[W \"a\"]\n[B \"b\"]\n e4 {1 2 3}\n[W \"c\"]\n[Event \"d\"]\n e4"), [0, 28]);
    assert_eq!(
        lf("position\n[B \"a\"]\n\n \r\n% x\n[W \"b\"]\nsetboard"),
        [9],
        "blank and % lines do not matter"
    );
    assert_eq!(lf(" e4 [W \"a\"]\n \t\u{feff}[Event: x]\n[%eval 1]\n[Result 1-0"), [12, 38]);
    assert_eq!(lf("[W\n[B"), [0], "whatever comes after the name");
    assert_eq!(lf("[ W \"\"]\n[ B\"\"]\ne4\n[\tB\"\"]\n[ B]"), [0, 18]);
    assert_eq!(lf("[ W]\n[1]\n[\n["), [0; 0]);
    assert_eq!(records("[W a]\r[B b]\r\r e4\r[W c]\r\n[B d]", LineEnds::Cr), [0, 17]);
}

#[test]
fn escape_lines_are_transparent() {
    assert_eq!(starts("% one\n%[two]\n[White \"a\"]", LineEnds::Lf), [13]);
    assert_eq!(starts("e4\n% one\n[White \"a\"]", LineEnds::Lf), [0; 0]);
    assert_eq!(starts("e4\n\n% one\n%\n[White \"a\"]", LineEnds::Lf), [12]);
    assert_eq!(starts("e4\n\n % one\n[White \"a\"]", LineEnds::Lf), [0; 0]);
}

#[test]
fn a_carriage_return_ends_lines_only_where_there_is_no_line_feed() {
    assert_eq!(LineEnds::of(b"[White \"a\"]\r\r"), LineEnds::Cr);
    assert_eq!(LineEnds::of(b"a\rb\n"), LineEnds::Lf);
    assert_eq!(LineEnds::of(b""), LineEnds::Lf);
    assert_eq!(
        starts("[A \"\"]\r[B \"\"]\r\r[C \"\"]\r\n[D \"\"]\r\n\r\n[E \"\"]", LineEnds::Cr),
        [0, 15, 33]
    );
    assert_eq!(starts("[A \"\"]\r\r\n[B \"\"]\r\n\r\n[C \"\"]", LineEnds::Lf), [0, 19]);
}

#[test]
fn the_last_start_is_found_from_the_end() {
    let text = b"[A \"\"]\n\n[B \"\"]\n\n[C \"\"]\n[D";
    assert_eq!(last_start(text, 0, Rule::games(LineEnds::Lf)), Some(Start { line: 16, bracket: 16 }));
    assert_eq!(first_start(text, 1, Rule::games(LineEnds::Lf)), Some(Start { line: 8, bracket: 8 }));
    assert_eq!(first_start(text, 99, Rule::games(LineEnds::Lf)), None);
}

proptest::proptest! {
    #[test]
    fn prop_a_quick_look_finds_what_the_rule_says(
        pieces in proptest::collection::vec(0..9_usize, 0..12),
        ends in proptest::sample::select(&[LineEnds::Lf, LineEnds::Cr][..]),
        unit in proptest::sample::select(&[Unit::Games, Unit::Records][..]),
    ) {
        const PIECES: [&str; 9] = ["\n", "\n", "\r\n", "\r", "[Event \"a\"]", "[B \"b\"]", " ", "% x", "e4"];
        let text = pieces.iter().map(|&piece| PIECES[piece]).collect::<String>();
        let rule = Rule { ends, unit };
        for at in memchr_iter(b'[', text.as_bytes()) {
            proptest::prop_assert_eq!(start_at(text.as_bytes(), at, rule), any_start_at(text.as_bytes(), at, rule));
        }
    }
}
