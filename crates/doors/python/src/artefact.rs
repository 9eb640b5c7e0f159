//! An open book, table or Polyglot book.

use std::{path::PathBuf, sync::Arc};

use position::RatingBand;
use pyo3::{
    prelude::*,
    types::{PyDict, PyList},
};
use query::{Chooser, SqlDialect, View};
use serde::Serialize;
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use table::{Counting, RootRow, Row};

use crate::{
    asked::PositionArgument,
    error::failed,
    found::Probe,
    scan::{Scan, table_of},
    values::to_python,
};

/// A book, a table or a Polyglot book, recognized by its content.
#[pyclass(subclass, frozen, module = "tabia._tabia")]
pub(crate) struct Artefact {
    opened: Arc<query::Artefact>,
}

impl Artefact {
    fn look_up(&self, asked: PositionArgument) -> PyResult<Option<Probe>> {
        let found = query::probe_key(&self.opened, asked.key()).map_err(failed)?;
        Ok(found.map(|found| Probe::new(found, asked.known())))
    }

    /// Answers a question that needs the position itself, not just its key. Meanwhile, the interpreter's lock
    /// is released. The answer is JSON, converted to Python values.
    fn answer<T: Serialize + Send>(
        &self,
        position: &Bound<'_, PyAny>,
        question: impl FnOnce(&query::Artefact, &Chess) -> query::Result<T> + Send,
    ) -> PyResult<Py<PyAny>> {
        let (py, position) = (position.py(), PositionArgument::of(position)?.position()?);
        let answer = py.detach(|| question(&self.opened, &position)).map_err(failed)?;
        to_python(py, &serde_json::to_value(answer).map_err(failed)?)
    }
}

#[pymethods]
impl Artefact {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| query::Artefact::open_cached(&path)).map_err(failed)?;
        Ok(Self { opened: Arc::new(opened) })
    }

    /// The artefact's path.
    #[getter]
    fn path(&self) -> PathBuf {
        self.opened.path().to_owned()
    }

    /// What the artefact is: 'the book', 'the table' or 'the Polyglot book'.
    #[getter]
    fn kind(&self) -> &'static str {
        self.opened.name()
    }

    /// The artefact's entry for a position (a key, a FEN or a chess.Board); None if the position is not in
    /// it.
    fn probe(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Probe>> {
        let asked = PositionArgument::of(position)?;
        position.py().detach(|| self.look_up(asked))
    }

    /// The artefact's entries for many positions.
    fn probe_many<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = positions.py();
        let asked = positions
            .try_iter()?
            .map(|position| PositionArgument::of(&position?))
            .collect::<PyResult<Vec<_>>>()?;
        let keys: Vec<_> = asked.iter().map(PositionArgument::key).collect();
        let found = py.detach(|| query::probe_keys(&self.opened, &keys)).map_err(failed)?;
        let probe = |(found, asked): (Option<_>, PositionArgument)| {
            found.map(|found| Probe::new(found, asked.known()))
        };
        PyList::new(py, found.into_iter().zip(asked).map(probe).collect::<Vec<_>>())
    }

    fn __contains__(&self, position: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.look_up(PositionArgument::of(position)?)?.is_some())
    }

    /// All that is known about a position, as `tabia probe --json` prints it, including the judgement of a
    /// policy if one is named.
    #[pyo3(signature = (position, policy=None, settings=vec![]))]
    fn explain_json(
        &self,
        position: &Bound<'_, PyAny>,
        policy: Option<&str>,
        settings: Vec<(String, String)>,
    ) -> PyResult<Py<PyAny>> {
        let Some(policy) = policy else { return self.answer(position, query::probe) };
        let chooser = Chooser::new(policy, &settings).map_err(failed)?;
        self.answer(position, |artefact, position| View::of(artefact).judged_probe(position, chooser))
    }

    /// A move chosen by a policy, as `tabia pick --json` prints it.
    fn pick_json(
        &self,
        position: &Bound<'_, PyAny>,
        policy: &str,
        settings: Vec<(String, String)>,
        seed: u64,
    ) -> PyResult<Py<PyAny>> {
        let chooser = Chooser::new(policy, &settings).map_err(failed)?;
        self.answer(position, |artefact, position| query::pick(artefact, position, &chooser, seed))
    }

    /// Where the numbers for a move in a book came from, as `tabia why --json` prints it.
    fn why_json(&self, position: &Bound<'_, PyAny>, name: &str) -> PyResult<Py<PyAny>> {
        self.answer(position, |artefact, position| query::why(artefact, position, name))
    }

    /// Facts about the whole artefact, as `tabia info --json` prints them.
    fn info(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let info = py.detach(|| query::info(&self.opened)).map_err(failed)?;
        to_python(py, &serde_json::to_value(info).map_err(failed)?)
    }

    /// The rows of a table for a position, each as a dict of its columns: groups are not summed, and move 0
    /// stands for games that ended there.
    fn rows<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (py, key) = (position.py(), PositionArgument::of(position)?.key());
        let table = table_of(&self.opened).map_err(failed)?;
        let rows = py.detach(|| table.rows_of(key)).map_err(failed)?;
        rows.iter().map(|row| row_fields(py, row, table.counting())).collect()
    }

    /// The positions other than the start position from which games of a table started: one dict per
    /// position, with the key, the FEN, and the number of these games by result.
    fn roots<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let table = table_of(&self.opened).map_err(failed)?;
        let mut found = Vec::new();
        for shard in 0..table.shards().len() as u32 {
            for row in table.roots(shard).map_err(failed)?.into_iter().flatten() {
                found.push(root_fields(py, &row.map_err(failed)?)?);
            }
        }
        Ok(found)
    }

    /// The columns of a table.
    fn columns(&self) -> PyResult<Vec<String>> {
        let scan = Scan::new(Arc::clone(&self.opened), None, 1)?;
        Ok(scan.names())
    }

    /// All rows of a table, with all or some of its columns, for any library that accepts Arrow data.
    #[pyo3(signature = (columns=None, batch_rows=131_072))]
    fn scan_columns(&self, columns: Option<Vec<String>>, batch_rows: usize) -> PyResult<Scan> {
        Scan::new(Arc::clone(&self.opened), columns.as_deref(), batch_rows)
    }

    fn __repr__(&self) -> String {
        format!("<{} {}>", self.opened.name(), self.opened.path().display())
    }
}

