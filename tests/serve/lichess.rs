//! Answers as Lichess's explorer gives them.

use super::*;

/// The sum of a key over the moves of an answer.
fn sum(answer: &Value, key: &str) -> u64 {
    answer["moves"].as_array().unwrap().iter().map(|mv| mv[key].as_u64().unwrap()).sum()
}

#[test]
fn a_book_answers_as_lichess_does() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia");
    let answer = server.json("/lichess?play=e2e4&moves=100");
    assert_eq!(answer["opening"], serde_json::json!({ "eco": "B00", "name": "King's Pawn Game" }));
    for key in ["white", "draws", "black"] {
        assert_eq!(answer[key], sum(&answer, key));
    }
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&answer), ["white", "draws", "black", "moves", "recentGames", "topGames", "opening"]);
    let names = ["uci", "san", "averageRating", "white", "draws", "black", "game", "opening"];
    assert_eq!(keys(&answer["moves"][0]), names);
    assert_eq!(answer["moves"][0]["averageRating"], 0);
    let games =
        |mv: &Value| ["white", "draws", "black"].iter().map(|key| mv[key].as_u64().unwrap()).sum::<u64>();
    assert!(answer["moves"].as_array().unwrap().is_sorted_by_key(|mv| std::cmp::Reverse(games(mv))));
    assert_eq!(server.json("/lichess?moves=2")["moves"].as_array().unwrap().len(), 2);
    assert_eq!(server.json("/x/book/master")["recentGames"], Value::Null);
    let headers = server.ask("GET /lichess", "Origin: https://lichess.example\nAuthorization: Bearer x", "");
    assert_eq!(headers.header("access-control-allow-origin"), Some("*"));
}

#[test]
fn castling_is_king_takes_rook_and_read_either_way() {
    let bench = bench();
    let server = Server::start(&bench, "games.table");
    let line = "e2e4,e7e5,g1f3,b8c6,f1b5,a7a6,b5a4,g8f6";
    let answer = server.json(&format!("/lichess?play={line}&moves=100"));
    let castles = answer["moves"].as_array().unwrap().iter().find(|mv| mv["san"] == "O-O").unwrap();
    assert_eq!(castles["uci"], "e1h1");
    let after = |mv: &str| server.json(&format!("/lichess?play={line},{mv}"));
    assert_eq!(after("e1h1"), after("e1g1"));
}

#[test]
fn filters_are_answered_by_groups() {
    let bench = bench();
    let server = Server::start(&bench, "games.table book.tabia");
    let all = server.json("/lichess?moves=100&history=true");
    let groups = server.json("/tabia/artefacts")["artefacts"][0]["groups"].clone();
    let total = |answer: &Value| ["white", "draws", "black"].map(|key| answer[key].as_u64().unwrap());
    let added = |answers: &[Value]| {
        answers.iter().map(total).fold([0; 3], |sum, more| std::array::from_fn(|i| sum[i] + more[i]))
    };
    let of = |field: &str, values: &[Value]| -> Vec<Value> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        values
            .iter()
            .map(|value| server.json(&format!("/lichess?moves=100&{field}={}", text(value))))
            .collect()
    };
    let speeds = groups["speeds"].as_array().unwrap();
    assert!(!speeds.is_empty() && added(&of("speeds", speeds)).iter().zip(total(&all)).all(|(a, b)| *a <= b));
    // Every game that the history has is in one month.
    let months = all["history"].as_array().unwrap();
    assert_eq!(months.len(), groups["months"].as_array().unwrap().len());
    for month in months.iter().take(3) {
        let month_text = month["month"].as_str().unwrap();
        let answer = server.json(&format!("/lichess?moves=100&since={month_text}&until={month_text}"));
        assert_eq!(total(&answer), total(month), "{month_text}");
    }
    let every = "speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence&since=1952-01&until=3000-12";
    let answer = server.get(&format!("/lichess?moves=100&{every}"));
    assert_eq!(answer.header("tabia-ignored"), Some("speeds, since, until"));
    assert_eq!(total(&answer.json()), total(&all));
    let ignored = server.get("/x/book/lichess?speeds=blitz&ratings=2500&history=true");
    assert_eq!((ignored.status, ignored.header("tabia-ignored")), (200, Some("speeds, ratings, history")));
    let strict = Server::start(&bench, "book.tabia --strict-filters");
    assert_eq!(strict.refused("/lichess?speeds=blitz").0, 400);
}

