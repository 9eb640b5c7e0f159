use super::*;
use crate::{
    filter::Dimension,
    input::{LineEnds, games},
};
use position::{Key, PackedMove};

fn counting() -> CountingOptions {
    CountingOptions { max_ply: 0, ..CountingOptions::default() }
}

fn options() -> ReplayOptions {
    counting().into()
}

/// The verdict in short: `accepted 2`, `accepted 2 cut`, `filtered min-plies`, `illegal-move 3: Bb6`.
fn judged(options: &ReplayOptions, text: &str) -> String {
    match Replay::new(options).game(text.as_bytes()) {
        Verdict::Accepted { plies, cut: false, .. } => format!("accepted {plies}"),
        Verdict::Accepted { plies, cut: true, .. } => format!("accepted {plies} cut"),
        Verdict::Filtered(filter) => format!("filtered {filter}"),
        Verdict::Copy(_) => unreachable!("no copies are marked"),
        Verdict::Rejected(Rejection { reason, ply: Some(ply), text }) => format!("{reason} {ply}: {text}"),
        Verdict::Rejected(Rejection { reason, ply: None, text }) => format!("{reason}: {text}"),
    }
}

/// The verdict of a strict reading; a lenient one accepts the game.
#[track_caller]
fn strictly_gives(text: &str, expected: &str) {
    let strictly = TextOptions { strict_san: true, ..TextOptions::default() };
    let strict = CountingOptions { text: strictly, ..counting() }.into();
    assert_eq!(judged(&strict, text), expected, "{text}");
    assert!(judged(&options(), text).starts_with("accepted"), "{text}");
}

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(judged(&options(), text), expected, "{text}");
}

fn with_result(movetext: &str) -> String {
    format!("[Event \"E\"]\n[Result \"1-0\"]\n\n{movetext}\n")
}

#[test]
fn results_of_tag_and_movetext() {
    for (tag, token, verdict) in [
        ("1-0", "1-0", "accepted 1"),
        ("1-0", "", "accepted 1"),
        ("", "0-1", "accepted 1"),
        ("?", "1/2", "accepted 1"),
        (" 1/2-1/2\t", "1/2", "accepted 1"),
        ("1/2", "½-½", "accepted 1"),
        ("½-½", "", "accepted 1"),
        ("1:0", "", "result-unknown: 1:0"),
        ("*", "*", "result-unknown: *"),
        ("*", "", "result-unknown: *"),
        ("", "*", "result-unknown: "),
        ("1-0", "0-1", "result-mismatch: 1-0 0-1"),
        ("1-0", "*", "result-mismatch: 1-0 *"),
        ("*", "1-0", "result-mismatch: * 1-0"),
    ] {
        gives(&format!("[Result \"{tag}\"]\n\ne4 {token}"), verdict);
    }
    gives("[Event \"no result tag\"]\n\ne4 1-0", "accepted 1");
    gives("[Event \"no result tag\"]\n\ne4", "result-unknown: ");
    gives("[Result \"0-1\"]\n[Result \"1-0\"]\n\ne4 1-0", "accepted 1");
}

#[test]
fn the_same_result_again_is_one_result() {
    gives("[Result \"1-0\"]\n\ne4 1-0 1-0", "accepted 1");
    gives("[Result \"1-0\"]\n\ne4 1-0 {White wins} $18\n1-0 1-0\n", "accepted 1");
    gives("[Event \"\"]\n\ne4 1/2-1/2 1/2 ½-½", "accepted 1");
    gives("[Event \"\"]\n\ne4 * *", "result-unknown: ");
}

#[test]
fn a_game_too_large_is_rejected_after_its_variant() {
    let too_large = |text: &str| Replay::new(&options()).too_large(text.as_bytes());
    let Verdict::Rejected(Rejection { reason, text, .. }) = too_large("[Event \"a\"]\n[FEN \"x\"]\n\ne4")
    else {
        panic!("it counts");
    };
    assert_eq!((reason, text.as_str()), (Reason::TooLarge, "[Event \"a\"]"));
    let Verdict::Rejected(rejection) = too_large("[Variant \"Atomic\"]\n\ne4") else { panic!("it counts") };
    assert_eq!(rejection.reason, Reason::Variant);
}

