//! Values of moves, set over HTTP.

use super::*;

/// The value of a move that is shown.
fn known(server: &Server, uci: &str) -> Value {
    let answer = server.json("/tabia/probe");
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().find(|mv| mv["uci"] == uci).unwrap()["known"].clone()
}

#[test]
fn values_are_set_as_by_the_command_and_seen_at_once() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia games.table --experience x.experience.parquet");
    let put = |body: &str| server.ask("PUT /tabia/experience", "", body);
    let set = put(r#"{"move":"e2e4","value":75,"priority":4}"#);
    assert_eq!(set.text(), r#"{"set":true,"rows":1}"#);
    assert_eq!(known(&server, "e2e4")["user_value"], 75);
    assert_eq!(known(&server, "e2e4")["priority"], 4);
    assert_eq!(put(r#"{"move":"d4","value":"??"}"#).status, 200);
    assert_eq!(known(&server, "d2d4")["mark"], "??");
    // Terra never plays a move with the value 0.
    assert_eq!(put(r#"{"move":"e4","value":0}"#).status, 200);
    let terra = server.json("/tabia/probe?policy=terra")["choice"]["moves"].clone();
    let e4 = terra.as_array().unwrap().iter().find(|mv| mv["uci"] == "e2e4").unwrap();
    assert_eq!(e4["probability"].as_f64(), Some(0.0), "{e4}");
    // The command's file of the same values has the same rows.
    bench.ok("learn set --line e4 --value 75 --priority 4 -o y.parquet --quiet");
    bench.ok("learn set --line d4 --value ?? --continue y.parquet -o y.parquet --force --quiet");
    bench.ok("learn set --line e4 --value 0 --continue y.parquet -o y.parquet --force --quiet");
    let shown = |file: &str| bench.ok(&format!("experience show {file} --json"));
    assert_eq!(shown("x.experience.parquet"), shown("y.parquet"));
    assert_eq!(server.ask("DELETE /tabia/experience?move=e4", "", "").status, 200);
    assert_eq!(known(&server, "e2e4"), Value::Null);
    // Others may write the file, too.
    bench.ok("learn set --line c4 --value 9 --continue x.experience.parquet -o x.experience.parquet --force --quiet");
    until("the file is read again", || known(&server, "c2c4")["user_value"] == 9);
}

#[test]
fn wrong_edits_and_those_of_others_change_nothing() {
    let bench = bench();
    bench.write("tokens", "ada 0123456789abcdef\n");
    let server = Server::start(&bench, "book.tabia games.table --experience x.parquet --tokens tokens");
    let put = |path: &str, headers: &str, body: &str| {
        server.ask(&format!("PUT {path}/tabia/experience"), headers, body).status
    };
    let set = r#"{"move":"e4","value":75}"#;
    for body in [
        "",
        "{}",
        "[]",
        r#"{"move":"e4"}"#,
        r#"{"move":"e5","value":1}"#,
        r#"{"move":"e4","value":101}"#,
        r#"{"move":"e4","value":12.5}"#,
        r#"{"move":"e4","priority":6}"#,
        r#"{"move":"e4","value":1,"more":2}"#,
    ] {
        assert_eq!(put("", "", body), 400, "{body}");
    }
    assert_eq!(put("/x/games", "", set), 400, "only the default artefact");
    let large = format!("{{\"move\":\"{}\"}}", "e".repeat(5000));
    assert_eq!(put("", "", &large), 413);
    for headers in
        ["Origin: https://site.example", "Sec-Fetch-Site: cross-site", "X-Forwarded-For: 192.0.2.1"]
    {
        assert_eq!(put("", headers, set), 403, "{headers}");
        assert_eq!(put("", &format!("{headers}\nAuthorization: Bearer 0123456789abcdeX"), set), 403);
    }
    assert!(!bench.path("x.parquet").exists());
    assert_eq!(put("", "X-Forwarded-For: 192.0.2.1\nAuthorization: Bearer 0123456789abcdef", set), 200);
    let without = Server::start(&bench, "book.tabia");
    assert_eq!(without.ask("PUT /tabia/experience", "", set).status, 403);
    assert_eq!(without.json("/tabia/artefacts")["artefacts"][0]["editable"], false);
}
