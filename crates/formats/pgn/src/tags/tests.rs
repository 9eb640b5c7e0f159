use super::*;
use crate::simd::WINDOW_BYTES;

fn read(text: &str) -> (Vec<(String, String)>, Option<usize>, String) {
    let mut buffer = TagBuffer::default();
    let tags = buffer.read(text.as_bytes());
    let pairs =
        tags.iter().map(|(name, value)| (decode(name).into_owned(), value.text().into_owned())).collect();
    (pairs, tags.malformed_at, text[tags.movetext_at..].to_owned())
}

fn pairs(text: &str) -> Vec<(String, String)> {
    read(text).0
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[test]
fn one_a_line_and_several_a_line() {
    let (tags, malformed, movetext) = read("[Event \"A\"]\n[Site \"B\"] [X_1\t \"\" \t]  1. e4");
    assert_eq!(tags, [pair("Event", "A"), pair("Site", "B"), pair("X_1", "")]);
    assert_eq!((malformed, movetext.as_str()), (None, "1. e4"));
}

#[test]
fn blanks_around_the_name_do_not_matter() {
    let (tags, malformed, movetext) = read("[Event\"A\"]\n[ Site \"B\" ][\tX\t\t\"C\"]\n[  x]\ne4");
    assert_eq!(tags, [pair("Event", "A"), pair("Site", "B"), pair("X", "C")]);
    assert_eq!((malformed, movetext.as_str()), (Some(33), "e4"));
    let mut buffer = TagBuffer::default();
    let text = b" [A \"\"] [\t B\"\"]";
    assert_eq!(buffer.read(text).starts().map(|(at, _)| at).collect::<Vec<_>>(), [1, 8]);
}

#[test]
fn tags_past_the_bound_are_not_read() {
    let text = "[A\"\"]".repeat(TagBuffer::TAGS_MAX + 2);
    let mut buffer = TagBuffer::default();
    assert_eq!(buffer.read(text.as_bytes()).iter().count(), TagBuffer::TAGS_MAX);
    assert_eq!(TagBuffer::measure(text.as_bytes()).0, TagBuffer::TAGS_MAX + 1);
    assert_eq!(TagBuffer::measure(b"[A \"\"]\n[B\n[C \"\"]\n\ne4"), (2, 18));
}

#[test]
fn quotes_inside_values() {
    assert_eq!(pairs(r#"[A "the "best" game"]"#), [pair("A", r#"the "best" game"#)]);
    assert_eq!(pairs(r#"[A "the \"best\""]"#), [pair("A", r#"the "best""#)]);
    assert_eq!(pairs(r#"[A "c:\\"]"#), [pair("A", r"c:\")]);
    assert_eq!(pairs(r#"[A "x"] y" ]"#), [pair("A", "x")], "the first quote before a bracket closes");
    assert_eq!(pairs("[A \"x\\\"]\n[B \"y\"]"), [pair("B", "y")], "an escaped quote does not close");
}

#[test]
fn malformed_tags_cost_their_line() {
    for bad in ["[A x]", "[A \"x]", "[A]", "[A", "[A-B \"x\"]", "[A \"x\"", "[A\"", "[A \"x\" y"] {
        let text = format!("[Event \"E\"]\n{bad}\n[B \"y\"]\n\n1. e4");
        let (tags, malformed, movetext) = read(&text);
        assert_eq!(tags, [pair("Event", "E"), pair("B", "y")], "{bad}");
        assert_eq!((malformed, movetext.as_str()), (Some(12), "1. e4"), "{bad}");
    }
    let (tags, malformed, movetext) = read("[Event \"E");
    assert_eq!((tags, malformed, movetext.as_str()), (vec![], Some(0), ""));
}

#[test]
fn blanks_escape_lines_and_marks_are_skipped() {
    let (tags, malformed, movetext) =
        read("\u{feff}\x1a\n% one\n  [A \"x\"]\r\n% two \" ]\r\n\x0b\x0c[B\"y\"]\n *");
    assert_eq!(tags, [pair("A", "x"), pair("B", "y")]);
    assert_eq!((malformed, movetext.as_str()), (None, "*"));
    assert_eq!(read(" % not in the first column").2, "% not in the first column");
    assert_eq!(read("[1 \"x\"]").2, "[1 \"x\"]", "a tag name begins with a letter");
}

#[test]
fn lone_carriage_returns_end_lines() {
    let (tags, malformed, movetext) = read("[A \"x\"]\r%skip\r[B \"y\r[C \"z\"]\r\r1. e4");
    assert_eq!(tags, [pair("A", "x"), pair("C", "z")]);
    assert!(malformed.is_some());
    assert_eq!(movetext, "1. e4");
}

#[test]
fn the_last_duplicate_counts() {
    let mut buffer = TagBuffer::default();
    let tags = buffer.read(b"[Result \"1-0\"]\n[Result \"0-1\"]\n");
    assert_eq!(tags.get("Result").unwrap().bytes(), b"0-1");
    assert_eq!(tags.get("result"), None);
    assert_eq!(tags.iter().count(), 2);
}

#[test]
fn long_values_and_many_tags() {
    let long = "x".repeat(20_000);
    let text = format!("[Event \"{long}\"]\n") + &"[T \"1\"]\n".repeat(10_000);
    let (tags, malformed, _) = read(&text);
    assert_eq!((tags.len(), malformed), (10_001, None));
    assert_eq!(tags[0].1, long);
}

fn plain(text: &str, tags_max: usize) -> (Vec<TagSpan>, usize) {
    let mut tags = Vec::new();
    let end = plain::read(text.as_bytes(), 0, &mut tags, tags_max);
    (tags, end)
}

#[test]
fn ordinary_tags_past_the_bound_are_not_read() {
    let text = "[Event \"A\"]\n".repeat(50) + &" ".repeat(WINDOW_BYTES);
    for most in 1..50 {
        let (tags, end) = plain(&text, most);
        assert_eq!((tags.len(), text[..end].trim_end().len()), (most, 12 * most - 1));
    }
}

#[test]
fn a_tag_is_read_alike_wherever_a_window_ends() {
    for before in 0..140 {
        let text =
            format!("[Event \"{}\"]\n[Site \"B\"]\n[X \"C\"]\n\n1. e4 {before:99}", "x".repeat(before));
        let (tags, malformed, movetext) = read(&text);
        assert_eq!(tags, [pair("Event", &"x".repeat(before)), pair("Site", "B"), pair("X", "C")]);
        assert_eq!((malformed, &movetext[..5]), (None, "1. e4"), "{before}");
    }
}

proptest::proptest! {
    #[test]
    fn prop_a_window_shows_what_bytes_show(tags in proptest::collection::vec(("[A-Za-z_9 ]{1,9}", "[a\"\\\\ \r\n\\]é]{0,12}|[a-z]{0,70}", "(\"|)[ \\]]{0,2}|\"]"), 1..5)) {
        let lines = tags.iter().map(|(name, value, end)| format!("[{name} \"{value}{end}\n"));
        let text = lines.collect::<String>() + &" ".repeat(WINDOW_BYTES);
        proptest::prop_assume!(text.as_bytes()[1].is_ascii_alphabetic());
        let (tags, end) = plain(&text, 99);
        let mut general = Scan { text: text.as_bytes(), at: 0 };
        for tag in tags {
            proptest::prop_assert!(general.reach_odd_tag());
            let same = general.tag().expect("a plain tag is a tag");
            proptest::prop_assert_eq!((tag.name, tag.value, tag.escaped), (same.name, same.value, same.escaped));
        }
        proptest::prop_assert!(matches!(&text[general.at..end], "" | "\n"));
    }

    #[test]
    fn prop_usual_tags_are_plain(name in "[A-Z][A-Za-z_9]{1,9}", value in "[a-zA-Z0-9 ?.,/:-]{0,48}", count in 1..9_usize) {
        let text = format!("[{name} \"{value}\"]\n").repeat(count) + &" ".repeat(WINDOW_BYTES);
        proptest::prop_assert_eq!(plain(&text, 99).0.len(), count);
    }
}