#[test]
fn what_no_filter_refuses_passes() {
    let passes = |filters: Filters, text: &str| {
        Replay::new(&ReplayOptions { counting: counting(), filters }).passes_filters(text.as_bytes())
    };
    let elo = || Filters { min_elo: Some(2000), ..Filters::default() };
    let tags = "[WhiteElo \"2100\"]\n[BlackElo \"2200\"]\n";
    assert!(passes(elo(), tags) && !passes(elo(), "[WhiteElo \"2100\"]\n[BlackElo \"1900\"]\n"));
    assert!(passes(elo(), "[Variant \"Atomic\"]\n"), "it is rejected first");
    let long = || Filters { min_plies: 3, ..elo() };
    assert!(passes(long(), &format!("{tags}\ne4 e5 huh Nf3")) && !passes(long(), &format!("{tags}\ne4 e5")));
}

#[test]
fn each_reason() {
    gives("[Variant \"Atomic\"]\n\ne4 1-0", "variant: Atomic");
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    gives(&format!("[FEN \"{fen}\"]\n\ne5 1-0"), &format!("from-position: {fen}"));
    gives(&with_result("1-0"), "no-moves: 1-0");
    gives(&with_result("e4 e5 Bb6 1-0"), "illegal-move 3: Bb6");
    gives(&with_result("e4 e5 Nf3 d6 d3 a6 Nd2 1-0"), "ambiguous-move 7: Nd2");
    gives(&with_result("e4 e5 huh Nf3 1-0"), "bad-token: huh");
    gives(&with_result("e4 e5 1-0 Nf3"), "bad-token: Nf3");
    gives(&with_result("e4 e5 1-0 0-1"), "bad-token: 0-1");
    gives(&with_result("e4 e5 1-0 *"), "bad-token: *");
    gives(&with_result("e4 e5 {a {b} c}*"), "result-mismatch: 1-0 *");
    gives(&with_result("e4 e5 {a {b} c}1-0"), "bad-token: c");
    gives(&with_result("e4 {e5\nNf3 1-0"), "unclosed-comment: {e5");
    strictly_gives("[Event \"E]\n[Result \"1-0\"]\n\ne4 1-0", "invalid-tags: [Event \"E]");
    for null in ["--", "Z0", "null", "0000", "@@@@", "N@f3"] {
        gives(&with_result(&format!("e4 {null} 1-0")), &format!("illegal-move 2: {null}"));
    }
    strictly_gives(&with_result("e4 d5 ed5"), "illegal-move 3: ed5");
    gives(&with_result("Nxf3"), "illegal-move 1: Nxf3");
}

#[test]
fn the_first_reason_in_order_counts() {
    // At first everything is wrong; then one reason after another is put right.
    let fen = "8/8/8/8/8/8/8/8 w - - 0 1";
    let tags = |variant: &str, fen: &str, result: &str| {
        format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n[Result \"{result}\"]\n[Bad\n\n")
    };
    let wrong = "e4 Ke3 huh 0-1 e5 {";
    gives(&(tags("Horde", fen, "1-0") + wrong), "variant: Horde");
    gives(&(tags("Chess", fen, "1-0") + wrong), &format!("from-position: {fen}"));
    gives(&(tags("Chess", "", "1-0") + wrong), "result-mismatch: 1-0 0-1");
    gives(&(tags("Chess", "", "0-1") + wrong), "illegal-move 2: Ke3");
    gives(&(tags("Chess", "", "0-1") + "huh 0-1 e5 {"), "no-moves: huh 0-1 e5 {");
    gives(&(tags("Chess", "", "0-1") + "e4 huh 0-1 e5 {"), "bad-token: huh");
    gives(&(tags("Chess", "", "0-1") + "e4 0-1 {"), "unclosed-comment: {");
    strictly_gives(&(tags("Chess", "", "0-1") + "e4 0-1"), "invalid-tags: [Bad");
    gives(&(tags("Chess", "", "*") + wrong), "result-mismatch: * 0-1");
    gives(&(tags("Chess", "", "*") + "e4 Ke3 huh *"), "result-unknown: *");
}

