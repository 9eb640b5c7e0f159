//! Summarises the clocks and evaluations of exported games by opening, for the box plots of a page.
//!
//! # Memory
//!
//! Uses memory for one batch of games and for counters. For each opening (the first two plies of a game),
//! there are a thousand counters for each rating band and each colour.

use std::{collections::BTreeMap, fs, path::Path};

use fault::FileFault;
use pages::{Cell, Rows};
use parquet::basic::Type as PhysicalType;
use position::named_move;
use report::{BoxPlot, Spread};
use run::{Error, Result};
use shakmaty::{Chess, san::SanPlus};

/// The columns that are read: their names, their types, and whether their values are lists.
const COLUMNS: [(&str, PhysicalType, bool); 6] = [
    ("WhiteElo", PhysicalType::INT32, false),
    ("BlackElo", PhysicalType::INT32, false),
    ("TimeControl", PhysicalType::BYTE_ARRAY, false),
    ("moves", PhysicalType::BYTE_ARRAY, true),
    ("evals_cp", PhysicalType::INT32, true),
    ("clocks", PhysicalType::FLOAT, true),
];
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
        let mut games = games(&file)?;
        while games.advance().map_err(damaged(&file))? {
            count_game(&Game::of(&games), &mut losses, &mut times);
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

fn damaged(path: &Path) -> impl FnOnce(parquet::errors::ParquetError) -> Error {
    |error| unreadable(path)(std::io::Error::other(error))
}

/// The games in a file.
fn games(path: &Path) -> Result<Rows> {
    let file = fs::File::open(path).map_err(unreadable(path))?;
    let file = pages::open(file).map_err(damaged(path))?;
    let columns = file.metadata().file_metadata().schema_descr().columns();
    let place = |(name, physical, is_list)| {
        columns.iter().position(|column| {
            (&*column.path().parts()[0], column.physical_type(), column.max_rep_level() > 0)
                == (name, physical, is_list)
        })
    };
    let places: Option<Vec<_>> = COLUMNS.into_iter().map(place).collect();
    let places = places.ok_or_else(|| {
        let names = COLUMNS.map(|(name, ..)| name).join(", ");
        let text = format!("expected the columns {names} in the form that `tabia export games` writes");
        unreadable(path)(std::io::Error::other(text))
    })?;
    Ok(Rows::new(file, places))
}

/// The values of a game.
struct Game<'r> {
    elo: [Option<u64>; 2],
    control: Option<&'r str>,
    moves: Cell<'r>,
    evals: Vec<Option<i64>>,
    clocks: Vec<Option<f32>>,
}

impl<'r> Game<'r> {
    /// The game that `rows` is at.
    fn of(rows: &'r Rows) -> Self {
        Self {
            elo: [0, 1].map(|color| rows.cell(color).number()),
            control: rows.cell(2).text(),
            moves: rows.cell(3),
            evals: rows.cell(4).numbers().map(|eval| eval.map(u64::cast_signed)).collect(),
            clocks: rows
                .cell(5)
                .numbers()
                .map(|clock| clock.map(|bits| f32::from_bits(bits as u32)))
                .collect(),
        }
    }

    /// The first two plies of the game in SAN, such as `1.e4 c5`.
    fn opening(&self) -> Option<String> {
        let mut position = Chess::default();
        let mut names = Vec::new();
        for uci in self.moves.texts().take(2) {
            let mv = named_move(&position, uci).ok()?;
            names.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        }
        (names.len() == 2).then(|| format!("1.{}", names.join(" ")))
    }
}

/// Counts the losses of one game's moves, and the time that its moves took.
fn count_game(game: &Game<'_>, losses: &mut Numbers, times: &mut Numbers) {
    if game.evals.is_empty() && game.clocks.is_empty() {
        return;
    }
    let Some(opening) = game.opening() else { return };
    count_losses(game, |rating, loss| losses.add(&opening, rating, loss));
    count_times(game, |color, tenths| times.add(&opening, color, tenths));
}

/// Calls `add` for each move with known evaluations before and after it, if the mover's rating is known. The
/// arguments are the mover's rating band (an index into [`RATINGS`]) and the loss in hundredths of a pawn.
fn count_losses(game: &Game<'_>, mut add: impl FnMut(usize, usize)) {
    for (ply, evals) in (1..PLIES).zip(game.evals.windows(2)) {
        // Plies are numbered from 0, so the even ones are White's.
        if let ([Some(before), Some(after)], Some(elo)) = (evals, game.elo[ply % 2]) {
            let loss = if ply % 2 == 0 { before - after } else { after - before };
            let rating = [1600, 2000].iter().filter(|&&bound| elo >= bound).count();
            // A negative loss is a gain, which counts as zero.
            add(rating, usize::try_from(loss).unwrap_or(0));
        }
    }
}

/// Calls `add` for each colour. The arguments are the colour and the share of the player's time that moves 2
/// to 10 took, in tenths of a percent. The clocks do not show how long the first move took.
fn count_times(game: &Game<'_>, mut add: impl FnMut(usize, usize)) {
    let Some((base, increment)) = game.control.and_then(control) else { return };
    let clock = |ply: usize| game.clocks.get(ply).copied().flatten();
    for color in 0..2 {
        if let (Some(first), Some(last)) = (clock(color), clock(PLIES - 2 + color)) {
            add(color, tenths_of_a_percent(first - last + INCREMENTS * increment, base));
        }
    }
}

/// The initial time and the increment, in seconds, of a time control such as `600+5` or `600`.
fn control(text: &str) -> Option<(f32, f32)> {
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
        assert_eq!(["600+5", "60", "-"].map(control), [Some((600.0, 5.0)), Some((60.0, 0.0)), None]);
        assert_eq!(
            [(150.0, 600.0), (-3.0, 60.0), (99.0, 60.0)].map(|(s, b)| tenths_of_a_percent(s, b)),
            [250, 0, 1000]
        );
    }
}
