//! `moves/`: one row for each edge, or for each edge and group.

mod columns;

use position::{Board, Experience, Group, Key, PackedMove, RatingBand, Step};
use shakmaty::{
    Color, Role,
    san::{San, SanPlus},
};

use table::{Groups, Row};

use self::columns::groups_in_file;
pub(crate) use self::columns::spec;
use crate::{
    Evaluations, EvaluationsOf, ExportOptions, GameMove, LookUp, Result,
    cells::{Cell, RowCells},
    estimate::{real, wilson},
    stream::{GroupedPosition, child},
};

/// Makes the rows of one position.
pub(crate) struct MoveRows<'o> {
    groups: Groups,
    experience: Option<&'o LookUp<'o>>,
    evaluations: Option<&'o EvaluationsOf<'o>>,
    /// The minimum number of games that an edge must have, over all its groups.
    min_games: u64,
    visits: Vec<(Group, u64)>,
    /// The confidence intervals for the scores 0, ½ and 1 in a single game, computed in advance because most
    /// edges have only one game.
    bounds_of_one: [(f64, f64); 3],
    /// The edge whose rows are being made.
    edge: Edge,
}

/// A row of `moves/`, for an edge or for an edge and a group.
pub(crate) struct MoveRow<'m> {
    pub(crate) row: &'m Row,
    rows: &'m MoveRows<'m>,
}

/// The values that are the same for all groups of an edge.
#[derive(Default)]
struct Edge {
    key: Key,
    mv: PackedMove,
    step: Step,
    is_castling: bool,
    child: Option<Key>,
    /// `None` if the position has no board or the move is illegal in it.
    san: Option<SanPlus>,
    experience: Experience,
    /// `None` if there are no columns for evaluations.
    evaluations: Option<Evaluations>,
    months: Option<(i32, i32)>,
}

impl<'o> MoveRows<'o> {
    pub(crate) fn new(
        groups: Groups,
        options: &'o ExportOptions,
        (experience, evaluations): (Option<&'o LookUp<'o>>, Option<&'o EvaluationsOf<'o>>),
    ) -> Self {
        let groups = groups_in_file(groups, options);
        let min_games = options.cut.min_games;
        let bounds_of_one = [0.0, 0.5, 1.0].map(|score| wilson(score, 1.0));
        Self {
            groups,
            experience,
            evaluations,
            min_games,
            visits: Vec::new(),
            bounds_of_one,
            edge: Edge::default(),
        }
    }

    /// Returns the 95 % confidence interval for a score in `games` games.
    fn bounds(&self, score: f64, games: u64) -> (f64, f64) {
        match games {
            1 if score < 0.5 => self.bounds_of_one[0],
            1 if score > 0.5 => self.bounds_of_one[2],
            1 => self.bounds_of_one[1],
            _ => wilson(score, real(games)),
        }
    }

    /// Passes each row to `write`, in ascending order; returns the number of edges that are illegal in
    /// `board`.
    pub(crate) fn write(
        &mut self,
        position: &GroupedPosition,
        board: Option<&Board>,
        mut write: impl FnMut(&MoveRow<'_>) -> Result<()>,
    ) -> Result<u64> {
        let mut illegal = 0;
        position.visits_by_group(&mut self.visits);
        let min_games = self.min_games;
        let is_kept = |rows: &&[Row]| rows.iter().map(|row| row.tally.games()).sum::<u64>() >= min_games;
        for rows in position.moves().filter(is_kept) {
            let edge = &mut self.edge;
            edge.set(rows, board);
            let (key, mv) = (edge.key, edge.mv);
            if let Some(look_up) = self.experience {
                edge.experience = look_up(key, mv).unwrap_or_default();
            }
            edge.evaluations = self.evaluations.map(|of| of(key, mv));
            illegal += u64::from(board.is_some() && edge.san.is_none());
            for row in rows {
                write(&MoveRow { row, rows: self })?;
            }
        }
        Ok(illegal)
    }
}

impl MoveRow<'_> {
    pub(crate) fn write(&self, cells: &mut RowCells<'_>) {
        let MoveRows { edge, groups, .. } = self.rows;
        cells.push(Cell::Key(edge.key));
        cells.push(Cell::Integer(edge.mv.0.into()));
        self.write_group(*groups, cells);
        cells.push(Cell::Uci(GameMove { packed: edge.mv, castles: edge.is_castling }));
        cells.push(edge.san.map_or(Cell::Null, Cell::San));
        self.write_numbers(cells);
        let Experience { learn, learn_count, user_value, .. } = edge.experience;
        let learned = learn_count > 0 || learn != 0.0;
        cells.push(Cell::real(learned.then_some(f64::from(learn))));
        cells.push(Cell::integer(user_value));
        cells.push(Cell::integer(edge.months.map(|(first, _)| first)));
        cells.push(Cell::integer(edge.months.map(|(_, last)| last)));
        cells.push(Cell::key(edge.child));
        if let Some(evaluations) = edge.evaluations {
            evaluations.write(cells);
        }
    }