#[test]
fn variants_of_chess_and_the_start_position() {
    for variant in ["", "Standard", " chess ", "From Position", "STANDARD", "normal", "Regular"] {
        gives(&format!("[Variant \"{variant}\"]\n\ne4 1-0"), "accepted 1");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    for fen in ["", "  ", start, &format!("{start} 0 1"), &format!(" {start}  3 7 x")] {
        gives(&format!("[FEN \"{fen}\"]\n\ne4 1-0"), "accepted 1");
    }
    gives(
        "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -\"]\n\ne4 1-0",
        "from-position: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ -",
    );
}

#[test]
fn games_from_positions_if_wanted() {
    let options = CountingOptions { from_position: true, ..counting() }.into();
    let game = |fen: &str, moves: &str| judged(&options, &format!("[FEN \"{fen}\"]\n\n{moves}"));
    assert_eq!(game("4k3/8/8/8/8/8/4P3/4K3 b - - 0 9", "9... Kd7 10. e4 1-0"), "accepted 2");
    assert_eq!(game("8/8/8/8/8/8/8/8 w - - 0 1", "e4 1-0"), "invalid-tags: 8/8/8/8/8/8/8/8 w - - 0 1");
    assert_eq!(game("no fen", "e4 huh 1-0"), "bad-token: huh");
    assert_eq!(game("no fen", "1-0"), "no-moves: 1-0");
    assert_eq!(game("no fen", "e4 *"), "result-unknown: ");
}

#[test]
fn the_ply_limit_judges_no_move_behind_it() {
    let options = CountingOptions { max_ply: 2, ..counting() }.into();
    let judge = |movetext: &str| judged(&options, &with_result(movetext));
    assert_eq!(judge("e4 e5 Bb6 1-0"), "accepted 2");
    assert_eq!(judge("e4 Bb6 e5 1-0"), "illegal-move 2: Bb6");
    assert_eq!(judge("e4 e5 Nf3 huh 1-0"), "bad-token: huh", "the whole text is read");
    assert_eq!(judge("e4 e5 Nf3 {"), "unclosed-comment: {");
    assert_eq!(judge("e4 e5 Nf3 0-1"), "result-mismatch: 1-0 0-1");
    assert_eq!(judge("e4 1-0"), "accepted 1");
}

#[test]
fn no_move_is_judged_behind_a_bad_token() {
    gives(&with_result("e4 huh Bb6 1-0"), "bad-token: huh");
    gives(&with_result("e4 Bb6 huh 1-0"), "illegal-move 2: Bb6");
}

#[test]
fn illegal_moves_may_keep_what_came_before() {
    let options = CountingOptions { illegal_move: IllegalMove::KeepPrefix, ..counting() }.into();
    let judge = |movetext: &str| judged(&options, &with_result(movetext));
    assert_eq!(judge("e4 e5 Bb6 Nf3 1-0"), "accepted 2 cut");
    assert_eq!(judge("e4 e5 Nf3 d6 d3 a6 Nd2 1-0"), "accepted 6 cut");
    assert_eq!(judge("e5 e4 1-0"), "illegal-move 1: e5", "nothing came before");
    assert_eq!(judge("e4 e5 Bb6 huh 1-0"), "bad-token: huh");
    let mut replay = Replay::new(&options);
    replay.game(with_result("e4 Bb6 Nf3 1-0").as_bytes());
    let moves: Vec<_> = replay.observations().map(|o| o.mv().to_string()).collect();
    assert_eq!(moves, ["e2e4", "--"], "a terminal visit where it failed");
    assert_eq!(replay.observations().nth(1).unwrap().key(), "e4".parse::<Line>().unwrap().key);
}

#[test]
fn few_moves_are_filtered_but_none_is_rejected() {
    let judge = |min_plies, movetext: &str| {
        let filters = Filters { min_plies, ..Filters::default() };
        judged(&ReplayOptions { filters, ..options() }, &with_result(movetext))
    };
    assert_eq!(judge(0, "1-0"), "accepted 0");
    assert_eq!(judge(1, "1-0"), "no-moves: 1-0");
    assert_eq!(judge(2, "1-0"), "filtered min-plies");
    assert_eq!(judge(3, "e4 e5 0-1"), "filtered min-plies", "filters come before results");
    assert_eq!(judge(3, "e4 e5 Nf3 1-0"), "accepted 3");
    assert_eq!(judge(3, "huh e4 e5 Nf3 1-0"), "bad-token: huh", "moves count though they are not played");
    assert_eq!(judge(3, "e4 e5 1-0 Nf3"), "filtered min-plies", "nothing after the result is a move");
}

#[test]
fn games_count_from_the_root_on() {
    let with = |root: CountingOptions, max_ply| CountingOptions { max_ply, ..root }.into();
    let sicilian = CountingOptions { line: Some("1. e4 c5".parse().unwrap()), ..counting() };
    let mut replay = Replay::new(&with(sicilian.clone(), 3));
    let verdict = replay.game(with_result("e4 c5 Nf3 d6 1-0").as_bytes());
    assert!(matches!(verdict, Verdict::Accepted { plies: 3, cut: false, .. }), "{verdict:?}");
    let moves: Vec<_> = replay.observations().map(|o| o.mv().to_string()).collect();
    assert_eq!(moves, ["g1f3", "--"]);
    let judge = |options: &ReplayOptions, movetext: &str| judged(options, &with_result(movetext));
    assert_eq!(
        judge(&with(sicilian.clone(), 0), "e4 e5 Ke3 1-0"),
        "filtered line",
        "filters come before moves"
    );
    assert_eq!(judge(&with(sicilian.clone(), 1), "e4 c5 1-0"), "filtered line", "not within the limit");
    assert_eq!(judge(&with(sicilian, 2), "e4 c5 1-0"), "accepted 2");
    let fen: Fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2".parse().unwrap();
    let key = CountingOptions { root: Some(fen.key), ..counting() };
    let fen = CountingOptions { fen: Some(fen), ..counting() };
    assert_eq!(judge(&with(fen.clone(), 0), "c4 1-0"), "filtered fen");
    assert_eq!(judge(&with(fen, 0), "e4 c5 1-0"), "accepted 2");
    assert_eq!(judge(&with(key.clone(), 0), "c4 1-0"), "filtered fen");
    assert_eq!(judge(&with(key, 0), "e4 c5 1-0"), "accepted 2");
}

#[test]
fn roots_say_what_is_wrong() {
    let line = |line: &str| line.parse::<Line>().unwrap_err().to_string();
    assert_eq!(line("e4 Nf3"), "`Nf3`, at ply 2 of the line, is not a legal move there");
    assert_eq!(line("e4 huh"), "`huh`, at ply 2 of the line, is not a move");
    assert_eq!(line("1-0"), "`1-0`, at ply 1 of the line, is not a move");
    assert_eq!(
        line("Nf3 Nf6 d3 d6 Nd2"),
        "`Nd2`, at ply 5 of the line, is ambiguous: several legal moves fit"
    );
    assert_eq!("".parse::<Line>().unwrap().key, Key::START);
    let fen = |fen: &str| fen.parse::<Fen>().unwrap_err().to_string();
    assert!(fen("8/8/8/8/8/8/8/8 w - - 0 1").contains("not a legal position"));
    assert!(fen("e4").contains("`e4` is not a FEN"));
}

#[test]
fn observations_of_a_game() {
    let mut replay = Replay::new(&options());
    replay.game(b"[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1");
    let seen: Vec<_> = replay.observations().map(|o| (o.mv().to_string(), o.outcome_index())).collect();
    let moves = ["f2f3", "e7e5", "g2g4", "d8h4", "--"];
    assert_eq!(seen, moves.map(|mv| (mv.to_owned(), 2)));
    assert_eq!(replay.observations().next().unwrap().key(), Key::START);
    for pair in replay.observations().collect::<Vec<_>>().windows(2) {
        assert_eq!(pair[0].step().child(pair[0].key(), pair[0].mv()), pair[1].key());
    }
    replay.game(b"[Result \"*\"]\n\n1. f3 *");
    assert_eq!(replay.observations().len(), 0, "nothing of a rejected game counts");
}

#[test]
fn repeated_positions_count_once_if_wanted() {
    let moves = "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8";
    let visits = |repeats| {
        let mut replay = Replay::new(&CountingOptions { repeats, ..counting() }.into());
        replay.game(with_result(moves).as_bytes());
        let at_start = replay.observations().filter(|o| o.key() == Key::START);
        (replay.observations().len(), at_start.map(Observation::mv).collect::<Vec<_>>())
    };
    let (each, starts) = visits(Repeats::Each);
    assert_eq!((each, starts.len()), (9, 3));
    let (once, starts) = visits(Repeats::Once);
    assert_eq!((once, starts), (7, vec![PackedMove::TERMINAL]), "the last visit's row");
}

#[test]
fn groups_are_those_of_the_tags() {
    let by_month = CountingOptions { by: vec![Dimension::Month], ..counting() };
    let mut replay = Replay::new(&by_month.into());
    replay.game(b"[Date \"2014.03.01\"]\n[Result \"1-0\"]\n\ne4 1-0");
    assert!(replay.observations().all(|o| o.group().month() == Some((2014, 3))));
    assert_eq!(replay.observations().len(), 2);
}

#[test]
fn ratings_are_both_known_or_none() {
    let mut replay = Replay::new(&CountingOptions { ratings: true, ..counting() }.into());
    let mut ratings = |white: &str, black: &str| {
        let tags = format!("[WhiteElo \"{white}\"]\n[BlackElo \"{black}\"]\n");
        replay.game(format!("{tags}[Result \"1-0\"]\n\ne4 1-0").as_bytes());
        replay.ratings()
    };
    assert_eq!(ratings("2400", "1"), Some([2400, 1]));
    assert_eq!([ratings("2400", "?"), ratings("0", "2400"), ratings("", "-")], [None; 3]);
    let mut unasked = Replay::new(&options());
    unasked.game(b"[WhiteElo \"2400\"]\n[BlackElo \"2300\"]\n[Result \"1-0\"]\n\ne4 1-0");
    assert_eq!(unasked.ratings(), None);
}

#[test]
fn refused_games_are_read_no_further() {
    let filters = Filters { min_elo: Some(2400), ..Filters::default() };
    let options = ReplayOptions { filters, ..options() };
    assert_eq!(
        judged(&options, "[WhiteElo \"2300\"]\n[BlackElo \"2500\"]\n\n{ nothing right in here"),
        "filtered min-elo"
    );
}

/// These are texts that pgn-reader alone reads wrongly: it drops what it does not know, ends games at blank
/// lines, and swallows games.
#[test]
fn traps_of_pgn_reader() {
    gives(&with_result("1. e4 e5\n\n2. Nf3\n\n1-0"), "accepted 3");
    gives(&with_result("e4 Zz9 e5 1-0"), "bad-token: Zz9");
    gives(&with_result("1. e4 a6 2. e5 d5 3. exd6e.p. 1-0"), "accepted 5");
    gives(&with_result("1. e2-e4 Ng8-f6 2. Pe4-e5 1-0"), "accepted 3");
    gives(&with_result("b4 a5 bxa5 b5 axb6ep c6 b7 c5 bxa8Q 1-0"), "accepted 9");
    gives(&with_result("e4 1-0 e5 0-1"), "bad-token: e5");
    gives(&format!("[Event \"{}\"]\n[Result \"1-0\"]\n\ne4 1-0", "x".repeat(20_000)), "accepted 1");
    gives(&format!("[Result \"1-0\"]\n\ne4 {{{}}} 1-0", "x\n\n".repeat(100_000)), "accepted 1");
}

#[test]
fn an_unclosed_comment_costs_its_own_game() {
    let text = with_result("e4 {e5 1-0") + &with_result("e4 e5 1-0") + &with_result("e4 e5 Nf3 1-0");
    let pieces = games(text.as_bytes(), LineEnds::Lf);
    let verdicts: Vec<_> =
        pieces.map(|piece| judged(&options(), std::str::from_utf8(piece.text).unwrap())).collect();
    assert_eq!(verdicts, ["unclosed-comment: {e5 1-0", "accepted 2", "accepted 3"]);
}
