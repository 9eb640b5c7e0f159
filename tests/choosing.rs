//! Choosing moves, as a user meets it: `probe --policy`, `pick`, `policies`, `simulate` and its picture.

mod bans;
mod picking;
mod simulating;
mod sources;

use serde_json::Value;

use crate::workbench::Workbench;

/// A game of PGN.
fn game(white: &str, black: &str, result: &str, moves: &str) -> String {
    format!(
        "[Event \"test\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

impl Workbench {
    /// How a policy chooses after `line`.
    fn choice(&self, arguments: &str, line: &str) -> Value {
        self.probe(arguments, line)["choice"].take()
    }
}

/// What was found about one move.
fn of<'v>(choice: &'v Value, san: &str) -> &'v Value {
    let moves = choice["moves"].as_array().unwrap();
    moves.iter().find(|mv| mv["san"] == san).unwrap_or_else(|| panic!("{san} in {choice}"))
}

fn chance(choice: &Value, san: &str) -> f64 {
    of(choice, san)["probability"].as_f64().unwrap()
}

fn assert_near(got: f64, expected: f64) {
    assert!((got - expected).abs() < 1e-12, "{got} for {expected}");
}