    fn write_group(&self, groups: Groups, cells: &mut RowCells<'_>) {
        let group = self.row.group;
        if groups.speed {
            cells.push(Cell::text(group.speed().map(Into::into)));
        }
        if groups.rating_band {
            cells.push(Cell::integer(group.rating_band().map(RatingBand::lower_bound)));
        }
        if groups.month {
            cells.push(Cell::integer(month(group)));
        }
        if groups.player_color {
            cells.push(Cell::text(group.player_color().map(color_name)));
        }
    }

    fn write_numbers(&self, cells: &mut RowCells<'_>) {
        let (row, rows) = (self.row, self.rows);
        let tally = row.tally;
        let mover = rows.edge.step.mover();
        let games = row.tally.games();
        let score = tally.score(mover);
        let bounds = score.map(|score| rows.bounds(score, games));
        let visits = rows.visits.binary_search_by_key(&row.group, |(group, _)| *group);
        let visits = visits.map_or(0, |at| rows.visits[at].1);
        cells.push(Cell::count(tally.white));
        cells.push(Cell::count(tally.draws));
        cells.push(Cell::count(tally.black));
        cells.push(Cell::count(games));
        cells.push(Cell::real(score));
        cells.push(Cell::real(bounds.map(|(low, _)| low)));
        cells.push(Cell::real(bounds.map(|(_, high)| high)));
        cells.push(Cell::real((visits > 0).then(|| real(games) / real(visits))));
        cells.push(Cell::real(row.ratings.mover_mean()));
        cells.push(Cell::real(row.ratings.performance(tally, mover)));
    }
}

impl Edge {
    /// Computes the edge's values from its rows and the position's board. The edge's experience and
    /// evaluations are left unchanged.
    fn set(&mut self, rows: &[Row], board: Option<&Board>) {
        let Row { key, mv, step, .. } = rows[0];
        let months = rows.iter().filter_map(|row| month(row.group));
        (self.key, self.mv, self.step) = (key, mv, step);
        self.child = child(&rows[0], board);
        self.months = months.clone().min().zip(months.max());
        let san = board.and_then(|board| board.san_of(mv));
        self.is_castling =
            san.map_or_else(|| goes_as_castling(mv, step), |san| matches!(san.san, San::Castle(_)));
        self.san = san;
    }
}

/// The month of a group as the number `yyyymm`; `None` if the group has no month.
pub(crate) fn month(group: Group) -> Option<i32> {
    group.month().map(|(year, month)| i32::from(year) * 100 + i32::from(month))
}

/// The name of a side.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// Whether a move is castling. The step shows whether a king moves, and the squares show how far. A king
/// moves by more than one file only when it castles.
fn goes_as_castling(mv: PackedMove, step: Step) -> bool {
    let files = u32::from(mv.from().file()).abs_diff(u32::from(mv.to().file()));
    step.role() == Some(Role::King) && files > 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::Board;
    use shakmaty::{CastlingMode, Position as _, san::SanPlus};

    #[test]
    fn uci_is_shakmatys() {
        let fen = "r3k2r/pP1p4/8/4Pp2/8/8/8/R3K2R w KQkq f6 0 1";
        for san in ["O-O", "O-O-O", "Ke2", "exf6", "b8=Q", "bxa8=N+", "Rxa7"] {
            let mut board = Board::from_fen(fen).unwrap();
            let before = board.position();
            let ply = board.play_san(&san.parse::<SanPlus>().unwrap().san).unwrap();
            let m = ply.mv.unpack(&before).unwrap();
            assert!(before.is_legal(m));
            let played = GameMove { packed: ply.mv, castles: goes_as_castling(ply.mv, ply.step) };
            assert_eq!(played.uci().to_string(), m.to_uci(CastlingMode::Standard).to_string(), "{san}");
        }
    }
}
