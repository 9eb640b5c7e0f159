//! Our own answers.

use super::*;

#[test]
fn a_probe_is_what_the_command_prints_and_more() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia games.table poly.bin");
    for (name, file) in [("book", "book.tabia"), ("games", "games.table"), ("poly", "poly.bin")] {
        let printed = bench.json(&format!("probe {file} --line e4 --policy polyglot"));
        let mut answer = server.json(&format!("/x/{name}/tabia/probe?play=e2e4&policy=polyglot"));
        assert_eq!((answer["line"].as_str(), answer["ply"].as_u64()), (Some("1. e4"), Some(1)));
        assert_eq!(answer["opening"]["eco"], "B00");
        for mv in answer["moves"].as_array_mut().unwrap() {
            assert!(mv.as_object_mut().unwrap().remove("opening").is_some());
        }
        for (key, value) in printed.as_object().unwrap() {
            assert_eq!(answer[key], *value, "{file}: {key}");
        }
    }
}

/// Several positions are asked for at once, in any order, one of them in no game.
#[test]
fn several_positions_are_probed_at_once() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia games.table poly.bin");
    let fens = [
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR+b+KQkq+-",
        "8/8/8/8/8/k7/8/K7+w+-+-",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR+w+KQkq+-",
    ];
    for name in ["book", "games", "poly"] {
        let answer = server.json(&format!("/x/{name}/tabia/probes?fen={}", fens.join("&fen=")));
        let probes = answer["probes"].as_array().unwrap();
        assert_eq!(probes.len(), 3);
        for (fen, probe) in fens.iter().zip(probes) {
            let single = server.json(&format!("/x/{name}/tabia/probe?fen={fen}"));
            for field in ["fen", "key", "found", "tally"] {
                assert_eq!(probe[field], single[field], "{name}, {fen}: {field}");
            }
            let moves = |probe: &Value| -> Vec<_> {
                probe["moves"].as_array().unwrap().iter().map(|mv| mv["uci"].clone()).collect()
            };
            assert_eq!(moves(probe), moves(&single), "{name}, {fen}");
        }
    }
    assert_eq!(server.json("/tabia/probes")["probes"], Value::Array(Vec::new()));
    assert_eq!(server.get("/tabia/probes?fen=x").status, 400);
}

#[test]
fn results_by_month_and_band_sum_up() {
    let bench = bench();
    let server = Server::start(&bench, "games.table");
    let answer = server.json("/tabia/probe?history=moves&bands=true");
    let games = |list: &Value| -> u64 {
        let of = |part: &Value| {
            ["white", "draws", "black"].map(|key| part[key].as_u64().unwrap()).iter().sum::<u64>()
        };
        list.as_array().unwrap().iter().map(of).sum()
    };
    let all = answer["tally"]["games"].as_u64().unwrap();
    assert!((1..=all).contains(&games(&answer["history"])) && (1..=all).contains(&games(&answer["bands"])));
    let first = &answer["moves"][0];
    assert!((1..=first["games"].as_u64().unwrap()).contains(&games(&first["history"])));
    let band = answer["bands"][0]["band"].as_u64().unwrap();
    let filtered = server.json(&format!("/tabia/probe?ratings={band}&speeds=blitz&bands=true"));
    assert_eq!(filtered["ignored"], serde_json::json!([]));
    assert!(filtered["tally"]["games"].as_u64().unwrap_or(0) < all);
}

#[test]
fn no_policy_plays_what_is_banned() {
    let bench = bench();
    bench.ok_at("learn set --priority 0 -o never.parquet", "e4");
    bench.ok("compact games.table --experience never.parquet -o book.tabia --force --quiet");
    let server = Server::start(&bench, "book.tabia");
    let policies = server.json("/tabia/policies")["policies"].take();
    for policy in policies.as_array().unwrap() {
        let name = policy["name"].as_str().unwrap();
        let choice = server.json(&format!("/tabia/probe?policy={name}"))["choice"].take();
        for moves in [&policy["moves"], &choice["moves"]] {
            let e4 = moves.as_array().unwrap().iter().find(|mv| mv["san"] == "e4");
            let chance = e4.and_then(|mv| mv["chance"].as_f64().or(mv["probability"].as_f64()));
            assert!(chance.unwrap_or(0.0) <= 0.0, "{name}: {moves}");
        }
    }
}

