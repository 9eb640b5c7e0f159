//! The examples of joined tables.

use std::iter::Peekable;

use position::Key;

use super::{JoinOptions, cursor::Cursor, merge::MergedRows};
use crate::{
    ExampleGame, ExampleRule, Examples, ExamplesInfo, ExamplesWriter, GameId, MoveExamples, RankedGame,
    Result, Row, Table, TableWriter, parallel::check_stop,
};

/// The number of game ids that are looked up at a time.
const IDS: usize = 1 << 20;
/// The number of rows between checks of the stop flag.
const ROWS_A_STEP: u64 = 1 << 16;

/// Writes the examples for the sum of `inputs` minus `taken`; returns `None` if a table has no examples, or
/// if they cannot be joined. A row's examples are complete if all games of the row are among them. They are
/// also complete if three conditions hold: every input that has the row has complete examples for it; `taken`
/// lacks the row or has examples for it; no example is removed.
pub(super) fn write(
    (inputs, taken): (&[&Table], Option<&Table>),
    writer: &TableWriter,
    options: &JoinOptions<'_>,
) -> Result<Option<ExamplesInfo>> {
    let Some(rule) = rule_of(inputs, taken) else { return Ok(None) };
    if options.drop_groups && inputs.iter().any(|table| table.counting().groups != crate::Groups::NONE) {
        return Ok(None);
    }
    let mut sides = Vec::new();
    for table in inputs.iter().copied().chain(taken) {
        sides.extend(table.examples()?.map(|examples| Side::new(table, examples)));
    }
    let mut sides = sides.into_iter().collect::<Result<Vec<_>>>()?;
    for side in sides.iter_mut().skip(inputs.len()) {
        side.is_taken = true;
    }
    let mut out = writer.examples(rule)?;
    let mut rows = 0_u64;
    while let Some(id) = sides.iter().filter_map(|side| side.row.map(|row| row.id())).min() {
        push_row(&mut out, rule, &mut sides, id)?;
        rows += 1;
        if rows.is_multiple_of(ROWS_A_STEP) {
            check_stop(options.stop)?;
        }
    }
    let mut games: Vec<_> = sides.iter().map(|side| side.examples.games().peekable()).collect();
    let info = out.finish(IDS, |ids, out| {
        check_stop(options.stop)?;
        for &id in ids {
            game_of(&mut games, id)?.map_or(Ok(()), |game| out.push(id, &game))?;
        }
        Ok(())
    });
    info.map(Some)
}

/// The rule that the joined examples follow; `None` if the examples cannot be joined.
fn rule_of(inputs: &[&Table], taken: Option<&Table>) -> Option<ExampleRule> {
    let rule = |table: &Table| table.manifest().examples.as_ref().map(|info| info.rule);
    let rules: Vec<ExampleRule> = inputs.iter().map(|table| rule(table)).collect::<Option<_>>()?;
    let per_row = rules.first()?.per_row;
    let knows_all = |rule: ExampleRule| rule.min_games <= 1 && rule.per_row >= per_row;
    let fits = rules.iter().all(|rule| rule.per_row == per_row)
        && taken.is_none_or(|table| rule(table).is_some_and(knows_all));
    let min_games = rules.iter().map(|rule| rule.min_games).max()?;
    fits.then_some(ExampleRule { per_row, min_games })
}

/// The examples of positions, in ascending order of key.
type Positions<'t> = Box<dyn Iterator<Item = Result<(Key, Vec<MoveExamples>)>> + 't>;

/// A table that is added to the sum or subtracted from it.
struct Side<'t> {
    rows: MergedRows<'t>,
    row: Option<Row>,
    examples: &'t Examples,
    positions: Peekable<Positions<'t>>,
    is_taken: bool,
}

impl<'t> Side<'t> {
    fn new(table: &'t Table, examples: &'t Examples) -> Result<Self> {
        let cursor = Cursor::new(table, (Key(0), Key(u64::MAX)), false);
        let mut rows = MergedRows::new(vec![cursor])?;
        let row = rows.next()?;
        let positions: Positions<'_> = Box::new(examples.positions());
        Ok(Self { rows, row, examples, positions: positions.peekable(), is_taken: false })
    }

    /// Returns the examples for `row`, or `None` if it has none; rows must be asked for in ascending order.
    fn examples_of(&mut self, row: &Row) -> Result<Option<MoveExamples>> {
        while let Some(next) =
            self.positions.next_if(|next| next.as_ref().is_ok_and(|(key, _)| *key < row.key))
        {
            drop(next?);
        }
        match self.positions.peek() {
            Some(Ok((key, rows))) if *key == row.key => {
                Ok(rows.iter().find(|it| (it.mv(), it.group()) == (row.mv, row.group)).cloned())
            }
            Some(Err(_)) => self.positions.next().transpose().map(|_| None),
            _ => Ok(None),
        }
    }
}

/// Writes the examples for the row whose identity is `id`, unless it is a terminal visit or has too few games
/// in the result. Even if no examples are written, every table that has this row is advanced to its next row.
fn push_row(out: &mut ExamplesWriter, rule: ExampleRule, sides: &mut [Side<'_>], id: u128) -> Result<()> {
    let (mut games, mut row) = (0_u64, None);
    for side in sides.iter() {
        if let Some(of) = side.row.filter(|of| of.id() == id) {
            let total = of.tally.games();
            games = if side.is_taken { games.saturating_sub(total) } else { games.saturating_add(total) };
            row = Some(of);
        }
    }
    if let Some(row) = row.filter(|row| games >= rule.min_games && !row.mv.is_terminal()) {
        out.push(row.key, joined(rule, sides, &row, games)?)?;
    }
    for side in sides.iter_mut().filter(|side| side.row.is_some_and(|of| of.id() == id)) {
        side.row = side.rows.next()?;
    }
    Ok(())
}

/// Combines the tables' examples for a row that has `games` games in the result.
fn joined(rule: ExampleRule, sides: &mut [Side<'_>], row: &Row, games: u64) -> Result<MoveExamples> {
    let (mut found, mut taken, mut is_complete) = (Vec::<RankedGame>::new(), Vec::new(), true);
    for side in sides.iter_mut().filter(|side| side.row.is_some_and(|of| of.id() == row.id())) {
        match side.examples_of(row)? {
            Some(examples) if side.is_taken => taken.extend_from_slice(examples.games()),
            Some(examples) => {
                is_complete &= examples.is_complete;
                found.extend_from_slice(examples.games());
            }
            None => is_complete = false,
        }
    }
    let before = found.len();
    found.retain(|game| !taken.contains(game));
    let is_complete = is_complete && found.len() == before || found.len() as u64 >= games;
    Ok(MoveExamples::new((row.mv, row.group), is_complete, found, rule.per_row as usize))
}

/// Finds the game with this id in any of the tables; returns the one that sorts first if the tables disagree
/// about its contents.
fn game_of(
    tables: &mut [Peekable<impl Iterator<Item = Result<(GameId, ExampleGame)>>>],
    id: GameId,
) -> Result<Option<ExampleGame>> {
    let mut found: Option<ExampleGame> = None;
    for games in tables {
        let is_wanted = |next: &Result<(GameId, _)>| next.as_ref().map_or(true, |(next, _)| *next <= id);
        while let Some(next) = games.next_if(is_wanted) {
            let (next, game) = next?;
            if next == id && found.as_ref().is_none_or(|found| game.compared(found).is_lt()) {
                found = Some(game);
            }
        }
    }
    Ok(found)
}
