//! Own games: which of them count, and what they teach of book moves and of the moves after (ChessPartner:
//! which games count; Terra: dynamic values).

use serde_json::{Value, json};

use super::{game, ruy};
use crate::workbench::Workbench;

/// Four full moves of the paper's book.
const BOOK: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6";

/// A line of `plies` plies that goes on after `BOOK` with knight moves.
fn long(plies: usize) -> String {
    let to_and_fro = ["O-O", "Rb8", "Nh4", "Ra8", "Nf3", "Rb8"]
        .into_iter()
        .chain(["Nh4", "Ra8", "Nf3", "Rb8"].into_iter().cycle());
    let rest: Vec<_> = to_and_fro.take(plies - 8).collect();
    format!("{BOOK} {}", rest.join(" "))
}

/// What `learn games` says of one game of Eng's.
fn judged(bench: &Workbench, text: &str, options: &str) -> Value {
    bench.write("one.pgn", text);
    bench.learn(&format!("games one.pgn --player eng {options}"), "x.parquet")
}

fn results(known: &Value) -> [u64; 3] {
    ["wins", "draws", "losses"].map(|name| known["own"][name].as_u64().unwrap_or(0))
}

/// Games against an opponent teach as many times as asked (Crafty's paper, 6.5).
#[test]
fn opponents_weigh() {
    let bench = ruy();
    let games = game("Eng", "Opp", "0-1", &[], BOOK) + &game("Foe", "Eng", "1-0", &[], BOOK);
    bench.write("own.pgn", games);
    let learn = |options: &str| bench.learn(&format!("games own.pgn --player eng {options}"), "x.parquet");
    let learning = learn("--opponent opp=4 --opponent /^f/=0");
    assert_eq!((&learning["taught"], &learning["idle"]), (&json!(1), &json!({"opponent": 1})));
    let known = bench.known("x.parquet");
    assert_eq!((results(&known["e4"]), known.contains_key("e4 e5")), ([0, 0, 4], false));
    assert_eq!(known["e4"]["sources"][0]["count"], 4);
    let command = "learn games own.pgn --player eng --table ruy.table -o z.parquet --opponent Ppo=4";
    bench.assert_says(command, ["the player has no game against the opponent named in `Ppo=4`"]);
    let wrong = "learn games own.pgn --player eng --table games.table -o y.parquet --opponent opp";
    bench.assert_fails(wrong, 2, ["`opp` is not a name with a weight: expected a weight from 0 to 100"]);
}

/// Serious, timed, and lost or won after more than fifty moves or between ratings less than 200 apart
/// (ChessPartner: which games count).
#[test]
fn chess_partner_which_games_count() {
    let bench = ruy();
    let elo = |own, other| [("WhiteElo", own), ("BlackElo", other)];
    let no_clause = "neither-lost-nor-long-nor-close";
    for (result, moves, tags, verdict) in [
        ("0-1", BOOK.to_owned(), &[][..], "taught"),
        ("1-0", BOOK.to_owned(), &[], no_clause),
        ("1/2-1/2", BOOK.to_owned(), &[], no_clause),
        // Fifty full moves are not more than fifty.
        ("1-0", long(100), &[], no_clause),
        ("1-0", long(101), &[], "taught"),
        ("1/2-1/2", long(120), &[], no_clause),
        ("1-0", BOOK.to_owned(), &elo("2400", "2201"), "taught"),
        ("1/2-1/2", BOOK.to_owned(), &elo("2201", "2400"), "taught"),
        ("1/2-1/2", BOOK.to_owned(), &elo("2400", "2200"), no_clause),
        ("1-0", BOOK.to_owned(), &elo("2200", "2400"), no_clause),
        ("1-0", BOOK.to_owned(), &elo("2400", "?"), no_clause),
        ("0-1", BOOK.to_owned(), &elo("2800", "1200"), "taught"),
        ("0-1", BOOK.to_owned(), &[("TimeControl", "40/7200")], "taught"),
        ("0-1", BOOK.to_owned(), &[("TimeControl", "-")], "not-timed"),
        ("0-1", BOOK.to_owned(), &[("Termination", "time forfeit")], "taught"),
        ("0-1", BOOK.to_owned(), &[("Termination", "abandoned")], "not-serious"),
        ("0-1", BOOK.to_owned(), &[("Termination", "Unterminated")], "not-serious"),
        ("0-1", "1. a4 a5".to_owned(), &[], "no-book-move"),
    ] {
        let learning = judged(&bench, &game("Eng", "Opp", result, tags, &moves), "");
        let taught = u64::from(verdict == "taught");
        assert_eq!(learning["taught"], taught, "{result} {tags:?} {}", moves.len());
        if taught == 0 {
            assert_eq!(learning["idle"], json!({verdict: 1}), "{result} {tags:?} {}", moves.len());
        }
        // Terra learns from every game in which it selected a book move (Terra: dynamic values).
        let learning = judged(&bench, &game("Eng", "Opp", result, tags, &moves), "--rule terra");
        assert_eq!(learning["taught"], u64::from(verdict != "no-book-move"), "{result} {tags:?}");
    }
}

