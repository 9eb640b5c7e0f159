//! Writes position learning as Crafty's `position.lrn`.

use std::path::Path;

use crate::ExperienceFile;
use learn::{crafty::Version, export::write_position, position_learning};
use position::{ExperienceKind, ExperienceRow};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::{TABIA, last_day};
use crate::Result;

/// Entries of `position.lrn`, ascending by key, and the number of positions left out because the file has
/// only their keys.
#[derive(Default)]
pub(super) struct Positions {
    pub(super) entries: Vec<String>,
    pub(super) unknown: usize,
}

/// Converts the learned positions in the file at `path` to entries in the form that this version of Crafty
/// writes.
pub(super) fn read(path: &Path, crafty: &str, version: Version) -> Result<Positions> {
    let file = ExperienceFile::open(path)?;
    let mut positions = Positions::default();
    for row in file.read()? {
        let row = row?;
        if row.kind == ExperienceKind::Position && row.experience.eval.is_some() {
            let fen = file.header().positions.get(&row.key.to_string());
            match fen.and_then(|fen| entry(&row, fen, crafty, version)) {
                Some(entry) => positions.entries.push(entry),
                None => positions.unknown += 1,
            }
        }
    }
    Ok(positions)
}

fn entry(row: &ExperienceRow, fen: &str, crafty: &str, version: Version) -> Option<String> {
    let position: Chess = fen.parse::<Fen>().ok()?.into_position(CastlingMode::Standard).ok()?;
    let record = position_learning::record(row.mv, &row.experience, version, &position)?;
    let mut text = String::new();
    write_position([crafty, TABIA], last_day(row), fen, &record, &mut text);
    Some(text)
}
