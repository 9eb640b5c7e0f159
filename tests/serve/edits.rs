//! Values of moves, set over HTTP.

use std::sync::atomic::AtomicBool;

use output::{OutputLock, Waiting};

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
    let put = |body: &str| server.ask("PUT /tabia/experience", &server.token(), body);
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
    assert_eq!(server.ask("DELETE /tabia/experience?move=e4", &server.token(), "").status, 200);
    assert_eq!(known(&server, "e2e4"), Value::Null);
    // Others may write the file, too.
    bench.ok("learn set --line c4 --value 9 --continue x.experience.parquet -o x.experience.parquet --force --quiet");
    until("the file is read again", || known(&server, "c2c4")["user_value"] == 9);
}

/// An edit waits a few seconds for another command that writes the file, and no longer.
#[test]
fn an_edit_does_not_wait_for_ever() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --experience x.parquet");
    let set = || server.ask("PUT /tabia/experience", &server.token(), r#"{"move":"e4","value":75}"#);
    let lock = OutputLock::take(&bench.path("x.parquet"), Waiting::Refuse, &AtomicBool::new(false)).unwrap();
    let refused = set();
    assert_eq!(refused.status, 503, "{}", refused.text());
    drop(lock);
    assert_eq!(set().status, 200);
}

#[test]
fn wrong_edits_and_those_of_others_change_nothing() {
    let bench = bench();
    bench.write("tokens", "ada 0123456789abcdef\n");
    let server = Server::start(&bench, "book.tabia games.table --experience x.parquet --tokens tokens");
    assert_eq!(server.0.token, "", "the tokens of the file are not printed");
    let put = |path: &str, headers: &str, body: &str| {
        server.ask(&format!("PUT {path}/tabia/experience"), headers, body).status
    };
    let (set, ada) = (r#"{"move":"e4","value":75}"#, "Authorization: Bearer 0123456789abcdef");
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
        assert_eq!(put("", ada, body), 400, "{body}");
    }
    assert_eq!(put("/x/games", ada, set), 400, "only the default artefact");
    assert_eq!(put("/x/none", ada, set), 404);
    let large = format!("{{\"move\":\"{}\"}}", "e".repeat(5000));
    assert_eq!(put("", ada, &large), 413);
    for other in ["", "Authorization: Bearer 0123456789abcdeX", "Authorization: Basic 0123456789abcdef"] {
        assert_eq!(put("", other, set), 403, "{other}");
        assert_eq!(put("", other, &large), 403, "{other}");
        assert_eq!(server.ask("DELETE /tabia/experience?move=e4", other, "").status, 403, "{other}");
    }
    for page in ["Origin: https://site.example", "Origin: null", "Sec-Fetch-Site: cross-site"] {
        assert_eq!(put("", &format!("{page}\n{ada}"), set), 403, "{page}");
    }
    assert!(!bench.path("x.parquet").exists());
    let own = format!("Origin: http://{}\nSec-Fetch-Site: same-origin\n{ada}", server.0.address);
    assert_eq!(put("", &own, set), 200);
    assert_eq!(put("", &format!("X-Forwarded-For: 192.0.2.1\n{ada}"), set), 200);
    let without = Server::start(&bench, "book.tabia");
    assert_eq!(without.ask("PUT /tabia/experience", ada, set).status, 403);
    assert_eq!(without.json("/tabia/artefacts")["artefacts"][0]["editable"], false);
}

/// That a request comes from this machine is no proof of who made it.
#[test]
fn edits_need_the_token_that_was_printed() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --experience x.parquet");
    let other = Server::start(&bench, "book.tabia --experience y.parquet");
    assert_eq!(server.0.token.len(), 32, "{}", server.0.line);
    assert_ne!(server.0.token, other.0.token);
    let put = |headers: &str| server.ask("PUT /tabia/experience", headers, r#"{"move":"e4","value":75}"#);
    let refused = put("");
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("token"), "{}", refused.text());
    assert_eq!(put(&other.token()).status, 403);
    let in_query = format!("PUT /tabia/experience?token={}", server.0.token);
    assert_eq!(server.ask(&in_query, "", r#"{"move":"e4","value":75}"#).status, 403);
    assert!(!bench.path("x.parquet").exists());
    assert_eq!(put(&server.token()).status, 200);
}
