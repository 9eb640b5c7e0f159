//! Policies of a server that weigh games by age and rating.

use super::*;

const WEIGHTS: &str = "--half-life 2y --rating-weight 2000=3";

/// What `tabia probe` prints.
fn printed(bench: &Workbench, arguments: &str) -> Value {
    bench.json(&format!("probe {arguments}"))
}

/// The moves that `wilson` may play by `/tabia/policies`, as the server at `prefix` chooses.
fn played(server: &Server, prefix: &str) -> Vec<(Value, Value)> {
    let mut answer = server.json(&format!("{prefix}/tabia/policies"));
    let policies = answer["policies"].as_array_mut().unwrap();
    let wilson = policies.iter_mut().find(|policy| policy["name"] == "wilson").unwrap();
    wilson["moves"].as_array().unwrap().iter().map(|mv| (mv["uci"].clone(), mv["chance"].clone())).collect()
}

fn weights_of(server: &Server) -> Vec<Value> {
    let mut artefacts = server.json("/tabia/artefacts");
    artefacts["artefacts"].as_array_mut().unwrap().iter_mut().map(|served| served["weights"].take()).collect()
}

#[test]
fn policies_weigh_games_as_the_command_does() {
    let bench = bench();
    let server = Server::start(&bench, &format!("games.table book.tabia {WEIGHTS}"));
    for policy in ["wilson", "polyglot", "crafty"] {
        let weighted = printed(&bench, &format!("games.table --policy {policy} {WEIGHTS}"));
        let answer = server.json(&format!("/tabia/probe?policy={policy}"));
        assert_eq!(answer["choice"], weighted["choice"], "{policy}");
        assert_eq!(answer["tally"], weighted["tally"], "counts stay facts");
        assert_ne!(answer["choice"], printed(&bench, &format!("games.table --policy {policy}"))["choice"]);
    }
    let command = printed(&bench, &format!("games.table --policy wilson {WEIGHTS}"));
    let moves = command["choice"]["moves"].as_array().unwrap().iter();
    let chosen: Vec<_> = moves
        .filter(|mv| mv["probability"].as_f64().unwrap() > 0.0)
        .map(|mv| (mv["uci"].clone(), mv["probability"].clone()))
        .collect();
    assert_eq!(played(&server, ""), chosen);
    // A book knows no game apart: its policies choose as without weights.
    let book = printed(&bench, "book.tabia --policy wilson");
    assert_eq!(server.json("/x/book/tabia/probe?policy=wilson")["choice"], book["choice"]);
    let weights = weights_of(&server);
    let described = weights[0].as_str().unwrap();
    assert!(described.starts_with("half-life=2y as-of=") && described.ends_with("rating-weight=2000=3"));
    assert_eq!(weights[1], Value::Null);
}

#[test]
fn weights_hold_for_a_table_that_is_replaced() {
    let bench = bench();
    let server = Server::start(&bench, "games.table --half-life 1y");
    let tag = |server: &Server| server.get("/tabia/artefacts").header("etag").unwrap().to_owned();
    let (before, described, first) = (played(&server, ""), weights_of(&server), tag(&server));
    let later = "[Date \"2031.05.01\"]\n[Result \"1-0\"]\n\n1. a4 1-0\n\n";
    bench.write("later.pgn", later.repeat(20));
    bench.ok("add games.table later.pgn --quiet");
    until("the table is opened anew", || tag(&server) != first);
    // The newest month is another one, so all games are older now.
    assert_eq!(weights_of(&server), ["half-life=1y as-of=2031-05"]);
    assert_ne!(described, weights_of(&server));
    assert_ne!(played(&server, ""), before);
    let weighted = printed(&bench, "games.table --policy wilson --half-life 1y");
    assert_eq!(server.json("/tabia/probe?policy=wilson")["choice"], weighted["choice"]);
    // A table that cannot be weighted does not take its place.
    bench.ok("count later.pgn -o games.table --force --quiet");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(weights_of(&server), ["half-life=1y as-of=2031-05"]);
}

#[test]
fn answers_have_another_tag_by_other_weights() {
    let bench = bench();
    let tag = |arguments: &str| {
        let server = Server::start(&bench, arguments);
        server.get("/tabia/policies").header("etag").unwrap().to_owned()
    };
    let plain = tag("games.table");
    assert_eq!(plain, tag("games.table"));
    let weighted = tag("games.table --half-life 3y");
    assert!(weighted != plain && weighted != tag("games.table --half-life 4y"));
}

#[test]
fn a_default_artefact_that_cannot_be_weighted_is_refused() {
    let bench = bench();
    bench.ok("count SAMPLE -o plain.table --quiet");
    for (arguments, expected) in [
        (
            "serve book.tabia games.table --half-life 3y",
            "book.tabia is a book, which cannot give games different weights",
        ),
        ("serve poly.bin --rating-weight 2000=2", "poly.bin is a Polyglot book"),
        ("serve plain.table --half-life 3y", "grouped by month; count the games with --by month"),
        ("serve games.table --as-of 2015-01", "--half-life"),
    ] {
        bench.assert_fails(arguments, 2, [expected]);
    }
}
