//! Learning from end to end: what records, games, marks and users teach, from text to book, with the binary.

#![expect(clippy::float_cmp, reason = "bit for bit is what is promised")]

mod annotations;
mod books;
mod broken;
mod engine;
mod evals;
mod exp;
mod export;
mod families;
mod files;
mod games;
mod minimax;
mod order;
mod paper;
mod playable;
mod promote;
mod real;
mod recipes;
mod search;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::workbench::Workbench;

/// The moves that the paper's games have in common (Crafty: section 5.1).
const RUY: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Nc3 axb5 Nxb5 Nf6";

/// The version that the paper's rules are of.
const CRAFTY: &str = "Crafty 15.17";

/// A game of PGN with these tags after the players.
fn game(white: &str, black: &str, result: &str, tags: &[(&str, &str)], moves: &str) -> String {
    let tags: Vec<_> = tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let tags = tags.concat();
    format!(
        "[Event \"test\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n{tags}\n{moves} {result}\n\n"
    )
}

/// A record in Crafty's layout.
fn record(white: &str, black: &str, moves: &str, numbers: &str) -> String {
    format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"1998.09.01\"]\n {moves} {{{numbers}}}\n")
}

/// One record of a Crafty with White against `black`, of the paper's line and one move more.
fn lesson(black: &str, last: &str, centipawns: i32) -> String {
    record(CRAFTY, black, &format!("{RUY} {last}"), &format!("{centipawns} 5 0"))
}

/// A folder with `ruy.table`, the paper's book: two moves at move 4 (Nc3, Ba4), three at move 6 (O-O, d3,
/// Nc3).
pub(crate) fn ruy() -> Workbench {
    let bench = Workbench::new();
    let lines = [
        format!("{RUY} Nc3 Bb4"),
        format!("{RUY} d3"),
        format!("{RUY} O-O"),
        "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6".to_owned(),
    ];
    let games: String = lines.iter().map(|line| game("a", "b", "1-0", &[], line)).collect();
    bench.write("ruy.pgn", games);
    bench.ok("count ruy.pgn -o ruy.table");
    bench
}

impl Workbench {
    /// `tabia learn …` over the paper's book into `output`; what the summary says of learning.
    fn learn(&self, what: &str, output: &str) -> Value {
        self.learn_with(what, output)["learning"].clone()
    }

    /// As [`Self::learn`]; the whole summary.
    fn learn_with(&self, what: &str, output: &str) -> Value {
        let text =
            self.ok(&format!("learn {what} --table ruy.table -o {output} --json --force --allow-empty"));
        serde_json::from_str(&text).unwrap()
    }

    /// Learns records in Crafty's layout, `NAME.lrn`, into `NAME.parquet`.
    fn teach(&self, name: &str, records: impl AsRef<[u8]>) -> Value {
        self.write(&format!("{name}.lrn"), records);
        self.learn(&format!("crafty {name}.lrn"), &format!("{name}.parquet"))
    }

    /// What a file knows: by line and move, with `[kind]` after it if it is no book move.
    fn known(&self, file: &str) -> BTreeMap<String, Value> {
        let rows = self.ok(&format!("experience show {file} --json"));
        let named = |row: &str| {
            let row: Value = serde_json::from_str(row).unwrap();
            let kind = row["known"]["kind"].as_str().unwrap();
            let kind = if kind == "book" { String::new() } else { format!("[{kind}]") };
            let text = |name: &str| row[name].as_str().unwrap_or_default();
            let place = if row["line"].is_null() { text("key") } else { text("line") };
            let mv = if row["san"].is_null() { text("move") } else { text("san") };
            let words = [place, mv, &kind].into_iter().filter(|word| !word.is_empty());
            (words.collect::<Vec<_>>().join(" "), row["known"].clone())
        };
        rows.lines().map(named).collect()
    }

    /// What a line's last move learned.
    fn learned(&self, file: &str, line: &str) -> f32 {
        number(&self.known(file)[line]["learn"])
    }

    /// Whether two files know the same.
    fn agree(&self, first: &str, second: &str) -> bool {
        self.ok(&format!("experience diff {first} {second}")).starts_with("0 differences, ")
    }
}

/// A value that was an f32 when it was written.
fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

/// The list that `--rejects` wrote.
fn rejects(bench: &Workbench, file: &str) -> Vec<Value> {
    let text = bench.text(file);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