#[test]
fn a_players_games_are_told_by_colour() {
    let bench = Workbench::new();
    let game = |(white, black, result, mv)| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. {mv} {result}\n\n")
    };
    let games =
        [("Ada", "Bob", "1-0", "e4"), ("Bob", "Ada", "0-1", "d4"), ("Eve", "Ada", "1-0", "c4")].map(game);
    bench.write("ada.pgn", games.concat());
    bench.ok("count ada.pgn -o ada.table --player Ada --by player-color --quiet");
    let server = Server::start(&bench, "ada.table");
    let answer = server.get("/player?player=ada&color=black&modes=casual,rated");
    assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
    assert_eq!((answer.header("tabia-ignored"), answer.text().lines().count()), (None, 1));
    let answer = answer.json();
    assert_eq!((answer["white"].as_u64(), answer["black"].as_u64()), (Some(1), Some(1)));
    assert_eq!(answer["queuePosition"], 0);
    assert_eq!(answer["moves"][0]["performance"], 0);
    // Where an opponent is to move, ratings are of the player's opponents all the same.
    let rated =
        ["[WhiteElo \"1500\"]", "[BlackElo \"2000\"]", &game(("Ada", "Bob", "1-0", "e4 e5"))].join("\n");
    bench.write("rated.pgn", rated);
    bench.ok("count rated.pgn -o rated.table --player Ada --by player-color --ratings --quiet");
    let rated = Server::start(&bench, "rated.table");
    for play in ["", "e2e4"] {
        let answer = rated.json(&format!("/player?player=Ada&color=white&play={play}"));
        let mv = &answer["moves"][0];
        assert_eq!(
            (mv["averageOpponentRating"].as_u64(), mv["performance"].as_u64()),
            (Some(2000), Some(2800))
        );
    }
    assert_eq!(server.refused("/personal?player=Zoe&color=white").0, 404);
    bench.ok("count ada.pgn -o ad.table --player /^Ad/ --by player-color --quiet");
    let other = Server::start(&bench, "ad.table").get("/personal?player=Zoe&color=white");
    assert_eq!(other.header("tabia-ignored"), Some("player"));
    assert_eq!(server.refused("/player?color=white").0, 400);
}

/// A game of Ada's in one table, and the sample in the others.
fn three_databases() -> Workbench {
    let bench = bench();
    let game = "[White \"Ada\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. b4 1-0\n";
    bench.write("ada.pgn", game);
    bench.ok("count ada.pgn -o ada.table --player Ada --by player-color --quiet");
    bench
}

#[test]
fn each_database_has_its_artefact() {
    let bench = three_databases();
    let server = Server::start(
        &bench,
        "poly.bin --name club=games.table --masters book.tabia --lichess club --player ada.table",
    );
    let names = server.json("/tabia/artefacts")["artefacts"].clone();
    let names: Vec<_> = names.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["poly", "club", "book", "ada"]);
    assert_eq!(server.json("/lichess"), server.json("/x/club/lichess"));
    assert_eq!(server.json("/masters"), server.json("/x/book/masters"));
    assert_eq!(server.json("/master"), server.json("/masters"));
    assert_ne!(server.json("/masters")["moves"], server.json("/lichess")["moves"]);
    let player = server.json("/player?player=Ada&color=white");
    assert_eq!(player["moves"][0]["uci"], "b2b4");
    // The default artefact answers everything else, and a name in the path goes before all.
    assert_eq!(server.json("/tabia/info")["kind"], server.json("/x/poly/tabia/info")["kind"]);
    assert_eq!(server.refused("/x/poly/lichess").0, 400);
    // No file but those of the options need be named.
    let alone = Server::start(&bench, "--lichess games.table");
    assert_eq!(alone.json("/masters")["white"], alone.json("/lichess")["white"]);
}

#[test]
fn a_game_is_found_whichever_database_named_it() {
    let bench = three_databases();
    let game = "[Event \"a\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n[UTCDate \"2013.01.11\"]\n[Result \"1-0\"]\n\n1. b4 1-0\n";
    bench.write("dated.pgn", game);
    bench.ok(
        "count dated.pgn -o ada.table --player Ada --by player-color --examples 1 --examples-min-games 1 -qf",
    );
    let server = Server::start(&bench, "--lichess games.table --player ada.table");
    let recent = server.json("/player?player=Ada&color=white")["recentGames"].clone();
    let id = recent[0]["id"].as_str().unwrap();
    for path in ["/lichess/game", "/masters/pgn", "/tabia/games", "/x/ada/lichess/game"] {
        let pgn = server.get(&format!("{path}/{id}")).text();
        assert!(pgn.contains("[Date \"2013.01.11\"]"), "{path}: {pgn}");
    }
    assert_eq!(server.refused("/lichess/game/0000000000000000").0, 404);
}

#[test]
fn databases_refuse_what_cannot_answer() {
    let bench = three_databases();
    let wrong = ["neither a file nor the name of a served artefact (`book`)"];
    bench.assert_fails("serve book.tabia --masters bok", 2, wrong);
    bench.assert_fails("serve --masters bok", 2, ["(nothing else)"]);
    bench.assert_fails(
        "serve book.tabia --lichess poly.bin",
        2,
        ["--lichess poly: a Polyglot book has no counts"],
    );
    bench.assert_fails("serve --player games.table", 2, ["--player games", "--by player-color"]);
}

