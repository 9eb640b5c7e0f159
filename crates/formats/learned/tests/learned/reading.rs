//! Reads whole learning files into one line an item.

use std::{fs, path::PathBuf};

use learned::Item;
use pgn::{
    Result,
    input::{ChunkOptions, Input, ReadInputs},
};

/// What was read: a line for each item, and the inputs.
pub(crate) fn read_all(inputs: Vec<Input>, options: &ChunkOptions) -> Result<(Vec<String>, ReadInputs)> {
    let mut reader = learned::open(inputs, options)?;
    let (mut lines, mut places) = (Vec::new(), Vec::new());
    for batch in reader.by_ref() {
        let batch = batch?;
        for item in batch.items() {
            lines.push(line(&item));
            places.push(at(&item));
        }
    }
    let inputs = reader.finish();
    for (line, at) in lines.iter_mut().zip(places) {
        let location = inputs.locate(at.place);
        *line = format!("{}@{}#{} {line}", location.name, location.offset, at.number);
    }
    Ok((lines, inputs))
}

/// The items of a text, without their places.
pub(crate) fn items(text: &[u8]) -> Vec<String> {
    let input = Input::stream("-", std::io::Cursor::new(text.to_vec()));
    let (lines, _) = read_all(vec![input], &ChunkOptions::default()).unwrap();
    lines.iter().map(|line| line.split_once(' ').unwrap().1.to_owned()).collect()
}

fn at(item: &Item<'_>) -> learned::ItemPlace {
    match item {
        Item::Record(record) => record.at,
        Item::Position(position) => position.at,
        Item::Rejection(rejection) => rejection.at,
    }
}

fn line(item: &Item<'_>) -> String {
    match item {
        Item::Record(record) => format!(
            "{}-{} {:?} {} {{{} {} {}}}",
            record.players.white.text(),
            record.players.black.text(),
            record.date,
            record.plies.iter().map(|(_, mv)| mv.to_string()).collect::<Vec<_>>().join(" "),
            record.value,
            record.depth,
            record.rating_difference
        ),
        Item::Position(position) => format!(
            "{}-{} {:?} {} {{{} {} {}}}",
            position.players.white.text(),
            position.players.black.text(),
            position.date,
            position.key,
            position.value,
            position.crafty_move,
            position.depth
        ),
        Item::Rejection(rejection) => {
            format!("REJECTED {} {:?} {}", rejection.reason, rejection.ply, rejection.text)
        }
    }
}

/// The files of a folder, in the order of their names.
pub(crate) fn files(folder: &PathBuf) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
