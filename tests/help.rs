//! What the binary says of itself: short and long helps, words that shells complete, the manual.

use std::{env, fs, process::Command};

use serde_json::Value;

use crate::workbench::{Workbench, root, sample};

#[test]
fn a_short_help_shows_less_than_a_long_one_and_both_have_examples() {
    let bench = Workbench::new();
    for command in ["build", "count", "compact", "learn games", "export games", "filter"] {
        let [short, long] = ["-h", "--help"].map(|flag| bench.ok(&format!("{command} {flag}")));
        let flags = |help: &str| help.lines().filter(|line| line.trim_start().starts_with('-')).count();
        assert!(flags(&short) <= 15 && flags(&long) > 15, "{command}: {short}\n{long}");
        for help in [short, long] {
            assert!(help.contains("Examples:\n") && help.contains(&format!("  tabia {command} ")), "{help}");
        }
    }
}

/// A flag that would do nothing is none.
#[test]
fn commands_have_only_flags_that_do_something() {
    let bench = Workbench::new();
    for (command, flags) in [
        ("learn set", &["--memory", "--strict", "--threads", "--temp-dir", "--allow-empty", "--dry-run"][..]),
        ("experience merge", &["--memory", "--strict", "--dry-run"]),
        ("merge", &["--memory", "--temp-dir", "--strict", "--allow-empty", "--dry-run"]),
        ("add", &["--dry-run"]),
        ("compact", &["--strict", "--no-wait"]),
        ("report", &["--strict", "--no-wait", "--allow-empty"]),
        ("cluster commit", &["--memory", "--threads", "--dry-run"]),
    ] {
        let help = bench.ok(&format!("{command} --help"));
        for flag in flags {
            assert!(!help.contains(&format!(" {flag}")), "{command} {flag}");
            bench.assert_fails(&format!("{command} {flag}"), 2, ["unexpected argument"]);
        }
    }
    for (arguments, needed) in [
        ("build x.pgn -o b.tabia --policy crafty", "--polyglot <FILE>"),
        ("build x.pgn -o b.tabia --family a", "--learn <LRN>..."),
        ("build x.pgn -o b.tabia --rejects-filtered", "--rejects <FILE>"),
        ("compact t.table -o b.tabia --promote-score 0.6", "--promote <N>"),
        ("learn export crafty x.parquet -o x.lrn --min-games 3", "--table <DIR>"),
    ] {
        let error = bench.fails(arguments, 2);
        assert!(error.contains("were not provided") && error.contains(needed), "{arguments}: {error}");
    }
    assert!(bench.ok("merge --help").contains("even if they have sources in common"));
}

#[test]
fn why_takes_a_line_as_further_arguments() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --max-ply 8"]);
    let by_flag = bench.ok("why b.tabia --line e4 c5");
    assert!(by_flag.starts_with("c5 (c7c5)\n"), "{by_flag}");
    for line in ["e4 c5", "1. e4 c5", "1.e4 1...c5", "e2e4 c7c5"] {
        assert_eq!(bench.ok(&format!("why b.tabia {line}")), by_flag, "{line}");
    }
    bench.assert_fails("why b.tabia e4 e4", 2, ["`e4` is not a legal move in rnbq"]);
}

/// Lines are read alike everywhere: SAN, UCI, move numbers.
#[test]
fn lines_are_read_in_san_and_uci_by_every_command() {
    let bench = Workbench::new();
    let sample = sample().display().to_string();
    let lines = ["1.e4 e5 2.Nf3", "e2e4 e7e5 g1f3"];
    for (line, table) in lines.iter().zip(["san", "uci"]) {
        let count = ["count", &sample, "-o", table, "--max-ply", "4", "--line", line];
        assert!(bench.command("").args(count).output().unwrap().status.success());
    }
    for line in lines {
        let probe = bench.command("").args(["probe", "uci", "--line", line]).output().unwrap();
        assert!(String::from_utf8(probe.stdout).unwrap().contains("Nc6"), "{line}");
    }
    assert!(bench.part_bytes("san") == bench.part_bytes("uci"));
}

#[test]
fn verify_prints_json_also_of_what_is_not_sound() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --table t.table --max-ply 8"]);
    let mut bytes = bench.read("b.tabia");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    bench.write("damaged.tabia", bytes);
    let output = bench.run("verify --json b.tabia damaged.tabia t.table");
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert!(
        lines[0]["sound"] == true && lines[0]["checked"]["positions"].as_u64().unwrap() > 100,
        "{lines:?}"
    );
    assert!(
        lines[1]["sound"] == false && lines[1]["error"].as_str().unwrap().contains("damaged.tabia"),
        "{lines:?}"
    );
    assert!(lines[2]["checked"]["kind"] == "table" && lines[2]["checked"]["shards"] == 16, "{lines:?}");
}

#[test]
fn numbers_are_grouped_and_sizes_have_units() {
    let bench = Workbench::after(["build SAMPLE -o b.tabia --max-ply 20"]);
    bench.assert_prints("info b.tabia", ["games counted      2,400\n", " KiB)\n"]);
    assert!(
        bench.ok("verify b.tabia").contains(',') && bench.ok("build --help").contains("[default: 16MiB]")
    );
    bench.assert_fails(
        "build x.pgn -o x.tabia --max-game-bytes 16MB",
        2,
        ["is not a size: expected a number of bytes"],
    );
}

