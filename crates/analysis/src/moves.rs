//! `moves/`: one row an edge, or an edge and group.

mod columns;

use arrayvec::ArrayVec;
use position::{Experience, Group, Key, PackedMove, RatingBand, Speed, Step};
use shakmaty::{CastlingMode, CastlingSide, Chess, Color, Role};

use table::{Groups, Row};

pub(crate) use self::columns::spec;
use self::columns::{COLUMNS_MAX, groups_in_file};
use crate::{
    ExportOptions, LookUp, Result,
    batch::Cell,
    estimate::{performance_rating, real, wilson},
    stream::{GroupedPosition, child},
};

/// Makes the rows of one position.
pub(crate) struct MoveRows<'o> {
    groups: Groups,
    experience: Option<&'o LookUp<'o>>,
    visits: Vec<(Group, u64)>,
    /// The edge whose rows are made.
    edge: Edge,
}

/// The cells of a row: of all columns that there may be.
type Cells<'c> = ArrayVec<Cell<'c>, { COLUMNS_MAX }>;

/// What all groups of an edge have in common.
#[derive(Default)]
struct Edge {
    key: Key,
    mv: PackedMove,
    step: Step,
    uci: String,
    child: Option<Key>,
    /// Empty if there is none.
    san: String,
    experience: Experience,
    months: Option<(i32, i32)>,
}

impl<'o> MoveRows<'o> {
    pub(crate) fn new(
        groups: Groups,
        options: &'o ExportOptions,
        experience: Option<&'o LookUp<'o>>,
    ) -> Self {
        let groups = groups_in_file(groups, options);
        Self { groups, experience, visits: Vec::new(), edge: Edge::default() }
    }

    /// Gives each row's cells to `write`, ascending. Edges that are illegal in `board` are counted.
    pub(crate) fn write(
        &mut self,
        position: &GroupedPosition,
        board: Option<&Chess>,
        mut write: impl FnMut(&Row, &[Cell<'_>]) -> Result<()>,
    ) -> Result<u64> {
        let mut illegal = 0;
        position.visits_by_group(&mut self.visits);
        for rows in position.moves() {
            let edge = &mut self.edge;
            edge.set(rows, board);
            edge.experience =
                self.experience.and_then(|look_up| look_up(edge.key, edge.mv)).unwrap_or_default();
            illegal += u64::from(board.is_some() && edge.san.is_empty());
            for row in rows {
                write(row, &self.cells(row))?;
            }
        }
        Ok(illegal)
    }

    fn cells(&self, row: &Row) -> Cells<'_> {
        let (edge, mut cells) = (&self.edge, Cells::new());
        cells.extend([Cell::Key(edge.key), Cell::Integer(edge.mv.0.into())]);
        let group = row.group;
        let dimensions = [
            (self.groups.speed, Cell::text(group.speed().map(Speed::name))),
            (self.groups.rating_band, Cell::integer(group.rating_band().map(RatingBand::lower_bound))),
            (self.groups.month, Cell::integer(month(group))),
            (self.groups.player_color, Cell::text(group.player_color().map(color_name))),
        ];
        cells.extend(dimensions.into_iter().filter_map(|(used, cell)| used.then_some(cell)));
        let san = (!edge.san.is_empty()).then_some(edge.san.as_str());
        cells.extend([Cell::Text(&edge.uci), Cell::text(san)]);
        self.numbers(row, &mut cells);
        let Experience { learn, learn_count, user_value, .. } = edge.experience;
        let learned = learn_count > 0 || learn != 0.0;
        cells.extend([
            Cell::real(learned.then_some(f64::from(learn))),
            Cell::integer(user_value),
            Cell::integer(edge.months.map(|(first, _)| first)),
            Cell::integer(edge.months.map(|(_, last)| last)),
            Cell::key(edge.child),
        ]);
        cells
    }

    fn numbers(&self, row: &Row, cells: &mut Cells<'_>) {
        let (tally, mover, games) = (row.tally, self.edge.step.mover(), row.tally.games());
        let score = tally.score(mover);
        let bounds = score.map(|score| wilson(score, real(games)));
        let visits = self.visits.binary_search_by_key(&row.group, |(group, _)| *group);
        let visits = visits.map_or(0, |at| self.visits[at].1);
        cells.extend([tally.white, tally.draws, tally.black, games].map(Cell::count));
        cells.extend([
            Cell::real(score),
            Cell::real(bounds.map(|(low, _)| low)),
            Cell::real(bounds.map(|(_, high)| high)),
            Cell::real((visits > 0).then(|| real(games) / real(visits))),
            Cell::real(row.ratings.mover_mean()),
            Cell::real(performance_rating(row.ratings, tally, mover)),
        ]);
    }
}

impl Edge {
    /// Makes it the edge of these rows, in the position of `board`; experience stays as it is.
    fn set(&mut self, rows: &[Row], board: Option<&Chess>) {
        let Row { key, mv, step, .. } = rows[0];
        let months = rows.iter().filter_map(|row| month(row.group));
        (self.key, self.mv, self.step) = (key, mv, step);
        self.child = child(&rows[0], board);
        self.months = months.clone().min().zip(months.max());
        self.uci.clear();
        self.san.clear();
        match board.and_then(|board| mv.unpack_with_san(board)) {
            None => self.uci.push_str(&uci(mv, step)),
            Some((m, san)) => {
                m.to_uci(CastlingMode::Standard).append_to_string(&mut self.uci);
                san.append_to_string(&mut self.san);
            }
        }
    }
}

/// The month of a group as `yyyymm`.
pub(crate) fn month(group: Group) -> Option<i32> {
    group.month().map(|(year, month)| i32::from(year) * 100 + i32::from(month))
}

/// The name of a side.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// The move as UCI has it. Only a castling king goes farther than one file.
fn uci(mv: PackedMove, step: Step) -> String {
    let (from, to) = (mv.from(), mv.to());
    let files = u32::from(from.file()).abs_diff(u32::from(to.file()));
    if step.role() == Some(Role::King) && files > 1 {
        let side = CastlingSide::from_king_side(to.file() > from.file());
        return format!("{from}{}", side.king_to(step.mover()));
    }
    mv.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::Board;
    use shakmaty::{Position as _, san::SanPlus};

    #[test]
    fn uci_is_shakmatys() {
        let fen = "r3k2r/pP1p4/8/4Pp2/8/8/8/R3K2R w KQkq f6 0 1";
        for san in ["O-O", "O-O-O", "Ke2", "exf6", "b8=Q", "bxa8=N+", "Rxa7"] {
            let mut board = Board::from_fen(fen).unwrap();
            let before = board.position();
            let ply = board.play_san(&san.parse::<SanPlus>().unwrap().san).unwrap();
            let m = ply.mv.unpack(&before).unwrap();
            assert!(before.is_legal(m));
            assert_eq!(uci(ply.mv, ply.step), m.to_uci(CastlingMode::Standard).to_string(), "{san}");
        }
    }
}
