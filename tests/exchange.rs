//! `tabia exchange`: a server that shares lessons, over HTTP as any client sees it.

mod players;
mod refusals;
mod writers;

use std::fs;

use serde_json::Value;

use crate::{
    asking::{Answer, Listening, ask},
    workbench::Workbench,
};

/// A server in the folder of a workbench.
struct Server {
    listening: Listening,
    /// The identity of its book.
    book: String,
}

impl Server {
    /// `tabia exchange` with these arguments, at a port of its own.
    fn start(bench: &Workbench, arguments: &str) -> Self {
        Self::start_after(bench, "true", arguments)
    }

    /// As [`Self::start`], by a shell that runs a command before.
    fn start_after(bench: &Workbench, before: &str, arguments: &str) -> Self {
        let command =
            format!("{before} && exec \"$TABIA\" exchange {arguments} --listen 127.0.0.1:0 --quiet");
        let listening = Listening::start(&mut bench.shell(&command));
        let book = listening.line.split_whitespace().nth(3).unwrap().trim_end_matches(':').to_owned();
        Self { listening, book }
    }

    /// A request with headers, one a line.
    fn ask(&self, request: &str, headers: &str, body: &[u8]) -> Answer {
        ask(&self.listening.address, request, headers, body)
    }

    /// A request with the header that names the server's book.
    fn ask_of_book(&self, request: &str, headers: &str, body: &[u8]) -> Answer {
        self.ask(request, &format!("Tabia-Book: {}\n{headers}", self.book), body)
    }

    fn post(&self, game: &str) -> Value {
        let answer = self.ask_of_book("POST /records?player=E", "", game.as_bytes());
        assert!([200, 201].contains(&answer.status), "{}", answer.text());
        answer.json()
    }

    /// The experience, written to a file.
    fn fetch(&self, bench: &Workbench, file: &str) -> Answer {
        let answer = self.ask_of_book("GET /experience", "", b"");
        assert_eq!(answer.status, 200, "{}", answer.text());
        bench.write(file, &answer.body);
        answer
    }

    /// Asks it to end, and expects that it does.
    fn stop(self) {
        self.listening.stop();
    }
}

/// A game of E with values of its searches; games of other numbers are others.
fn game(number: u32) -> String {
    let (white, black) = if number.is_multiple_of(2) { ("E", "O") } else { ("O", "E") };
    let result = ["0-1", "1-0", "1/2-1/2"][number as usize % 3];
    let lines =
        ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1. d4 d5 2. c4 e6 3. Nc3 Nf6", "1. e4 c5 2. Nf3 d6 3. d4 cxd4"];
    let line = lines[number as usize / 2 % 3];
    let pawns = f64::from(number % 40) / 20.0 - 1.0;
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"2026.11.{:02}\"]\n[Round \"{number}\"]\n[Result \"{result}\"]\n\n\
         {line} 4. a4 {{{pawns:+.2}/12}} h6 {{{:+.2}/11}} 5. h4 {{{:+.2}/12}} h5 {{+0.10/9}} {result}\n",
        number % 28 + 1,
        -pawns,
        pawns - 0.4
    )
}

/// `s.table` of the sample.
fn counted() -> Workbench {
    Workbench::after(["count SAMPLE -o s.table"])
}

/// Runs a `learn` once more over what it has written to `output`.
fn learn_more(bench: &Workbench, arguments: &str, output: &str) {
    let mut more = String::new();
    if bench.path(output).exists() {
        fs::rename(bench.path(output), bench.path("before.parquet")).unwrap();
        more.push_str("--continue before.parquet");
    }
    bench.ok(&format!(
        "learn {arguments} --table s.table --min-games 2 -o {output} --force --allow-empty {more}"
    ));
}

/// What `learn games` teaches of games, one run each.
fn learned(bench: &Workbench, games: impl Iterator<Item = u32>, output: &str) {
    for number in games {
        bench.write("one.pgn", game(number));
        learn_more(bench, "games one.pgn --player E --search", output);
    }
}

fn differences(bench: &Workbench, first: &str, second: &str) -> String {
    bench.ok(&format!("experience diff {first} {second}")).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_experience_is_that_of_learning_each_record_in_order() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table --min-games 2");
    for number in 0..12 {
        let posted = server.post(&game(number));
        assert_eq!(posted["number"], number + 1);
        assert_eq!(posted["new"], true);
        if number % 5 == 0 {
            server.fetch(&bench, "between.parquet");
        }
    }
    server.fetch(&bench, "shared.parquet");
    learned(&bench, 0..12, "each.parquet");
    assert!(differences(&bench, "shared.parquet", "each.parquet").starts_with("0 differences, "));
    assert!(!differences(&bench, "between.parquet", "each.parquet").starts_with("0 differences, "));
    server.stop();
}