/// What a shell offers for the last of `words`.
fn offered(bench: &Workbench, words: &str) -> Vec<String> {
    let binary = assert_cmd::cargo::cargo_bin!("tabia");
    let path = format!("{}:{}", binary.parent().unwrap().display(), env::var("PATH").unwrap());
    let script = format!(
        "source <(tabia completions bash); COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
         COMP_TYPE=9; _clap_complete_tabia tabia \"${{COMP_WORDS[$COMP_CWORD]}}\"; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output =
        Command::new("bash").current_dir(bench.path("")).env("PATH", path).args(["-c", &script]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn bash_completes_commands_flags_policies_and_files() {
    let bench = Workbench::with("games.pgn", "");
    bench.write("masters.toml", "");
    assert_eq!(offered(&bench, "tabia pro"), ["probe"]);
    assert_eq!(offered(&bench, "tabia build --min-g"), ["--min-games"]);
    assert_eq!(offered(&bench, "tabia probe b.tabia --policy te"), ["terra"]);
    assert_eq!(offered(&bench, "tabia probe b.tabia --policy terra --set book-l"), ["book-limit="]);
    assert_eq!(offered(&bench, "tabia count ga"), ["games.pgn"]);
    assert_eq!(offered(&bench, "tabia run m"), ["masters.toml"]);
    assert_eq!(offered(&bench, "tabia run ga"), [""], "a recipe is a TOML file");
    assert_eq!(offered(&bench, "tabia count games.pgn --dedup-games tr"), ["truncated"]);
}

#[test]
fn zsh_and_fish_have_scripts_too() {
    let bench = Workbench::new();
    let zsh = bench.ok("completions zsh");
    assert!(zsh.starts_with("#compdef tabia") && zsh.contains("$funcstack[1] == _tabia"), "{zsh}");
    assert!(bench.ok("completions fish").contains("complete --keep-order --exclusive --command tabia"));
    bench.assert_fails("completions tcsh", 2, ["possible values: bash, zsh, fish"]);
}

#[test]
fn every_command_has_a_page_for_man() {
    let bench = Workbench::after(["manual -o man1"]);
    let page = bench.text("man1/tabia-learn-set.1");
    for part in [".TH tabia-learn-set 1", "\\-\\-value", "Examples:", "tabia learn set"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let pages = fs::read_dir(bench.path("man1")).unwrap().count();
    assert!(pages > 40, "{pages}");
    bench.assert_fails("manual -o man1", 2, ["--force to replace it"]);
    bench.ok("manual -o man1 --force");
    let names = bench.text("man1/tabia.1");
    assert!(names.contains("tabia\\-build(1)"), "{names}");
}

/// `make reference` writes it.
#[test]
fn the_page_of_commands_is_what_the_binary_says() {
    let bench = Workbench::after(["manual --format markdown -o commands.md"]);
    let written = bench.text("commands.md");
    let kept = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let other = kept.lines().zip(written.lines()).find(|(kept, written)| kept != written);
    assert!(kept == written, "docs/commands.md is not true any more: run `make reference`. {other:?}");
}

/// `make check-memory` refuses to run if a command is missing there.
#[test]
fn the_memory_of_every_command_is_measured() {
    let commands = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let commands: Vec<_> =
        commands.lines().filter_map(|line| line.strip_prefix("## `tabia ")?.strip_suffix('`')).collect();
    let works = fs::read_to_string(root().join("tests/memory/works.py")).unwrap();
    assert!(commands.len() > 40, "{commands:?}");
    for command in &commands {
        let is_group = commands.iter().any(|other| other.starts_with(&format!("{command} ")));
        assert!(
            is_group || works.contains(&format!("\"{command}")),
            "`{command}` is not in tests/memory/works.py"
        );
    }
}

/// Flags that many commands have are described once, under the heading that each command links to.
#[test]
fn the_page_of_commands_describes_shared_flags_once() {
    let bench = Workbench::after(["manual --format markdown -o commands.md"]);
    let page = bench.text("commands.md");
    let (commands, shared) = page.split_once("\n## Shared flags\n").unwrap();
    for flag in ["- `--min-elo <ELO>`: ", "- `--no-wait`: ", "- `--half-life <TIME>`: "] {
        assert_eq!(page.matches(flag).count(), 1, "{flag}");
        assert!(shared.contains(flag), "{flag}");
    }
    let build = commands.split("\n## ").find(|part| part.starts_with("`tabia build`\n")).unwrap();
    for name in ["--min-elo", "--threads", "--half-life", "--polyglot"] {
        assert!(build.contains(name), "{name}: {build}");
    }
    let headings: Vec<_> = shared.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    for link in commands.split("hared flags](#").skip(2) {
        let anchor = link.split(')').next().unwrap();
        assert!(
            headings.iter().any(|heading| heading.to_lowercase().replace(' ', "-") == anchor),
            "{anchor}"
        );
    }
}