/// The same conditions seen from Black's side.
#[test]
fn chess_partner_black_loses_where_white_wins() {
    let bench = ruy();
    let text = game("Opp", "Eng", "1-0", &[], BOOK);
    assert_eq!(judged(&bench, &text, "")["taught"], 1);
    let text = game("Opp", "Eng", "0-1", &[], BOOK);
    assert_eq!(judged(&bench, &text, "")["taught"], 0);
}

/// Results are the engine's, of the moves that it chose itself (Terra: dynamic values).
#[test]
fn terra_results_of_the_moves_chosen_by_each_side() {
    let bench = ruy();
    let with = |date: &str| vec![("Date", date.to_owned())];
    let one = |white: &str, black: &str, result: &str, date: &str, moves: &str| {
        let tags = with(date);
        let tags: Vec<_> = tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
        game(white, black, result, &tags, moves)
    };
    let games = [
        one("Eng", "Opp", "0-1", "2020.01.01", BOOK),
        one("Eng", "Opp", "1-0", "2020.01.02", BOOK),
        one("Opp", "Eng", "1-0", "2020.01.03", BOOK),
        one("Eng", "Opp", "1/2-1/2", "2020.01.04", "1. e4 e5 2. Nf3 Nc6"),
        one("Opp", "Eng", "0-1", "2020.01.05", "1. e4 e5 2. Nf3 Nc6"),
        one("Opp", "Other", "0-1", "2020.01.06", BOOK),
        one("Other", "Opp", "0-1", "2020.01.07", BOOK),
    ];
    bench.write("own.pgn", games.concat());
    let learning = bench.learn("games own.pgn --player ENG --rule terra", "x.parquet");
    assert_eq!(learning["taught"], 5);
    assert_eq!(learning["idle"], json!({"player": 2}));
    let known = bench.known("x.parquet");
    for (line, expected) in [
        ("e4", [1, 1, 1]),
        ("e4 e5", [1, 0, 1]),
        ("e4 e5 Nf3", [1, 1, 1]),
        ("e4 e5 Nf3 Nc6", [1, 0, 1]),
        ("e4 e5 Nf3 Nc6 Bb5", [1, 0, 1]),
        ("e4 e5 Nf3 Nc6 Bb5 a6", [0, 0, 1]),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4", [1, 0, 1]),
        ("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6", [0, 0, 1]),
    ] {
        assert_eq!(results(&known[line]), expected, "{line}");
    }
    assert_eq!(known.len(), 8, "nothing else is known");
    let source = &known["e4"]["sources"][0];
    assert_eq!(*source, json!({"source": "own.pgn", "value": "own", "count": 3, "last": "2020-01-04"}));
    // One colour alone: one file for each engine and colour, as in the text (ChessPartner: learning books).
    bench.learn("games own.pgn --player Eng --player-color white --rule terra", "white.parquet");
    let white = bench.known("white.parquet");
    assert_eq!(white.keys().filter(|line| line.split(' ').count() % 2 == 0).count(), 0, "{white:?}");
}

/// A game counts once, also if it repeats a position.
#[test]
fn a_repeated_position_counts_a_game_once() {
    let bench = ruy();
    let fro = "Ng1 Ng8 Nf3 Nf6 ".repeat(5);
    let text = game("Eng", "Opp", "0-1", &[], &format!("e4 e5 Nf3 Nf6 {fro}"));
    judged(&bench, &text, "");
    let known = bench.known("x.parquet");
    assert_eq!(results(&known["e4 e5 Nf3"]), [0, 0, 1]);
    for (line, known) in &known {
        let counts: Vec<_> =
            known["sources"].as_array().unwrap().iter().map(|source| &source["count"]).collect();
        assert_eq!(counts, [1], "{line}");
    }
}