#[test]
fn policies_say_what_they_would_play() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia poly.bin");
    let answer = server.json("/tabia/policies");
    let policies = answer["policies"].as_array().unwrap();
    let names: Vec<_> = policies.iter().map(|policy| policy["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"wilson") && names.contains(&"terra"), "{names:?}");
    for policy in policies {
        let chances: f64 =
            policy["moves"].as_array().unwrap().iter().map(|mv| mv["chance"].as_f64().unwrap()).sum();
        let is_error = policy["error"].is_string();
        assert!(is_error || chances == 0.0 || (chances - 1.0).abs() < 1e-9, "{policy}");
    }
}

#[test]
fn holes_are_moves_without_an_answer() {
    let bench = Workbench::new();
    let game = |moves: &str| crate::workbench::game(moves, "1-0");
    bench.write("mine.pgn", game("1. e4 e5 2. Nf3 Nc6 3. Bb5"));
    bench.write(
        "theirs.pgn",
        [("1. e4 e5 2. Nf3 Nc6", 5), ("1. e4 e5 2. Nf3 d6", 2), ("1. e4 c5 2. d4", 3)]
            .map(|(moves, times)| game(moves).repeat(times))
            .concat(),
    );
    bench.ok("count mine.pgn -o mine.table --quiet");
    bench.ok("count theirs.pgn -o theirs.table --quiet");
    let server = Server::start(&bench, "mine.table theirs.table");
    let answer = server.json("/tabia/holes?color=white&against=theirs");
    assert_eq!(answer["complete"], true);
    let holes: Vec<_> = answer["holes"].as_array().unwrap().iter().collect();
    let lines: Vec<_> = holes.iter().map(|hole| hole["line"].as_str().unwrap()).collect();
    assert_eq!(lines, ["1. e4 c5", "1. e4 e5 2. Nf3 d6"]);
    assert_eq!((holes[0]["play"].as_str(), holes[0]["games"].as_u64()), (Some("e2e4,c7c5"), Some(3)));
    let reach = |at: usize| holes[at]["reach"].as_f64().unwrap();
    assert!((reach(0) - 0.3).abs() < 1e-9 && (reach(1) - 0.7 * 2.0 / 7.0).abs() < 1e-9, "{answer}");
    let few = server.json("/tabia/holes?color=white&against=theirs&limit=1");
    assert_eq!((few["holes"].as_array().unwrap().len(), &few["complete"]), (1, &Value::Bool(false)));
    let rare = server.json("/tabia/holes?color=white&against=theirs&min_share=0.5");
    assert_eq!(rare["holes"], serde_json::json!([]));
    let compared = server.json("/tabia/compare?other=theirs&play=e2e4");
    let difference = |at: usize| compared["moves"][at]["difference"].as_f64().unwrap();
    assert!(
        (difference(0).abs() - 0.3).abs() < 1e-9 && (difference(1).abs() - 0.3).abs() < 1e-9,
        "{compared}"
    );
}

#[test]
fn a_damaged_artefact_is_named_as_it_is_served() {
    let bench = bench();
    bench.ok("compact games.table -o hurt.tabia --quiet");
    let mut book = bench.read("hurt.tabia");
    // Entries ascend by key: the blocks around that of the start position, and not the first and the last
    // ones, which are read when a book is opened.
    let (from, to) = (book.len() / 5, book.len() * 2 / 5);
    (from..to).step_by(16 << 10).for_each(|at| book[at] ^= 1);
    bench.write("hurt.tabia", book);
    let server = Server::start(&bench, "games.table hurt.tabia");
    for path in ["/tabia/compare?other=hurt", "/tabia/holes?against=hurt", "/x/hurt/tabia/probe"] {
        let (status, text) = server.refused(path);
        assert!(
            status == 500 && text.contains("hurt") && !text.contains("hurt.tabia"),
            "{path}: {status} {text}"
        );
    }
}

#[test]
fn the_description_names_every_path() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia");
    let description = server.json("/openapi.json");
    for (path, operations) in description["paths"].as_object().unwrap() {
        let answer = server.get(&path.replace("{id}", "aAbBcCdD"));
        let has_get = operations.get("get").is_some();
        assert_eq!(answer.status == 405, !has_get, "{path}: {}", answer.status);
    }
    let page = server.get("/");
    assert!(page.status == 200 && page.header("content-security-policy").is_some());
    assert_eq!(
        server.ask("GET /lichess", "Accept-Encoding: gzip", "").header("content-encoding"),
        Some("gzip")
    );
}

#[test]
fn openings_are_found_by_words_of_their_name_and_by_code() {
    let bench = bench();
    let server = Server::start(&bench, "games.table poly.bin book.tabia");
    let found = |path: &str| server.json(path)["openings"].as_array().unwrap().clone();
    let lopez = found("/tabia/openings?name=RUY%20lopez");
    assert_eq!((&lopez[0]["eco"], &lopez[0]["name"]), (&"C60".into(), &"Ruy Lopez".into()));
    let play = lopez[0]["play"].as_str().unwrap();
    let probe = server.json(&format!("/tabia/probe?play={play}"));
    assert_eq!(probe["opening"], serde_json::json!({ "eco": "C60", "name": "Ruy Lopez" }));
    assert_eq!(found("/tabia/openings?name=b20")[0]["play"], "e2e4,c7c5");
    assert!(!found("/x/poly/tabia/openings?name=queens%20pawn").is_empty());
    assert!(found("/x/book/tabia/openings?name=no%20such%20opening").is_empty());
    assert_eq!(server.refused("/tabia/openings?name=x").0, 400);
}

/// A book of one side has no moves of the other: its replies that lead back into the book are followed.
#[test]
fn openings_are_found_in_books_of_one_side() {
    let bench = bench();
    for color in ["white", "black"] {
        bench.ok(&format!("compact games.table -o {color}.tabia --min-games 2 --color {color} --quiet"));
        bench.ok(&format!("export polyglot {color}.tabia -o {color}.bin --quiet"));
    }
    let server = Server::start(&bench, "white.tabia black.tabia white.bin black.bin");
    for name in ["white", "black", "white.bin", "black.bin"] {
        let found = server.json(&format!("/x/{name}/tabia/openings?name=ruy%20lopez"));
        assert_eq!(found["complete"], false, "{name}: there are more than twelve");
        let none = server.json(&format!("/x/{name}/tabia/openings?name=no%20such%20opening"));
        assert_eq!(none["complete"], true, "{name}: all positions were looked at");
        let color = name.trim_end_matches(".bin");
        assert_eq!(server.json(&format!("/x/{name}/tabia/probes"))["side"], color);
        let holes = |against: &str| {
            server.json(&format!("/x/{name}/tabia/holes?color={color}{against}"))["checked"] == true
        };
        let other = if color == "white" { "black" } else { "white" };
        assert!(!holes("") && !holes(&format!("&against={color}")) && holes(&format!("&against={other}")));
        let line = found["openings"][0]["play"].as_str().unwrap_or_default();
        assert_eq!(line, "e2e4,e7e5,g1f3,b8c6,f1b5", "{name}: {found}");
    }
}
