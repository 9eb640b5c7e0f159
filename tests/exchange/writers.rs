//! Whose records they are, and how much one writer's word counts.

use std::os::unix::fs::PermissionsExt as _;

use super::*;

const TOKENS: &str = "ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\neve eeeeeeeeeeeeeeeeeeee\nroot rrrrrrrrrrrrrrrrrrrr all\n";

/// A server that knows writers by tokens of their first letter.
fn gang(bench: &Workbench, flags: &str) -> Server {
    bench.write("tokens", TOKENS);
    Server::start(bench, &format!("shared --table s.table --min-games 2 --tokens tokens {flags}"))
}

fn token(letter: &str) -> String {
    format!("Authorization: Bearer {}", letter.repeat(20))
}

impl Server {
    fn post_as(&self, letter: &str, query: &str, text: &str) -> Value {
        let answer = self.ask_of_book(&format!("POST /records?{query}"), &token(letter), text.as_bytes());
        assert!([200, 201].contains(&answer.status), "{}", answer.text());
        answer.json()
    }

    fn clear_as(&self, letter: &str, source: &str) -> Value {
        self.ask(&format!("DELETE /records?source={source}"), &token(letter), b"").json()
    }

    /// Number, first writer and others of each record.
    fn writers(&self) -> Vec<(u64, String, Vec<String>)> {
        let answer = self.ask("GET /records", &token("r"), b"");
        let of = |line: &str| {
            let record: Value = serde_json::from_str(line).unwrap();
            let others = serde_json::from_value(record["others"].clone()).unwrap();
            (record["number"].as_u64().unwrap(), record["writer"].as_str().unwrap().to_owned(), others)
        };
        answer.text().lines().map(of).collect()
    }

    /// The rows of the experience.
    fn shown(&self, bench: &Workbench) -> String {
        let fetched = self.ask_of_book("GET /experience", &token("r"), b"");
        assert_eq!(fetched.status, 200, "{}", fetched.text());
        bench.write("now.parquet", fetched.body);
        bench.ok("experience show now.parquet --json")
    }
}

fn owned(writers: &[(u64, &str, &[&str])]) -> Vec<(u64, String, Vec<String>)> {
    let strings = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    writers.iter().map(|&(number, first, others)| (number, first.to_owned(), strings(others))).collect()
}

/// What was acknowledged to one writer stays when another takes back the same record.
#[test]
fn a_record_stays_as_long_as_one_of_its_writers() {
    let bench = counted();
    let server = gang(&bench, "");
    for (letter, number, is_new) in
        [("a", 1, true), ("b", 1, false), ("b", 1, false), ("e", 1, false), ("a", 1, false)]
    {
        let posted = server.post_as(letter, "player=E", &game(0));
        assert_eq!((posted["number"].as_u64(), posted["new"].as_bool()), (Some(number), Some(is_new)));
    }
    server.post_as("a", "player=E", &game(1));
    server.post_as("e", "player=E", &game(2));
    server.post_as("a", "player=E", &game(2));
    let [first, second, third] = [1, 4, 5];
    let all = owned(&[(first, "ada", &["bob", "eve"]), (second, "ada", &[]), (third, "eve", &["ada"])]);
    assert_eq!(server.writers(), all);
    let about = server.ask("GET /", &token("r"), b"").json();
    assert_eq!(about["records"].as_u64(), Some(3));

    drop(server); // killed
    let server = gang(&bench, "");
    assert_eq!(server.writers(), all);
    let cleared = server.clear_as("a", "ada");
    assert_eq!((cleared["removed"].as_u64(), cleared["left"].as_u64()), (Some(1), Some(2)));
    assert_eq!(server.writers(), owned(&[(first, "bob", &["eve"]), (third, "eve", &[])]));
    let shown = server.shown(&bench);
    assert!(shown.contains("bob") && shown.contains("eve") && !shown.contains("ada"), "{shown}");
    bench.write("rest.parquet", std::fs::read(bench.path("now.parquet")).unwrap());
    learned(&bench, [0, 2].into_iter(), "each.parquet");
    assert!(differences(&bench, "rest.parquet", "each.parquet").starts_with("0 differences, "));

    let server = {
        drop(server);
        gang(&bench, "")
    };
    assert_eq!(server.clear_as("b", "bob")["left"].as_u64(), Some(1));
    assert_eq!(server.clear_as("e", "eve")["removed"].as_u64(), Some(2));
    assert_eq!(server.writers(), []);
    assert_eq!(server.clear_as("r", "eve")["removed"].as_u64(), Some(0));
}

