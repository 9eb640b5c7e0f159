//! Summarises the clocks and evaluations of exported games by opening, for the box plots of a page.
//!
//! # Memory
//!
//! Uses memory for one batch of games and for counters. For each opening (the first two plies of a game),
//! there are a thousand counters for each rating band and each colour.

use std::{collections::BTreeMap, fs, path::Path};

use arrow_array::{
    Array as _, Int16Array, Int32Array, ListArray, RecordBatch, StringArray,
    cast::AsArray as _,
    types::{Float32Type, Int16Type, Int32Type},
};
use fault::FileFault;
use parquet::arrow::{
    ProjectionMask,
    arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder},
};
use position::named_move;
use report::{BoxPlot, Spread};
use run::{Error, Result};
use shakmaty::{Chess, san::SanPlus};

/// The columns that are read.
const COLUMNS: [&str; 6] = ["WhiteElo", "BlackElo", "TimeControl", "moves", "evals_cp", "clocks"];
/// Boxes are drawn only for this many of the most frequent openings.
const OPENINGS_MOST: usize = 8;
/// A box is drawn only if it summarises at least this many values.
const NUMBERS_LEAST: u64 = 20;
/// Losses and times are measured only for this many plies from the start of a game.
const PLIES: usize = 20;
/// Moves 2 to 10 are timed; this is how many increments a side receives in them.
const INCREMENTS: f32 = 9.0;
/// The loss of a move, in hundredths of a pawn, is capped at this value.
const LOSS_MAX: usize = 1000;
/// The losses of moves are split by the mover's rating, and the times that moves took are split by colour.
const RATINGS: [&str; 3] = ["rated below 1600", "1600 to 1999", "2000 and more"];
const COLORS: [&str; 2] = ["White", "Black"];

/// Reads the games that `tabia export games` wrote to `folder`, and returns the sections of a page about
/// them. If the games have neither clocks nor evaluations, there are no sections.
///
/// # Errors
///
/// Fails if the folder or a file in it cannot be read, or if a file lacks the expected columns.
pub(super) fn spreads(folder: &Path) -> Result<Vec<Spread>> {
    let (mut losses, mut times) = (Numbers::default(), Numbers::default());
    let mut files: Vec<_> = fs::read_dir(folder.join("games"))
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(unreadable(folder))?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    files.sort();
    for file in files {
        for batch in batches(&file)? {
            let batch = batch.map_err(|error| unreadable(&file)(std::io::Error::other(error)))?;
            let columns = Columns::of(&batch).ok_or_else(|| other_columns(&file))?;
            for game in 0..batch.num_rows() {
                count_game(&columns, game, &mut losses, &mut times);
            }
        }
    }
    let loss = losses.boxes(&RATINGS).map(|parts| Spread {
        id: "losses",
        heading: "What moves lose, by opening and rating",
        text: format!(
            "What a move at plies 2 to {PLIES} loses, by the evaluations in the games: nothing if it gains, and at most ten \
             pawns. The box holds the middle half of the moves, the line is the median, and the whiskers reach from 5 % to \
             95 % of the moves."
        ),
        unit: "hundredths of a pawn",
        parts,
    });
    let time = times.boxes(&COLORS).map(in_percent).map(|parts| Spread {
        id: "times",
        heading: "Time for the moves 2 to 10, by opening",
        text: "The share of a side's time for the game, without increments, that its moves 2 to 10 took, by the clocks in the \
               games."
            .into(),
        unit: "% of the time",
        parts,
    });
    Ok([loss, time].into_iter().flatten().collect())
}

fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
    FileFault::of("read exported games in", path)
}

fn other_columns(path: &Path) -> Error {
    let columns = COLUMNS.join(", ");
    let text = format!("expected the columns {columns} in the form that `tabia export games` writes");
    unreadable(path)(std::io::Error::other(text))
}

fn batches(file: &Path) -> Result<ParquetRecordBatchReader> {
    let open = || {
        let builder = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(file)?)?;
        let mask = ProjectionMask::columns(builder.parquet_schema(), COLUMNS);
        builder.with_projection(mask).with_batch_size(1024).build()
    };
    open().map_err(|error| unreadable(file)(std::io::Error::other(error)))
}

