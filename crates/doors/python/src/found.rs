//! The result of a probe: [`Probe`] and its [`Move`]s. Move names are computed only when asked for.

use std::sync::Arc;

use position::{PackedMove, Tally};
use pyo3::{prelude::*, sync::PyOnceLock, types::PyTuple};
use query::{KeyMove, KeyProbe};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, fen::Fen};

/// A book's or a table's entry for a position.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Probe {
    found: KeyProbe,
    position: Option<Arc<Chess>>,
    moves: PyOnceLock<Py<PyTuple>>,
}

impl Probe {
    /// Makes a probe's result; `position` is `None` if the caller passed a key.
    pub(crate) fn new(found: KeyProbe, position: Option<Chess>) -> Self {
        Self { found, position: position.map(Arc::new), moves: PyOnceLock::new() }
    }

    fn turn(&self) -> Option<Color> {
        self.position.as_ref().map(|position| shakmaty::Position::turn(&**position)).or(self.found.turn)
    }
}

#[pymethods]
impl Probe {
    /// The position's key.
    #[getter]
    fn key(&self) -> u64 {
        self.found.key.0
    }

    /// The position; None if the probe was by key.
    #[getter]
    fn fen(&self) -> Option<String> {
        let position = Chess::clone(self.position.as_ref()?);
        Some(Fen::from_position(&position, EnPassantMode::Legal).to_string())
    }

    /// The side to move, 'white' or 'black'; None if a Polyglot book was probed by key.
    #[getter(turn)]
    fn turn_name(&self) -> Option<&'static str> {
        self.turn().map(|turn| turn.fold_wb("white", "black"))
    }

    /// Games that White won; None in a Polyglot book.
    #[getter]
    fn white(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.white)
    }

    /// Games drawn.
    #[getter]
    fn draws(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.draws)
    }

    /// Games that Black won.
    #[getter]
    fn black(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.black)
    }

    /// Games in which the position occurred.
    #[getter]
    fn games(&self) -> Option<u64> {
        self.found.tally.map(Tally::games)
    }

    /// The moves, those with the most games first; in a Polyglot book, in the order of the book.
    #[getter]
    fn moves(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let make = || {
            let weights = self.found.weights();
            let moves = self.found.moves.iter().zip(weights).map(|(&found, weight)| Move {
                found,
                weight,
                turn: self.turn(),
                position: self.position.clone(),
            });
            let moves = moves.map(|found| Py::new(py, found)).collect::<PyResult<Vec<_>>>()?;
            Ok::<_, PyErr>(PyTuple::new(py, moves)?.unbind())
        };
        Ok(self.moves.get_or_try_init(py, make)?.clone_ref(py))
    }

    fn __len__(&self) -> usize {
        self.found.moves.len()
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(self.moves(py)?.bind(py).try_iter()?.into_any().unbind())
    }

    fn __getitem__(&self, py: Python<'_>, index: isize) -> PyResult<Py<PyAny>> {
        Ok(self.moves(py)?.bind(py).as_any().get_item(index)?.unbind())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let moves = self.moves(py)?;
        let names = moves.bind(py).iter().take(3).map(|found| Ok(found.cast::<Move>()?.get().name()));
        let more = if self.found.moves.len() > 3 { " …" } else { "" };
        Ok(format!(
            "<tabia.Probe {}: {}{more}>",
            self.found.key,
            names.collect::<PyResult<Vec<_>>>()?.join(" ")
        ))
    }
}

/// One move in the result of a probe.
#[pyclass(frozen, module = "tabia")]
pub(crate) struct Move {
    found: KeyMove,
    weight: u16,
    turn: Option<Color>,
    position: Option<Arc<Chess>>,
}

impl Move {
    fn name(&self) -> String {
        self.san().unwrap_or_else(|| self.uci())
    }
}

#[pymethods]
impl Move {
    /// The move as Polyglot encodes it, in 16 bits.
    #[getter(r#move)]
    fn bits(&self) -> u16 {
        self.found.mv.0
    }

    /// The move in UCI notation, with castling written as a two-square king move. If a book was probed by
    /// key, e1h1, e1a1, e8h8 and e8a8 are treated as castling.
    #[getter]
    fn uci(&self) -> String {
        match &self.position {
            Some(position) => named_in(position, self.found.mv),
            None => self.found.mv.uci(self.found.step),
        }
    }

    /// The move in SAN; None if the probe was by key, or if the move is not legal.
    #[getter]
    fn san(&self) -> Option<String> {
        let (_, san) = self.found.mv.unpack_with_san(self.position.as_ref()?)?;
        Some(san.to_string())
    }

    /// Whether the move is legal; None if the probe was by key.
    #[getter]
    fn legal(&self) -> Option<bool> {
        self.position.as_ref().map(|position| self.found.mv.unpack(position).is_some())
    }

    /// Games that White won; None in a Polyglot book.
    #[getter]
    fn white(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.white)
    }

    /// Games drawn.
    #[getter]
    fn draws(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.draws)
    }

    /// Games that Black won.
    #[getter]
    fn black(&self) -> Option<u64> {
        self.found.tally.map(|tally| tally.black)
    }

    /// Games in which the move was played.
    #[getter]
    fn games(&self) -> Option<u64> {
        self.found.tally.map(Tally::games)
    }

    /// The score of the side to move, from 0 to 1.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.found.tally.and_then(|tally| tally.score(self.turn?))
    }

    /// The move's weight in a Polyglot book. For any other artefact, this is the weight that
    /// `tabia export polyglot --counts-only` would give the move.
    #[getter]
    fn weight(&self) -> u16 {
        self.weight
    }

    /// The last 32 bits of the move's entry in a Polyglot book.
    #[getter]
    fn learn(&self) -> u32 {
        self.found.learn
    }

    /// Mean Elo of the players who played the move; None except in tables with ratings.
    #[getter]
    fn average_elo(&self) -> Option<f64> {
        self.found.average_elo
    }

    fn __repr__(&self) -> String {
        let name = self.name();
        match self.found.tally {
            Some(Tally { white, draws, black }) => format!("<tabia.Move {name} +{white} ={draws} -{black}>"),
            None => format!("<tabia.Move {name} weight {}>", self.weight),
        }
    }
}

/// The UCI notation of a move; for an illegal move, the squares that its bits encode.
pub(crate) fn named_in(position: &Chess, mv: PackedMove) -> String {
    let m = mv.unpack(position);
    m.map_or_else(|| mv.to_string(), |m| m.to_uci(CastlingMode::Standard).to_string())
}