#[test]
fn a_record_that_is_posted_again_counts_once_and_a_restart_changes_nothing() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table");
    let numbers: Vec<_> = (0..4).map(|number| server.post(&game(number))["number"].clone()).collect();
    let again = server.post(&game(2));
    assert_eq!((&again["number"], again["new"].as_bool()), (&numbers[2], Some(false)));
    let first = server.fetch(&bench, "first.parquet");
    drop(server); // killed

    let server = Server::start(&bench, "shared --table s.table");
    assert_eq!(server.post(&game(3))["new"].as_bool(), Some(false));
    let second = server.fetch(&bench, "second.parquet");
    assert!(first.body == second.body && first.header("etag") == second.header("etag"));
    let about = server.ask("GET /", "", b"").json();
    assert_eq!((about["records"].as_u64(), about["last"].as_u64()), (Some(4), Some(4)));
    server.stop();
}

#[test]
fn records_are_read_after_a_number() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table");
    (0..3).for_each(|number| drop(server.post(&game(number))));
    let read = |after: u64| -> Vec<Value> {
        let answer = server.ask(&format!("GET /records?after={after}"), "", b"");
        answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    assert_eq!(read(0).len(), 3);
    assert_eq!(read(3), [Value::Null; 0]);
    let last = &read(2)[0];
    assert_eq!(last["number"], 3);
    assert_eq!(last["player"], "E");
    assert_eq!(last["writer"], "E");
    assert_eq!(last["text"].as_str(), Some(game(2).as_str()));
    let journal = bench.text("shared/records.journal");
    assert_eq!(journal.matches("[White ").count(), 3, "{journal}");
    bench.ok("count shared/records.journal -o again.table");
}

#[test]
fn an_experience_that_has_not_changed_is_not_sent_again() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table");
    server.post(&game(0));
    let tag = server.fetch(&bench, "x.parquet").header("etag").unwrap().to_owned();
    let again = server.ask_of_book("GET /experience", &format!("If-None-Match: {tag}"), b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    server.post(&game(1));
    let changed = server.ask_of_book("GET /experience", &format!("If-None-Match: {tag}"), b"");
    assert!(changed.status == 200 && changed.header("etag") != Some(&tag));
}

#[test]
fn what_a_writer_posted_can_be_cleared() {
    let bench = counted();
    bench.write(
        "tokens",
        "ada aaaaaaaaaaaaaaaaaaaa\nbob bbbbbbbbbbbbbbbbbbbb\nroot rrrrrrrrrrrrrrrrrrrr all\n",
    );
    let server = Server::start(&bench, "shared --table s.table --min-games 2 --tokens tokens");
    let token = |letter: &str| format!("Authorization: Bearer {}", letter.repeat(20));
    for number in 0..6 {
        let writer = token(if number < 3 { "a" } else { "b" });
        let answer = server.ask_of_book("POST /records?player=E", &writer, game(number).as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.text());
    }
    let clear =
        |who: &str, source: &str| server.ask(&format!("DELETE /records?source={source}"), &token(who), b"");
    assert_eq!(clear("a", "bob").status, 403);
    assert_eq!(clear("a", "ada").json()["removed"].as_u64(), Some(3));
    let fetched = server.ask_of_book("GET /experience", &token("b"), b"");
    bench.write("rest.parquet", fetched.body);
    learned(&bench, 3..6, "bobs.parquet");
    assert!(differences(&bench, "rest.parquet", "bobs.parquet").starts_with("0 differences, "));
    let shown = bench.ok("experience show rest.parquet --json");
    assert!(shown.contains("bob") && !shown.contains("ada"), "the writer is named in the provenance");
    let answer = server.ask_of_book("POST /records?player=E", &token("a"), game(0).as_bytes());
    assert_eq!(answer.status, 201, "numbers are not given again");
    assert_eq!(answer.json()["number"], 7, "numbers are not given again");
    assert_eq!(clear("r", "bob").json()["removed"].as_u64(), Some(3));
}

#[test]
fn craftys_records_teach_as_they_do_in_learn_crafty() {
    let bench = counted();
    let server = Server::start(&bench, "shared --table s.table --min-games 2");
    let record = |number: usize| {
        let moves =
            ["e4 e5 Nf3 Nc6 Bb5 a6 Ba4", "d4 d5 c4 e6 Nc3 Nf6", "e4 c5 Nf3 d6 d4 cxd4 Nxd4"][number % 3];
        format!(
            "[White \"Crafty 15.17\"]\n[Black \"O{number}\"]\n[Date \"1998.09.{:02}\"]\n {moves} {{{} 5 0}}\n",
            number + 1,
            40 - 30 * i64::try_from(number).unwrap()
        )
    };
    for number in 0..6 {
        let answer = server.ask_of_book("POST /records?layout=crafty", "", record(number).as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.text());
        bench.write("one.lrn", record(number));
        learn_more(&bench, "crafty one.lrn", "each.parquet");
    }
    server.fetch(&bench, "shared.parquet");
    let said = differences(&bench, "shared.parquet", "each.parquet");
    assert!(said.starts_with("0 differences, ") && !said.starts_with("0 differences, 0"), "{said}");
    let refused = server.ask_of_book("POST /records?layout=crafty", "", b"[White \"a\"]\n e4 e5\n");
    assert!(refused.status == 422 && refused.text().contains("Crafty's layout"), "{}", refused.text());
}