/// The columns of a batch of games.
struct Columns<'b> {
    elo: [&'b Int16Array; 2],
    control: &'b StringArray,
    moves: &'b ListArray,
    evals: &'b ListArray,
    clocks: &'b ListArray,
}

impl<'b> Columns<'b> {
    fn of(batch: &'b RecordBatch) -> Option<Self> {
        let column = |name| batch.column_by_name(name);
        Some(Self {
            elo: [
                column("WhiteElo")?.as_primitive_opt::<Int16Type>()?,
                column("BlackElo")?.as_primitive_opt::<Int16Type>()?,
            ],
            control: column("TimeControl")?.as_string_opt()?,
            moves: column("moves")?.as_list_opt()?,
            evals: column("evals_cp")?.as_list_opt()?,
            clocks: column("clocks")?.as_list_opt()?,
        })
    }

    /// The first two plies of a game in SAN, such as `1.e4 c5`.
    fn opening(&self, game: usize) -> Option<String> {
        let moves = self.moves.value(game);
        let moves: &StringArray = moves.as_string_opt()?;
        let mut position = Chess::default();
        let mut names = Vec::new();
        for uci in moves.iter().take(2) {
            let mv = named_move(&position, uci?).ok()?;
            names.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        (names.len() == 2).then(|| format!("1.{}", names.join(" ")))
    }
}

/// Counts the losses of one game's moves, and the time that its moves took.
fn count_game(columns: &Columns<'_>, game: usize, losses: &mut Numbers, times: &mut Numbers) {
    let (has_evals, has_clocks) = (columns.evals.is_valid(game), columns.clocks.is_valid(game));
    if !has_evals && !has_clocks {
        return;
    }
    let Some(opening) = columns.opening(game) else { return };
    if has_evals {
        count_losses(columns, game, |rating, loss| losses.add(&opening, rating, loss));
    }
    if has_clocks {
        count_times(columns, game, |color, tenths| times.add(&opening, color, tenths));
    }
}

/// Calls `add` for each move with known evaluations before and after it, if the mover's rating is known. The
/// arguments are the mover's rating band (an index into [`RATINGS`]) and the loss in hundredths of a pawn.
fn count_losses(columns: &Columns<'_>, game: usize, mut add: impl FnMut(usize, usize)) {
    let evals = columns.evals.value(game);
    let evals: &Int32Array = evals.as_primitive::<Int32Type>();
    for ply in 1..PLIES.min(evals.len()) {
        // Plies are numbered from 0, so the even ones are White's.
        let mover = columns.elo[ply % 2];
        if evals.is_valid(ply) && evals.is_valid(ply - 1) && mover.is_valid(game) {
            let gain = evals.value(ply).saturating_sub(evals.value(ply - 1));
            let loss = if ply % 2 == 0 { gain.saturating_neg() } else { gain };
            let rating = [1600, 2000].iter().filter(|&&bound| mover.value(game) >= bound).count();
            // A negative loss is a gain, which counts as zero.
            add(rating, usize::try_from(loss).unwrap_or(0));
        }
    }
}

/// Calls `add` for each colour. The arguments are the colour and the share of the player's time that moves 2
/// to 10 took, in tenths of a percent. The clocks do not show how long the first move took.
fn count_times(columns: &Columns<'_>, game: usize, mut add: impl FnMut(usize, usize)) {
    let Some((base, increment)) = control(columns.control, game) else { return };
    let clocks = columns.clocks.value(game);
    let clocks = clocks.as_primitive::<Float32Type>();
    for color in 0..2 {
        let last = PLIES - 2 + color;
        if last < clocks.len() && clocks.is_valid(color) && clocks.is_valid(last) {
            let seconds = clocks.value(color) - clocks.value(last) + INCREMENTS * increment;
            add(color, tenths_of_a_percent(seconds, base));
        }
    }
}

/// The initial time and the increment, in seconds, of a time control such as `600+5` or `600`.
fn control(controls: &StringArray, game: usize) -> Option<(f32, f32)> {
    let text = controls.is_valid(game).then(|| controls.value(game))?;
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let (base, increment): (f32, f32) = (base.parse().ok()?, increment.parse().ok()?);
    (base > 0.0).then_some((base, increment))
}

#[expect(clippy::cast_sign_loss, reason = "it is at least zero, and at most a thousand")]
fn tenths_of_a_percent(seconds: f32, base: f32) -> usize {
    (seconds / base * 1000.0).round().clamp(0.0, 1000.0) as usize
}

/// A part of a figure: its name, and one box for each opening.
type Part = (&'static str, Vec<BoxPlot>);

/// How often each value from 0 to [`LOSS_MAX`] occurred, by opening and part.
#[derive(Default)]
struct Numbers(BTreeMap<String, [Vec<u64>; 3]>);

impl Numbers {
    fn add(&mut self, opening: &str, part: usize, number: usize) {
        if !self.0.contains_key(opening) {
            self.0.insert(opening.to_owned(), Default::default());
        }
        if let Some(counts) = self.0.get_mut(opening).and_then(|parts| parts.get_mut(part)) {
            counts.resize(LOSS_MAX + 1, 0);
            counts[number.min(LOSS_MAX)] += 1;
        }
    }

    /// The boxes of the most frequent openings, by part; `None` if no opening has enough values.
    fn boxes(self, parts: &[&'static str]) -> Option<Vec<Part>> {
        let sum = |parts: &[Vec<u64>; 3]| parts.iter().flatten().sum::<u64>();
        let mut openings: Vec<_> = self.0.into_iter().collect();
        openings.sort_by_key(|(_, parts)| std::cmp::Reverse(sum(parts)));
        openings.truncate(OPENINGS_MOST);
        let of_part = |at: usize| -> Vec<_> {
            let boxes = openings.iter().map(|(opening, parts)| spreading(opening, &parts[at]));
            boxes.filter(|one| one.numbers >= NUMBERS_LEAST).collect()
        };
        let parts: Vec<_> = parts.iter().enumerate().map(|(at, &name)| (name, of_part(at))).collect();
        let parts: Vec<_> = parts.into_iter().filter(|(_, boxes)| !boxes.is_empty()).collect();
        (!parts.is_empty()).then_some(parts)
    }
}

/// Turns tenths of a percent into percent.
fn in_percent(mut parts: Vec<Part>) -> Vec<Part> {
    for one in parts.iter_mut().flat_map(|(_, boxes)| boxes) {
        one.quantiles = one.quantiles.map(|tenths| tenths / 10.0);
    }
    parts
}

/// Makes the box of an opening; `counts[n]` is how often the value `n` occurred.
#[expect(clippy::cast_precision_loss, reason = "numbers up to a thousand")]
fn spreading(opening: &str, counts: &[u64]) -> BoxPlot {
    let numbers: u64 = counts.iter().sum();
    let quantile = |percent: u64| {
        let mut seen = 0;
        let at = counts.iter().position(|count| {
            seen += count;
            seen * 100 >= numbers * percent
        });
        at.unwrap_or(0) as f64
    };
    BoxPlot { opening: opening.to_owned(), numbers, quantiles: [5, 25, 50, 75, 95].map(quantile) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_the_numbers_that_a_share_is_not_above() {
        let mut numbers = Numbers::default();
        for number in 1..=100 {
            numbers.add("1.e4 e5", 0, number);
        }
        numbers.add("1.e4 e5", 1, 5000);
        let parts = numbers.boxes(&RATINGS).unwrap();
        assert_eq!(parts.len(), 1, "one number makes no box");
        assert_eq!(
            parts[0].1[0].quantiles.map(|quantile| quantile.to_string()),
            ["5", "25", "50", "75", "95"]
        );
        assert!(Numbers::default().boxes(&COLORS).is_none());
    }

    #[test]
    fn clocks_are_shares_of_the_time() {
        let controls = StringArray::from(vec![Some("600+5"), Some("60"), Some("-"), None]);
        let read: Vec<_> = (0..4).map(|game| control(&controls, game)).collect();
        assert_eq!(read, [Some((600.0, 5.0)), Some((60.0, 0.0)), None, None]);
        assert_eq!(
            [(150.0, 600.0), (-3.0, 60.0), (99.0, 60.0)].map(|(s, b)| tenths_of_a_percent(s, b)),
            [250, 0, 1000]
        );
    }
}