fn root_fields<'py>(py: Python<'py>, row: &RootRow) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    let fen = |position: Chess| Fen::from_position(&position, EnPassantMode::Legal).to_string();
    fields.set_item("key", row.root.key.0)?;
    fields.set_item("fen", row.root.position().map(fen))?;
    fields.set_item("white", row.tally.white)?;
    fields.set_item("draws", row.tally.draws)?;
    fields.set_item("black", row.tally.black)?;
    Ok(fields)
}

/// Makes a dict from a table's row, with only the columns that the table has.
fn row_fields<'py>(py: Python<'py>, row: &Row, counting: &Counting) -> PyResult<Bound<'py, PyDict>> {
    let (fields, groups) = (PyDict::new(py), counting.groups);
    fields.set_item("key", row.key.0)?;
    fields.set_item("move", row.mv.0)?;
    fields.set_item("uci", (!row.mv.is_terminal()).then(|| row.mv.uci(Some(row.step))))?;
    if groups.speed {
        fields.set_item("speed", row.group.speed().map(<&str>::from))?;
    }
    if groups.rating_band {
        fields.set_item("rating_band", row.group.rating_band().map(RatingBand::lower_bound))?;
    }
    if groups.month {
        let month = row.group.month().map(|(year, month)| u32::from(year) * 100 + u32::from(month));
        fields.set_item("month", month)?;
    }
    if groups.player_color {
        let color = row.group.player_color().map(|color| color.fold_wb("white", "black"));
        fields.set_item("player_color", color)?;
    }
    fields.set_item("step", row.step.0)?;
    fields.set_item("white", row.tally.white)?;
    fields.set_item("draws", row.tally.draws)?;
    fields.set_item("black", row.tally.black)?;
    if counting.ratings {
        fields.set_item("mover_elo_sum", row.ratings.mover_elo)?;
        fields.set_item("opponent_elo_sum", row.ratings.opponent_elo)?;
        fields.set_item("rated_games", row.ratings.rated_games)?;
    }
    Ok(fields)
}

/// All policies, as `tabia policies --json` prints them.
#[pyfunction]
pub(crate) fn policies(py: Python<'_>) -> PyResult<Py<PyAny>> {
    to_python(py, &serde_json::to_value(query::CATALOGUE).map_err(failed)?)
}

/// DuckDB's macros, and views over an export or a table, as `tabia sql` prints them.
#[pyfunction]
#[pyo3(signature = (path=None))]
pub(crate) fn sql(path: Option<PathBuf>) -> PyResult<String> {
    let dialect = SqlDialect::DuckDb;
    let text = path.map_or_else(|| Ok(dialect.functions().into()), |path| query::sql(&path, dialect));
    text.map_err(failed)
}
