//! Collects the rows of a row group as columns until they are written to a part file.

use std::io::Write;

use parquet::{errors::Result, file::writer::SerializedRowGroupWriter};
use position::Group;

use crate::{
    Counting, Groups, Row,
    part::{
        encode::{ColumnEncoder, CountColumn},
        schema::{Column, PartColumn},
    },
};

/// Rows as columns; only the columns that the table has are filled.
#[derive(Default)]
pub(crate) struct Columns {
    grouped: bool,
    rated: bool,
    keys: Vec<u64>,
    moves: Vec<u16>,
    groups: Vec<Group>,
    steps: Vec<u16>,
    white: CountColumn,
    draws: CountColumn,
    black: CountColumn,
    mover_elos: Vec<u64>,
    opponent_elos: Vec<u64>,
    rated_games: Vec<u64>,
}

impl Columns {
    /// Creates the empty columns of a table that is counted with these options.
    pub(crate) fn new(counting: &Counting) -> Self {
        Self { grouped: counting.groups != Groups::NONE, rated: counting.ratings, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Adds rows, including their groups and ratings if the table has them; `bits` must include all bits that
    /// are set in any of their counts.
    pub(crate) fn extend(&mut self, rows: &[Row], bits: u64) {
        self.keys.extend(rows.iter().map(|row| row.key.0));
        self.moves.extend(rows.iter().map(|row| row.mv.0));
        self.steps.extend(rows.iter().map(|row| row.step.0));
        self.white.extend(rows.iter().map(|row| row.tally.white), bits);
        self.draws.extend(rows.iter().map(|row| row.tally.draws), bits);
        self.black.extend(rows.iter().map(|row| row.tally.black), bits);
        if self.grouped {
            self.groups.extend(rows.iter().map(|row| row.group));
        }
        if self.rated {
            self.mover_elos.extend(rows.iter().map(|row| row.ratings.mover_elo));
            self.opponent_elos.extend(rows.iter().map(|row| row.ratings.opponent_elo));
            self.rated_games.extend(rows.iter().map(|row| row.ratings.rated_games));
        }
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.moves.clear();
        self.groups.clear();
        self.steps.clear();
        self.white.clear();
        self.draws.clear();
        self.black.clear();
        self.mover_elos.clear();
        self.opponent_elos.clear();
        self.rated_games.clear();
    }

    /// Writes the rows as one row group and removes them.
    pub(crate) fn write<W: Write + Send>(
        &mut self,
        layout: &[PartColumn],
        encoder: &mut ColumnEncoder,
        mut row_group: SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        let to = &mut row_group;
        for column in layout {
            match column.kind {
                Column::Key => encoder.add_keys(to, column, &self.keys)?,
                Column::Move => encoder.add_numbers(to, column, &self.moves)?,
                Column::Step => encoder.add_numbers(to, column, &self.steps)?,
                Column::White => encoder.add_counts(to, column, &mut self.white)?,
                Column::Draws => encoder.add_counts(to, column, &mut self.draws)?,
                Column::Black => encoder.add_counts(to, column, &mut self.black)?,
                Column::MoverEloSum => encoder.add_numbers(to, column, &self.mover_elos)?,
                Column::OpponentEloSum => encoder.add_numbers(to, column, &self.opponent_elos)?,
                Column::RatedGames => encoder.add_numbers(to, column, &self.rated_games)?,
                Column::Speed | Column::RatingBand | Column::Month | Column::PlayerColor => {
                    encoder.add_groups(to, column, &self.groups)?;
                }
            }
        }
        row_group.close()?;
        self.clear();
        Ok(())
    }
}
