//! Choosing moves, as a user meets it: `probe --policy`, `pick`, `policies`, `simulate` and its picture.

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
    /// Output of a command that takes a line of moves.
    fn ok_at(&self, arguments: &str, line: &str) -> String {
        let output = self.command(arguments).arg("--line").arg(line).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tabia {arguments} --line '{line}': {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// How a policy chooses after `line`.
    fn choice(&self, arguments: &str, line: &str) -> Value {
        let probe: Value =
            serde_json::from_str(&self.ok_at(&format!("probe {arguments} --json"), line)).unwrap();
        probe["choice"].clone()
    }

    fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.ok(&format!("{arguments} --json"))).unwrap()
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
