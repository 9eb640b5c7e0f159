//! Crafty's importer, modelled by its documented defects around our functions. Equal results show that
//! these defects are the only differences.

use std::collections::BTreeMap;

use learn::{
    crafty::{Family, RESULT_VALUE},
    search::{back_up, is_playable, updated},
};

use crate::{
    book::{Edge, edges, fresh},
    files::read,
    lrn::{Read, imported},
};

/// A newly started Crafty with its book and the stored values.
pub(crate) struct Program {
    family: Family,
    book: BTreeMap<Edge, f32>,
    /// The program does not re-enable result learning: only the first such record of a run counts.
    result_learned: bool,
}

impl Program {
    pub(crate) fn new(version: &str, edges: impl IntoIterator<Item = Edge>) -> Self {
        let family = Family::of_player(&format!("Crafty {version}")).unwrap();
        Self { family, book: edges.into_iter().map(|edge| (edge, 0.0)).collect(), result_learned: false }
    }

    pub(crate) fn import(&mut self, record: &Read) {
        let alternatives: Vec<_> = record.plies.iter().map(|ply| self.alternatives(ply)).collect();
        if self.family.has_result_records() && record.value.abs() == RESULT_VALUE {
            self.import_result(record, &alternatives);
            return;
        }
        // Before 18.4 the sign depends on the number of tokens, because the side to move after them does.
        let odd = record.tokens.len() % 2 == 1;
        let value = match self.family {
            Family::C1 if odd => -record.value,
            Family::A | Family::B | Family::B1 if !odd => -record.value,
            _ => record.value,
        };
        let mut plies = Vec::new();
        if !back_up(self.family, value, &alternatives, &mut plies) {
            // Without a branch the program divides by zero.
            plies = vec![f32::NAN; alternatives.len()];
        }
        for (at, (edge, &lesson)) in record.plies.iter().zip(&plies).enumerate() {
            let black = at % 2 == 1 && !self.family.tests_white_view();
            self.update(edge, if black { -lesson } else { lesson });
        }
    }

    fn import_result(&mut self, record: &Read, alternatives: &[u32]) {
        if std::mem::replace(&mut self.result_learned, true) {
            return;
        }
        let loser = usize::from(record.value > 0);
        let last = (0..alternatives.len()).rev().find(|&ply| ply % 2 == loser && alternatives[ply] > 1);
        for (at, edge) in record.plies.iter().enumerate() {
            if Some(at) == last {
                self.update(edge, -999.0);
            } else if self.family == Family::B1 {
                self.update(edge, if at % 2 == 0 { -0.1 } else { 0.1 });
            }
        }
    }

    fn alternatives(&self, &(key, _): &Edge) -> u32 {
        let moves = self.book.range((key, position::PackedMove(0))..=(key, position::PackedMove(u16::MAX)));
        moves.map(|edge| u32::from(is_playable(*edge.1))).sum()
    }

    fn update(&mut self, edge: &Edge, lesson: f32) {
        if let Some(learn) = self.book.get_mut(edge) {
            *learn = updated(self.family, *learn, 0, lesson);
        }
    }

    /// The learned values, without zeros.
    pub(crate) fn learned(&self) -> BTreeMap<Edge, f32> {
        self.book.iter().filter(|edge| *edge.1 != 0.0).map(|(&edge, &learn)| (edge, learn)).collect()
    }
}

/// Imports `file` into the book of `version` and compares every value with `truth`.
fn assert_imported(version: &str, file: &str, truth: &str) {
    let (Some(book), Some(text), Some(stored)) = (fresh(version), read(file), edges(truth)) else { return };
    let mut program = Program::new(version, book.into_keys());
    let records = imported(&text);
    assert!(records.len() > 50);
    for record in &records {
        program.import(record);
    }
    let learned = program.learned();
    let wrong: Vec<_> = book_union(&learned, &stored)
        .filter(|(_, ours, theirs)| (ours + 0.0).to_bits() != (theirs + 0.0).to_bits())
        .collect();
    assert!(
        wrong.is_empty(),
        "{version} {file}: {} of {} differ: {:?}",
        wrong.len(),
        stored.len(),
        &wrong[..1]
    );
}

fn book_union<'a>(
    ours: &'a BTreeMap<Edge, f32>,
    theirs: &'a BTreeMap<Edge, crate::book::Stored>,
) -> impl Iterator<Item = (Edge, f32, f32)> + 'a {
    let edges: std::collections::BTreeSet<_> = ours.keys().chain(theirs.keys()).copied().collect();
    edges.into_iter().map(|edge| {
        let theirs = theirs.get(&edge).map_or(0.0, |stored| stored.learn);
        (edge, ours.get(&edge).copied().unwrap_or(0.0), theirs)
    })
}

const VERSIONS: [&str; 9] = ["15.17", "16.6", "16.19", "17.14", "18.1", "18.3", "18.15", "19.19", "20.14"];

#[test]
fn own_exports() {
    for version in VERSIONS {
        let file = format!("../crafty/book/crafty-v{version}-book-60games.lrn");
        assert_imported(version, &file, &format!("import_v{version}.tsv"));
    }
}

#[test]
fn the_export_of_15_17() {
    for version in VERSIONS {
        let truth = format!("import_common-v15.17-export_by_v{version}.tsv");
        assert_imported(version, "../crafty/book/crafty-v15.17-book-60games.lrn", &truth);
    }
}

#[test]
fn three_thousand_records() {
    for version in ["15.17", "16.19", "18.1", "18.15", "20.14"] {
        let truth = format!("import_bulk3000_by_v{version}.tsv");
        assert_imported(version, "../crafty/synthetic/bulk3000.lrn", &truth);
    }
}