#[test]
fn no_game_teaches_twice() {
    let bench = ruy();
    let one = game("Eng", "Opp", "0-1", &[("Date", "2020.01.01")], BOOK);
    let other = game("Eng", "Opp", "0-1", &[("Date", "2020.01.02")], BOOK);
    bench.write("a.pgn", one.repeat(2) + &other);
    bench.write("b.pgn", one.clone() + &game("Eng", "Opp", "0-1", &[("Date", "2020.01.03")], BOOK));
    let first = bench.learn("games a.pgn --player Eng", "a.parquet");
    assert_eq!((&first["taught"], &first["idle"]), (&json!(2), &json!({"duplicate": 1})));
    let second = bench.learn("games b.pgn --player Eng --continue a.parquet", "b.parquet");
    assert_eq!((&second["taught"], &second["idle"]), (&json!(1), &json!({"duplicate": 1})));
    assert_eq!(results(&bench.known("b.parquet")["e4"]), [0, 0, 3]);
    bench.learn("games a.pgn b.pgn --player Eng", "both.parquet");
    assert!(bench.agree("b.parquet", "both.parquet"));
    assert_eq!(bench.known("b.parquet"), bench.known("both.parquet"));
    // A copy of a game that had no book move is not a copy of a lesson.
    bench.write("strange.pgn", game("Eng", "Opp", "0-1", &[], "a4 a5").repeat(2));
    let strange = bench.learn("games strange.pgn --player Eng", "x.parquet");
    assert_eq!(strange["idle"], json!({"no-book-move": 2}));
}

/// The first ten own moves after leaving the book, whichever side left it, with the values of the searches
/// (Terra: PostBook).
#[test]
fn terra_the_first_ten_moves_after_the_book() {
    let bench = ruy();
    let after = "5. O-O {+0.31/11 1.5s} Be7 {-0.30/10 1s} 6. Re1 {+0.25/12 1s} b5 7. Bb3 {+0.20/13 1s} d6 8. c3 {book} O-O \
        9. h3 {-0.15/9 1s} Nb8 10. d4 Nbd7 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 {M5/20 1s} b4 15. Nb1 {+1.00/9 1s} h6";
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], &format!("{BOOK} {after}")));
    bench.learn("games own.pgn --player Eng", "x.parquet");
    let known = bench.known("x.parquet");
    let post: Vec<_> = known.iter().filter(|(line, _)| line.ends_with("[postbook]")).collect();
    assert_eq!(post.len(), 10);
    assert!(post.iter().all(|(_, known)| results(known) == [0, 0, 1]), "{post:?}");
    let start = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O [postbook]";
    let castled = &known[start];
    assert_eq!((super::number(&castled["eval"]), &castled["depth"]), (0.31, &json!(11)));
    let mut searched: Vec<_> =
        post.iter().filter_map(|(_, known)| Some((known["eval"].as_f64()? * 100.0).round() as i32)).collect();
    searched.sort_unstable();
    // A mate found is a hundred pawns; the opponent's searches and the eleventh move are not there.
    assert_eq!(searched, [-15, 20, 25, 31, 10_000]);
    // Black's moves after the book, when the engine has Black; its own view.
    let game = game("Opp", "Eng", "1-0", &[], &format!("{BOOK} {after}"));
    bench.write("own.pgn", game);
    bench.learn("games own.pgn --player Eng", "x.parquet");
    let known = bench.known("x.parquet");
    let post: Vec<_> = known.values().filter(|known| known["kind"] == "postbook").collect();
    assert_eq!(post.len(), 10);
    let evals: Vec<_> =
        post.iter().filter_map(|known| known["eval"].as_f64()).map(|eval| eval as f32).collect();
    assert_eq!(evals, [-0.3]);
}

#[test]
fn the_player_must_be_named() {
    let bench = ruy();
    bench.write("own.pgn", game("Eng", "Opp", "0-1", &[], BOOK));
    bench.assert_fails("learn games own.pgn --table ruy.table -o x.parquet", 2, ["player"]);
    // A player of no game: nothing is written.
    for options in ["", "--rule terra --search"] {
        let nobody = format!("learn games own.pgn --player Nobody {options} --table ruy.table -o x.parquet");
        bench.assert_fails(&nobody, 1, ["the only game does not count: filtered (player 1)"]);
        assert!(!bench.path("x.parquet").exists());
    }
    let error = bench.fails("learn games own.pgn --player Eng --rule none --table ruy.table -o x.parquet", 2);
    assert!(error.contains("lokasoft") && error.contains("terra"), "{error}");
}

#[test]
fn broken_games_are_listed_and_the_others_teach() {
    let bench = ruy();
    let broken = game("Eng", "Opp", "0-1", &[], "1. e4 e5 2. Ke3 Nc6");
    bench.write("own.pgn", broken + &game("Eng", "Opp", "0-1", &[], BOOK));
    let learning = bench.learn("games own.pgn --player Eng --rejects r.jsonl", "x.parquet");
    assert_eq!((&learning["taught"], &learning["rejected"]), (&json!(1), &json!({"illegal-move": 1})));
    let listed = super::rejects(&bench, "r.jsonl");
    assert_eq!(
        listed,
        [
            json!({"input": "own.pgn", "offset": 0, "game": 1, "ply": 3, "reason": "illegal-move", "text": "Ke3"})
        ]
    );
    bench.fails("learn games own.pgn --player Eng --table ruy.table -o y.parquet --strict", 1);
}
