//! The commands of docs/playing.md, on the sample.

use std::{fs, path::Path};

use assert_cmd::Command;

use crate::workbench::{Workbench, root, sample};

/// What a user types who tries it in a terminal.
const TYPED: &str = "uci\nposition startpos\ngo depth 1\nquit\n";

#[test]
fn the_first_commands_work_as_they_stand() {
    let page = fs::read_to_string(root().join("docs/playing.md")).unwrap();
    let bench = Workbench::new();
    fs::create_dir(bench.path("data")).unwrap();
    fs::copy(sample(), bench.path("data/sample.pgn")).unwrap();
    // What runs everywhere, and what needs an engine.
    let blocks: Vec<_> = page.split("```").skip(1).step_by(2).take(2).collect();
    let lines = blocks.iter().flat_map(|block| block.lines());
    let commands: Vec<_> = lines.filter_map(|line| line.split('#').next()?.strip_prefix("tabia ")).collect();
    assert_eq!(commands.len(), 4, "{blocks:?}");
    for command in commands {
        if command.contains("stockfish") && !Path::new("/usr/games/stockfish").exists() {
            testing::skip("stockfish is not installed: docs/playing.md is followed without it");
            continue;
        }
        let path = format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default());
        let run: &mut Command = &mut bench.command(command);
        let said = run.env("PATH", path).write_stdin(TYPED).assert().success().get_output().stdout.clone();
        let said = String::from_utf8(said).unwrap();
        let expected = match command.split_whitespace().next() {
            Some("build") => continue,
            Some("probe") => "e4",
            _ => "info string book ",
        };
        assert!(said.contains(expected), "tabia {command}: {said}");
    }
    assert!(bench.names().contains(&"book.tabia".to_owned()));
}
