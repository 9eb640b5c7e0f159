//! What hangs from a line, held to a walk over the book's JSON; and books of one side.

use std::collections::{BTreeMap, BTreeSet};

use position::Key;
use serde_json::Value;
use shakmaty::{Chess, Position as _, san::SanPlus};

use super::{bench, edit, edited, has};
use crate::workbench::{Workbench, sample};

/// The moves of each position, by key.
type Moves = BTreeMap<String, Vec<(String, Value)>>;

fn read(bench: &Workbench, book: &str) -> Moves {
    let text = bench.ok(&format!("export json {book}"));
    let lines = text.lines().skip(1).map(|line| serde_json::from_str::<Value>(line).unwrap());
    let moves = |line: &Value| {
        let moves = line["moves"].as_array().cloned().unwrap_or_default();
        moves
            .into_iter()
            .map(|mv| (mv["san"].as_str().unwrap_or("").to_owned(), mv["tally"].clone()))
            .collect()
    };
    lines.map(|line| (line["key"].as_str().unwrap().to_owned(), moves(&line))).collect()
}

/// The keys that the book's moves reach, but for one move.
fn reached(book: &Moves, without: Option<(&str, &str)>) -> BTreeSet<String> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![Chess::default()]);
    while let Some(board) = open.pop() {
        let key = Key::of(&board).to_string();
        for (san, _) in book.get(&key).into_iter().flatten() {
            if without != Some((key.as_str(), san.as_str())) && !reached.contains(&key) {
                let mut after = board.clone();
                after.play_unchecked(san.parse::<SanPlus>().unwrap().san.to_move(&board).unwrap());
                open.push(after);
            }
        }
        reached.insert(key);
    }
    reached
}

/// The key after a line.
fn key_after(line: &str) -> String {
    Key::of(&position::named_position(None, Some(line)).unwrap()).to_string()
}

#[test]
fn what_hangs_from_a_line_goes_and_transpositions_stay() {
    let bench = bench();
    let book = read(&bench, "book.tabia");
    let all = reached(&book, None);
    for (before, san) in [("", "d4"), ("", "e4"), ("d4", "Nf6"), ("e4 c5", "Nf3"), ("e4 e5 Nf3", "Nc6")] {
        edited(&bench, "book.tabia -o new.tabia --force", &[&format!("drop {before} {san}")]);
        let new = read(&bench, "new.tabia");
        let at = key_after(before);
        let stays = reached(&book, Some((&at, san)));
        let hangs: BTreeSet<_> = all.difference(&stays).collect();
        assert!(!hangs.is_empty(), "{before} {san}");
        let mut expected = book.clone();
        expected.get_mut(&at).unwrap().retain(|(name, _)| name != san);
        expected.retain(|key, _| !hangs.contains(key));
        assert_eq!(new.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{before} {san}");
        let tallies = |moves: &Moves| -> Vec<Vec<Value>> {
            moves.values().map(|moves| moves.iter().map(|(_, tally)| tally.clone()).collect()).collect()
        };
        assert_eq!(tallies(&new), tallies(&expected), "{before} {san}");
    }
}

/// Lines dropped together, and a line that went with an earlier one.
#[test]
fn lines_are_dropped_in_order() {
    let bench = bench();
    edited(&bench, "book.tabia -o one.tabia", &["drop d4"]);
    edited(&bench, "one.tabia -o two.tabia", &["drop e4 c5"]);
    edited(&bench, "book.tabia -o both.tabia", &["drop d4", "drop e4 c5"]);
    assert_eq!(read(&bench, "two.tabia"), read(&bench, "both.tabia"));
    let (code, said) = edit(&bench, "book.tabia -o x.tabia", &["drop d4", "drop d4 Nf6"]);
    assert!(code == Some(1) && said.contains("edit 2 (`drop d4 Nf6`): nothing to drop"), "{said}");
    // What comes back after a drop comes back without what hung from it.
    edited(&bench, "book.tabia -o back.tabia", &["drop d4", "add d4"]);
    let back = read(&bench, "back.tabia");
    assert_eq!(back[&key_after("d4")], []);
    assert_eq!(has(&bench, "back.tabia", "", "d4").unwrap()["games"], 0);
}

#[test]
fn a_book_of_one_side_is_edited_by_its_lines() {
    let bench = Workbench::new();
    let white = format!(
        "build {} -o white.tabia --min-games 3 --color white --polyglot white.bin",
        sample().display()
    );
    bench.ok(&white);
    for format in ["tabia", "bin"] {
        let output = |name: &str| format!("white.{format} -o {name}.{format}");
        // The reply is not in the book, what the book has against it is.
        edited(&bench, &output("reply"), &["drop e4 c5"]);
        let (old, new) = (format!("white.{format}"), format!("reply.{format}"));
        assert!(has(&bench, &old, "e4 c5", "Nf3").is_some() && has(&bench, &old, "e4 e5", "Nf3").is_some());
        let gone = bench.command(&format!("probe {new} --line")).arg("e4 c5").output().unwrap();
        assert!(!String::from_utf8(gone.stdout).unwrap().contains("Nf3"), "{format}");
        assert!(has(&bench, &new, "e4 e5", "Nf3").is_some(), "{format}");
        // Lines are added by the moves of that side.
        edited(&bench, &output("added"), &["add a4 h5 a5 Rh6 h4"]);
        bench.assert_prints(&format!("check added.{format} --only holes"), ["the repertoire of white"]);
        assert!(has(&bench, &format!("added.{format}"), "a4 h5 a5 Rh6", "h4").is_some());
        // What White reaches without moves that are forbidden.
        edited(&bench, &format!("{} --color white", output("e4")), &["forbid d4", "prune unreachable"]);
        bench.ok(&format!("verify e4.{format}"));
        bench.ok(&format!("check e4.{format} --only unreachable"));
        assert!(has(&bench, &format!("e4.{format}"), "", "d4").is_some(), "{format}: it stays to be seen");
        let against = bench.command(&format!("probe e4.{format} --line")).arg("d4 d5").output().unwrap();
        assert!(!String::from_utf8(against.stdout).unwrap().contains("c4"), "{format}");
    }
}
