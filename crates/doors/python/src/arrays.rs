//! Computes position keys and move names in bulk.

use std::sync::Arc;

use arrow_array::{
    Array as _, ArrayRef, StringArray, UInt16Array, UInt64Array, builder::StringBuilder, cast::AsArray as _,
    types::UInt16Type,
};
use arrow_schema::DataType;
use position::{Key, PackedMove, Step, named_position};
use pyo3::{buffer::PyBuffer, prelude::*, types::PyByteArray};

use crate::{
    arrow::{Array, chunks_of},
    asked::PositionArgument,
    error::{Error, failed},
    found::named_in,
};

/// The length of the longest move name, in characters.
const UCI_CHARS: usize = 5;

/// The key of each position in an iterable of FENs or boards.
#[pyfunction]
pub(crate) fn keys_of_list(positions: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
    positions.try_iter()?.map(|position| Ok(PositionArgument::of(&position?)?.key().0)).collect()
}

/// The keys of the FENs in Arrow arrays; null where a FEN is null. `None` if the argument is not Arrow data.
#[pyfunction]
pub(crate) fn keys_of_arrow(fens: &Bound<'_, PyAny>) -> PyResult<Option<Array>> {
    let Some(chunks) = chunks_of(fens)? else { return Ok(None) };
    let keys = fens.py().detach(|| {
        let mut keys = Vec::with_capacity(chunks.iter().map(arrow_array::Array::len).sum());
        for chunk in &chunks {
            match chunk.data_type() {
                DataType::Utf8 => hash(chunk.as_string::<i32>().iter(), &mut keys)?,
                DataType::LargeUtf8 => hash(chunk.as_string::<i64>().iter(), &mut keys)?,
                DataType::Utf8View => hash(chunk.as_string_view().iter(), &mut keys)?,
                other => {
                    return Err(Error::new_err(format!(
                        "FENs must be strings, but this array holds {other}"
                    )));
                }
            }
        }
        Ok::<_, PyErr>(UInt64Array::from(keys))
    })?;
    Ok(Some(Array(Arc::new(keys))))
}

fn hash<'f>(fens: impl Iterator<Item = Option<&'f str>>, keys: &mut Vec<Option<u64>>) -> PyResult<()> {
    for fen in fens {
        let place = keys.len();
        let key = |fen| named_position(Some(fen), None).map(|position| Key::of(&position).0);
        let key = fen.map(key).transpose();
        keys.push(key.map_err(|error| failed(format!("row {place}: {error}")))?);
    }
    Ok(())
}

/// The UCI name of each move in an iterable. `steps` or `positions`, if given, must have an item for each
/// move. Without either, moves such as `e1h1` are assumed to be castling.
#[pyfunction]
#[pyo3(signature = (moves, steps=None, positions=None))]
pub(crate) fn uci_of_list(
    moves: Vec<u16>,
    steps: Option<Vec<u16>>,
    positions: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<Option<String>>> {
    check_length("steps", moves.len(), steps.as_ref().map(Vec::len))?;
    if let Some(positions) = positions {
        let positions = positions.try_iter()?.map(|position| PositionArgument::of(&position?)?.position());
        let positions = positions.collect::<PyResult<Vec<_>>>()?;
        check_length("positions", moves.len(), Some(positions.len()))?;
        let name = |(&mv, position)| (mv != 0).then(|| named_in(position, PackedMove(mv)));
        return Ok(moves.iter().zip(&positions).map(name).collect());
    }
    let step = |place: usize| steps.as_ref().map(|steps| Step(steps[place]));
    let name = |(place, &mv)| (mv != 0).then(|| PackedMove(mv).uci(step(place)));
    Ok(moves.iter().enumerate().map(name).collect())
}

/// The name of each move in a buffer of 16-bit numbers, in numpy's `<U5` format: five characters of four
/// bytes each, all of them zero where there is no move.
#[pyfunction]
#[pyo3(signature = (moves, steps=None))]
pub(crate) fn uci_of_buffer(
    py: Python<'_>,
    moves: PyBuffer<u16>,
    steps: Option<PyBuffer<u16>>,
) -> PyResult<Bound<'_, PyByteArray>> {
    let moves = moves.to_vec(py)?;
    let steps = steps.map(|steps| steps.to_vec(py)).transpose()?;
    check_length("steps", moves.len(), steps.as_ref().map(Vec::len))?;
    let bytes = py.detach(|| {
        let mut bytes = vec![0; moves.len() * UCI_CHARS * 4];
        for (place, (cell, &mv)) in bytes.chunks_exact_mut(UCI_CHARS * 4).zip(&moves).enumerate() {
            if mv != 0 {
                let name = PackedMove(mv).uci(steps.as_ref().map(|steps| Step(steps[place])));
                for (character, byte) in cell.chunks_exact_mut(4).zip(name.bytes()) {
                    character.copy_from_slice(&u32::from(byte).to_ne_bytes());
                }
            }
        }
        bytes
    });
    Ok(PyByteArray::new(py, &bytes))
}

/// The names of the moves in Arrow arrays; null where there is no move. `None` if the argument is not Arrow
/// data.
#[pyfunction]
#[pyo3(signature = (moves, steps=None))]
pub(crate) fn uci_of_arrow(
    moves: &Bound<'_, PyAny>,
    steps: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Array>> {
    let Some(moves) = numbers(moves, "moves")? else { return Ok(None) };
    let steps = steps.map(|steps| {
        let numbers = numbers(steps, "steps")?;
        numbers.ok_or_else(|| Error::new_err("steps are an Arrow array, as the moves are"))
    });
    let steps = steps.transpose()?;
    check_length("steps", moves.len(), steps.as_ref().map(Vec::len))?;
    let mut names = StringBuilder::with_capacity(moves.len(), moves.len() * 4);
    for (place, mv) in moves.iter().enumerate() {
        // A move whose step is null is never treated as castling, as in the SQL macro `uci(move, step)`.
        let step = steps.as_ref().map(|steps| Step(steps[place].unwrap_or_default()));
        names.append_option(mv.filter(|&mv| mv != 0).map(|mv| PackedMove(mv).uci(step)));
    }
    let names: StringArray = names.finish();
    Ok(Some(Array(Arc::new(names))))
}

/// The 16-bit numbers in Arrow arrays; `None` if the argument is not Arrow data.
fn numbers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Option<Vec<Option<u16>>>> {
    let Some(chunks) = chunks_of(object)? else { return Ok(None) };
    let mut numbers = Vec::new();
    for chunk in chunks {
        let typed: Option<&UInt16Array> = ArrayRef::as_primitive_opt::<UInt16Type>(&chunk);
        let wrong = || {
            Error::new_err(format!(
                "{name} must be 16-bit unsigned numbers, but this array is of {}",
                chunk.data_type()
            ))
        };
        numbers.extend(typed.ok_or_else(wrong)?.iter());
    }
    Ok(Some(numbers))
}

fn check_length(name: &str, expected: usize, got: Option<usize>) -> PyResult<()> {
    match got {
        Some(got) if got != expected => {
            Err(Error::new_err(format!("expected {expected} {name}, one for each move, but got {got}")))
        }
        _ => Ok(()),
    }
}
