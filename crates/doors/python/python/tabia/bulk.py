"""Keys of positions and names of moves, in bulk: what comes in decides what goes out."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, overload

from tabia import _tabia

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

    import chess

    from tabia.books import Position


@overload
def keys(positions: str | chess.Board) -> int: ...
@overload
def keys(positions: list[str] | list[chess.Board] | list[Position]) -> list[int]: ...
@overload
def keys(positions: Any) -> Any: ...  # noqa: ANN401 -- of a library that types do not know here
def keys(positions: Any) -> Any:
    """The key of a position; or of each of many.

    A list gives a list, a numpy array a numpy array of uint64; a pandas or Polars series and a
    pyarrow array give one of their own, and whatever else speaks Arrow a `tabia.Array`.
    """
    if isinstance(positions, str) or hasattr(positions, "occupied_co"):
        return _tabia.keys_of_list([positions])[0]
    if numpy := kind_of(positions, "numpy"):
        found = _tabia.keys_of_list(positions.ravel().tolist())
        return numpy.array(found, dtype=numpy.uint64).reshape(positions.shape)
    if pandas := kind_of(positions, "pandas"):
        found = _tabia.keys_of_list(positions.tolist())
        return pandas.Series(found, index=positions.index, name=positions.name, dtype="uint64")
    arrow = _tabia.keys_of_arrow(positions)
    return _tabia.keys_of_list(positions) if arrow is None else like(positions, arrow)


@overload
def uci(
    moves: int, steps: int | None = None, *, positions: Position | None = None
) -> str | None: ...
@overload
def uci(
    moves: list[int],
    steps: list[int] | None = None,
    *,
    positions: Iterable[Position] | None = None,
) -> list[str | None]: ...
@overload
def uci(
    moves: Any,  # noqa: ANN401 -- of a library that types do not know here
    steps: Any = None,  # noqa: ANN401
    *,
    positions: Iterable[Position] | None = None,
) -> Any: ...  # noqa: ANN401
def uci(moves: Any, steps: Any = None, *, positions: Any = None) -> Any:
    """The name of a move of Polyglot's bits; or of each of many, as `keys` takes and gives them.

    A missing move (0) is None, and an empty text in numpy. Bits alone do not say which piece moves,
    so e1h1, e1a1, e8h8 and e8a8 are taken for castling; with `steps`, a table's column, or
    `positions` the names are exact.
    """
    if isinstance(moves, int):
        return _tabia.uci_of_list(
            [moves],
            None if steps is None else [steps],
            None if positions is None else [positions],
        )[0]
    if positions is not None:
        return _tabia.uci_of_list([int(move) for move in moves], None, positions)
    if numpy := kind_of(moves, "numpy"):
        return uci_of_numpy(numpy, moves, steps)
    if pandas := kind_of(moves, "pandas"):
        import numpy as of_pandas  # noqa: PLC0415 -- pandas has it

        steps = None if steps is None else steps.to_numpy()
        names = uci_of_numpy(of_pandas, moves.to_numpy(), steps)
        names = pandas.Series(names, index=moves.index, name=moves.name, dtype="str")
        return names.where(names != "")
    found = _tabia.uci_of_arrow(moves, steps)
    return _tabia.uci_of_list(moves, steps) if found is None else like(moves, found)


def uci_of_numpy(numpy: ModuleType, moves: Any, steps: Any) -> Any:  # noqa: ANN401
    """Names of moves in an array of five characters each."""
    moves, shape = narrow(numpy, moves), moves.shape
    names = _tabia.uci_of_buffer(moves, None if steps is None else narrow(numpy, steps))
    return numpy.frombuffer(names, dtype="<U5" if sys.byteorder == "little" else ">U5").reshape(
        shape
    )


def narrow(numpy: ModuleType, numbers: Any) -> Any:  # noqa: ANN401
    """Numbers as 16 bits, in order and side by side; those that do not fit are refused."""
    narrowed = numpy.ascontiguousarray(numbers, dtype=numpy.uint16).ravel()
    if numbers.dtype != numpy.uint16 and not numpy.array_equal(narrowed, numpy.ravel(numbers)):
        raise _tabia.Error("moves and steps are numbers of 16 bits")
    return narrowed


def kind_of(values: object, name: str) -> ModuleType | None:
    """The library `name`, if `values` is an array or a series of it."""
    library = sys.modules.get(name)
    of = {"numpy": "ndarray", "pandas": "Series", "polars": "Series"}[name]
    return library if library is not None and isinstance(values, getattr(library, of)) else None


def like(values: Any, found: _tabia.Array) -> Any:  # noqa: ANN401
    """An array as the library of `values` has it."""
    if polars := kind_of(values, "polars"):
        return polars.Series(found).alias(values.name)
    if type(values).__module__.partition(".")[0] == "pyarrow":
        return sys.modules["pyarrow"].array(found)
    return found