#[test]
fn filters_that_are_ignored_are_reported_once() {
    let bench = bench();
    let server = Server::start(&bench, "games.table --masters book.tabia 2> warnings.txt");
    for path in ["/masters?since=1990", "/masters?since=1991", "/x/book/tabia/probe?since=1990&speeds=blitz"]
    {
        assert_eq!(server.get(path).status, 200);
    }
    // A filter that names every game changes no number.
    let every = "/lichess?speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence";
    assert_eq!(server.get(every).header("tabia-ignored"), Some("speeds"));
    let warnings = std::fs::read_to_string(bench.path("warnings.txt")).unwrap();
    assert_eq!(warnings.lines().count(), 2, "{warnings}");
    assert!(warnings.contains("book: the filter `since` of requests is ignored"), "{warnings}");
}

#[test]
fn a_table_with_examples_lists_games_and_gives_them() {
    let bench = Workbench::after(["count SAMPLE -o games.table --examples 3 --examples-min-games 5 --quiet"]);
    let server = Server::start(&bench, "games.table");
    let answer = server.json("/lichess?play=e2e4&topGames=2&recentGames=1");
    let [top, recent] = ["topGames", "recentGames"].map(|kind| answer[kind].as_array().unwrap().clone());
    assert_eq!((top.len(), recent.len()), (2, 1));
    assert!(server.json("/masters")["recentGames"].is_null());
    assert_eq!(server.json("/masters")["topGames"], server.json("/tabia/games?top=15")["games"]["top"]);
    let id = top[0]["id"].as_str().unwrap();
    let game = server.get(&format!("/masters/pgn/{id}"));
    assert_eq!((game.status, game.header("content-type")), (200, Some("application/x-chess-pgn")));
    let text = game.text();
    assert!(text.contains(&format!("[White \"{}\"]", top[0]["white"]["name"].as_str().unwrap())), "{text}");
    assert!(text.contains("\n1. e4 "), "{text}");
    bench.write("game.pgn", &text);
    let counted = bench.json("count game.pgn -o one.table --max-ply 0");
    assert_eq!(counted["accepted"], 1);
    for path in ["lichess/game", "master/pgn", "tabia/games", "x/games/tabia/games"] {
        assert_eq!(server.get(&format!("/{path}/{id}")).text(), text, "{path}");
    }
    for id in ["0000000000000000", "abc", "%ff"] {
        assert_eq!(server.get(&format!("/masters/pgn/{id}")).status, 404, "{id}");
    }
}

/// The ids of the games that an answer lists in `kind`.
fn ids(answer: &Value, kind: &str) -> Vec<String> {
    answer[kind].as_array().unwrap().iter().map(|game| game["id"].to_string()).collect()
}

#[test]
fn a_move_of_one_game_has_it_and_no_game_is_listed_twice() {
    let bench = Workbench::after([
        "count SAMPLE -o games.table --examples 8 --examples-min-games 1 --by rating-band,month --quiet",
        "count SAMPLE -o few.table --examples 8 --quiet",
    ]);
    let server = Server::start(&bench, "games.table few.table");
    let moves = |path: &str| server.json(path)["moves"].as_array().unwrap().clone();
    let line = "play=e2e4,e7e5,f2f4&moves=100";
    let mut found = 0;
    for filters in ["", "&ratings=2200", "&ratings=2500"] {
        let path = format!("/lichess?{line}{filters}");
        for mv in moves(&path) {
            let [white, draws, black] = ["white", "draws", "black"].map(|key| mv[key].as_u64().unwrap());
            let game = &mv["game"];
            assert_eq!(game.is_object(), white + draws + black == 1, "{filters}: {mv}");
            if game.is_object() {
                let winner = [Some("white"), None, Some("black")][(draws + 2 * black) as usize];
                assert_eq!((game["uci"].as_str(), game["winner"].as_str()), (mv["uci"].as_str(), winner));
                found += 1;
            }
        }
        let answer = server.json(&path);
        let [top, recent] = ["topGames", "recentGames"].map(|kind| ids(&answer, kind));
        assert!(top.len() == 4 && recent.len() <= 4 && !recent.iter().any(|id| top.contains(id)), "{answer}");
    }
    assert!(found > 0);
    // A client that wants no games, and a table that keeps none of a move of one game.
    for path in ["/lichess?topGames=0&recentGames=0", "/x/few/lichess?topGames=1"] {
        assert!(moves(&format!("{path}&{line}")).iter().all(|mv| mv["game"].is_null()), "{path}");
    }
    assert!(moves(&format!("/masters?topGames=0&{line}")).iter().any(|mv| mv["game"].is_object()));
    // The former path of the history.
    assert_eq!(server.json("/lichess/history")["history"], server.json("/lichess?history=true")["history"]);
}