/// A folder of an older server is read as it is, and its records are its owner's from then on.
#[test]
fn records_of_before_are_read_and_made_private() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table");
    server.post(&game(0));
    server.stop();
    let journal = bench.path("shared/records.journal");
    let mode = || fs::metadata(&journal).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&journal, fs::Permissions::from_mode(0o644)).unwrap();
    let server = Server::start(&bench, "shared --table s.table");
    assert_eq!(mode(), 0o600);
    assert_eq!(server.post(&game(0))["new"].as_bool(), Some(false));
    assert!(!bench.text("shared/records.journal").contains("% also"), "its writer is known");
    assert_eq!(server.ask("DELETE /records?source=E", "", b"").json()["removed"].as_u64(), Some(1));
    assert_eq!(mode(), 0o600);
}

/// A record of a game that was lost after 1.e4, which had a choice.
fn lost(number: u32) -> String {
    format!(
        "[White \"Crafty 15.17\"]\n[Black \"O{number}\"]\n[Date \"1998.09.01\"]\n e4 {{-99900 {number} 0}}\n"
    )
}

/// The learned value of 1.e4.
fn learned_e4(bench: &Workbench, server: &Server) -> f64 {
    let shown = server.shown(bench);
    let mut rows = shown.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.find(|row| row["san"] == "e4" && row["line"] == "").unwrap()["known"]["learn"].as_f64().unwrap()
}

#[test]
fn one_writers_word_bans_only_where_that_is_wanted() {
    let bench = counted();
    for (flags, expected) in [
        ("", vec![-999.0, -999.0, -999.0]),
        ("--result-records soften", vec![-3.0, -3.0, -3.0]),
        ("--max-lesson 0.75", vec![-0.75, -0.75, -0.75]),
        ("--ban-writers 2", vec![-0.79, -0.79, -499.895]),
        ("--ban-writers 2 --max-lesson 0.75", vec![-0.75, -0.75, -0.75]),
    ] {
        let _ = fs::remove_dir_all(bench.path("shared"));
        let server = gang(&bench, flags);
        let values: Vec<_> = [("e", 1), ("e", 2), ("b", 3)]
            .map(|(letter, number)| {
                server.post_as(letter, "layout=crafty", &lost(number));
                learned_e4(&bench, &server)
            })
            .into();
        let is_close = values.iter().zip(&expected).all(|(found, expected)| (found - expected).abs() < 0.001);
        assert!(is_close, "{flags}: {values:?}");
    }
    let _ = fs::remove_dir_all(bench.path("shared"));
    let server = gang(&bench, "--result-records skip");
    server.post_as("e", "layout=crafty", &lost(1));
    assert!(!server.shown(&bench).contains("\"learn\":-"));
}

#[test]
fn writers_are_counted_where_they_are_known() {
    let bench = Workbench::after(["build SAMPLE -o s.tabia"]);
    bench.assert_fails("exchange x --book s.tabia --ban-writers 2", 2, ["--tokens"]);
    bench.fails("exchange x --book s.tabia --ban-writers 0", 2);
    for wrong in ["0", "-1", "much", "inf", "NaN"] {
        bench.assert_fails(&format!("exchange x --book s.tabia --max-lesson={wrong}"), 2, ["pawns"]);
    }
}
