//! Loose files, first of all the one in Terra's manual.

use pgn::{
    annotated::{AnnotatedBatch, AnnotatedOptions, AnnotatedReader, Form},
    input::{ChunkOptions, Input},
    verdict::{Reason, Rejection, Verdict},
};
use position::Outcome;
use proptest::prelude::*;

use crate::reading::{each, loose, moves, strict};

/// The tags in these three lines of Terra's manual are not PGN. They are read as printed there, and all on
/// one line.
#[test]
fn terra_c7_the_annotation_file_of_the_manual() {
    let text = "[Event: \"Line 1\"]\n1. e4!! c6!? 2.d4!!\n\n[Event: \"Line 2\"]\n1. d4!! Nf6! 2. c4! d6!\n\n[Event: \"Line 3\"]\n1. d4 d5! 2. c4 a6?\n";
    let found = [
        ("Line 1".to_owned(), vec!["e2e4$3", "c7c6$5", "d2d4$3"]),
        ("Line 2".to_owned(), vec!["d2d4$3", "g8f6$1", "c2c4$1", "d7d6$1"]),
        ("Line 3".to_owned(), vec!["d2d4", "d7d5$1", "c2c4", "a7a6$2"]),
    ]
    .map(|(event, moves)| (event, moves.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    for text in
        [text.to_owned(), text.replace("\n\n", "\n"), text.replace('\n', " "), text.replace('\n', "\r\n")]
    {
        let read = each(&text, &loose(), |game| (game.tag("Event").unwrap().into_owned(), moves(game)));
        assert_eq!(read, found, "{text}");
    }
    assert_eq!(each(text, &strict(), moves).concat(), [""; 0], "only in loose mode");
}

#[test]
fn tags_are_read_however_they_are_quoted() {
    for (tag, value) in [
        ("[Result 1-0]", "1-0"),
        ("[Result: 1-0]", "1-0"),
        ("[Result \"1-0\"]", "1-0"),
        ("[Result:\"1-0\"]", "1-0"),
        ("[Result : \"1-0\" ]", "1-0"),
        ("[Result 1-0\n", "1-0"),
        ("[Result]", ""),
        ("[Result \"a]b\"]", "a]b"),
        ("[Result \"a \\\" ] \\\\\"]", "a \" ] \\"),
        ("[Result \"a \"b\" c\"]", "a \"b\" c"),
        ("[Result \"a\n", "\"a"),
        ("[Result the \"big\" one\\]", "the \"big\" one\\"),
    ] {
        let text = format!("{tag}\n1. e4 e5\n");
        let found = each(&text, &loose(), |game| (game.tag("Result").unwrap().into_owned(), moves(game)));
        assert_eq!(found, [(value.to_owned(), vec!["e2e4".to_owned(), "e7e5".to_owned()])], "{tag}");
    }
}

#[test]
fn games_need_no_result_and_count_as_far_as_they_go() {
    let plies = |movetext: &str| {
        let found =
            each(&format!("[A x]\n{movetext}\n"), &loose(), |game| (game.outcome, moves(game).join(" ")));
        assert_eq!(found.len(), 1, "{movetext}");
        found.into_iter().next().unwrap()
    };
    assert_eq!(plies("1. e4 e5"), (None, "e2e4 e7e5".into()));
    assert_eq!(plies("1. e4 e5 *"), (None, "e2e4 e7e5".into()));
    assert_eq!(plies("1. e4 e5 1-0"), (Some(Outcome::White), "e2e4 e7e5".into()));
    assert_eq!(plies("1. e4! Qh4 2. d4"), (None, "e2e4$1".into()), "an illegal move ends it");
    assert_eq!(plies("1. e4! Zz9? 2. d4"), (None, "e2e4$1".into()), "so does what is no move");
    assert_eq!(plies("1. e4! { [A b] } (1. d4 [B c]) e5 {never closed"), (None, "e2e4$1 e7e5".into()));
}

#[test]
fn what_holds_no_move_is_rejected() {
    let verdicts = |text: &str| each(text, &loose(), |game| game.verdict.clone());
    let rejected = |reason, ply, text: &str| Verdict::Rejected(Rejection { reason, ply, text: text.into() });
    assert_eq!(verdicts("1. e4\n"), [rejected(Reason::Fragment, None, "1. e4")]);
    assert_eq!(verdicts("[A x]\n1. Qh4\n"), [rejected(Reason::IllegalMove, Some(1), "Qh4")]);
    assert_eq!(verdicts("[A x]\n[A y]\n1. e4\n")[0], rejected(Reason::NoMoves, None, ""));
    assert_eq!(verdicts("[A x]\nZz9 e4\n"), [rejected(Reason::BadToken, None, "Zz9")]);
    assert_eq!(verdicts("[FEN x]\n1. e4\n"), [rejected(Reason::FromPosition, None, "x")]);
}

#[test]
fn offsets_are_those_of_the_file() {
    let text = "[A x] 1. e4 [B y] 1. d4\n\n[C z]\n1. c4\n";
    assert_eq!(each(text, &loose(), |game| (game.place.offset, game.number)), [(0, 1), (12, 2), (25, 3)]);
}

/// What loose files are made of, and what they should not be.
const SOUP: &[&str] = &[
    "\n",
    "\r\n",
    " ",
    "[Event: \"Line 1\"]",
    "[Result 1-0]\n",
    "[A \"b\\",
    "[",
    "]",
    "\"",
    "1. e4!! ",
    "e5 $14 ",
    "Qh4 ",
    "{[%eval 0.3,é] ",
    "{+M5/9 1.",
    "{wv=M99999,d=-1}",
    "} ",
    "(",
    ") ",
    "; ",
    "1-0 ",
    "é",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn prop_chunks_change_nothing(
        parts in prop::collection::vec(prop::sample::select(SOUP), 0..80),
        chunk_bytes in 1usize..300,
        is_loose in any::<bool>(),
    ) {
        let text = parts.concat();
        let read = |threads, chunk_bytes| {
            let input = Input::stream("-", std::io::Cursor::new(text.clone().into_bytes()));
            let chunks = ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() };
            let options = AnnotatedOptions { form: if is_loose { Form::Loose } else { Form::Unfinished }, ..strict() };
            let reader = AnnotatedReader::open(vec![input], &chunks, &options).unwrap();
            let found = |batch: AnnotatedBatch| {
                let games = batch.games();
                games.map(|game| (game.place, game.number, game.verdict.clone(), moves(&game))).collect::<Vec<_>>()
            };
            reader.flat_map(|batch| found(batch.unwrap())).collect::<Vec<_>>()
        };
        prop_assert_eq!(read(2, chunk_bytes), read(1, 1 << 20));
    }
}
