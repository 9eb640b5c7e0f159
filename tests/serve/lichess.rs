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
    let other = server.get("/personal?player=Zoe&color=white");
    assert_eq!(other.header("tabia-ignored"), Some("player"));
    assert_eq!(server.refused("/player?color=white").0, 400);
}
