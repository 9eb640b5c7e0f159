"""The native half of `tabia`."""

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, final

import chess
from typing_extensions import disjoint_base

__all__ = [
    "Array",
    "Artefact",
    "Error",
    "Move",
    "Probe",
    "Scan",
    "keys_of_arrow",
    "keys_of_list",
    "policies",
    "run",
    "sql",
    "uci_of_arrow",
    "uci_of_buffer",
    "uci_of_list",
]

_Position = int | str | chess.Board
"""A key, a FEN (or sixteen hexadecimal digits of a key), or a board."""

class Error(Exception):
    """What went wrong, in the words of the command line."""

@final
class Move:
    """One move of a probe."""

    @property
    def move(self) -> int:
        """The move in Polyglot's bits."""
    @property
    def uci(self) -> str:
        """In UCI notation; by key in a book, e1h1, e1a1, e8h8 and e8a8 are taken for castling."""
    @property
    def san(self) -> str | None:
        """In SAN; None if a key was asked for, or if the move is not legal."""
    @property
    def legal(self) -> bool | None:
        """Whether the move is legal; None if a key was asked for."""
    @property
    def white(self) -> int | None:
        """Games that White won; None in a Polyglot book."""
    @property
    def draws(self) -> int | None:
        """Games drawn."""
    @property
    def black(self) -> int | None:
        """Games that Black won."""
    @property
    def games(self) -> int | None:
        """Games in which it was played."""
    @property
    def score(self) -> float | None:
        """Score of the side to move, 0 to 1."""
    @property
    def weight(self) -> int:
        """Its weight in a Polyglot book: the stored one, or the one that an export would write."""
    @property
    def learn(self) -> int:
        """The last 32 bits of its entry in a Polyglot book."""
    @property
    def average_elo(self) -> float | None:
        """Mean Elo of the players who played it; None except in tables with ratings."""

@final
class Probe:
    """What a book or a table has of a position."""

    @property
    def key(self) -> int:
        """The position's key."""
    @property
    def fen(self) -> str | None:
        """The position; None if a key was asked for."""
    @property
    def turn(self) -> str | None:
        """The side to move, `white` or `black`; None by key in a Polyglot book."""
    @property
    def white(self) -> int | None:
        """Games that White won; None in a Polyglot book."""
    @property
    def draws(self) -> int | None:
        """Games drawn."""
    @property
    def black(self) -> int | None:
        """Games that Black won."""
    @property
    def games(self) -> int | None:
        """Games that met the position."""
    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves, those with most games first; in a Polyglot book, in the book's order."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Move]: ...
    def __getitem__(self, key: int, /) -> Move: ...

@final
class Scan:
    """The rows of a table, for any library that takes Arrow; each reader starts at the first."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class Array:
    """An array, for any library that takes Arrow."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@disjoint_base
class Artefact:
    """A book, a table or a Polyglot book, recognized by its content."""

    def __new__(cls, path: str | os.PathLike[str]) -> Artefact: ...
    @property
    def path(self) -> os.PathLike[str]:
        """The path of the file or folder."""
    @property
    def kind(self) -> str:
        """`the book`, `the table` or `the Polyglot book`."""
    def probe(self, position: _Position) -> Probe | None:
        """What it has of a position; None if the position is not in it."""
    def probe_many(self, positions: Iterable[_Position]) -> list[Probe | None]:
        """What it has of each of many positions."""
    def __contains__(self, key: _Position, /) -> bool: ...
    def explain_json(
        self,
        position: _Position,
        policy: str | None = None,
        settings: list[tuple[str, str]] = ...,
    ) -> dict[str, Any]: ...
    def pick_json(
        self, position: _Position, policy: str, settings: list[tuple[str, str]], seed: int
    ) -> dict[str, Any]: ...
    def why_json(self, position: _Position, name: str) -> dict[str, Any]: ...
    def info(self) -> dict[str, Any]:
        """Facts about all of it, as `tabia info --json` prints them."""
    def rows(self, position: _Position) -> list[dict[str, Any]]:
        """The rows of a table for a position: groups are not summed, and move 0 is a game that
        ended there.
        """
    def columns(self) -> list[str]:
        """The columns of a table."""
    def roots(self) -> list[dict[str, Any]]:
        """The positions other than the start position from which a table's games started."""
    def scan_columns(self, columns: list[str] | None = None, batch_rows: int = 131_072) -> Scan: ...

def policies() -> list[dict[str, Any]]:
    """All policies and their settings, as `tabia policies --json` prints them."""

def sql(path: str | os.PathLike[str] | None = None) -> str:
    """DuckDB's macros, and views over an export or a table, as `tabia sql` prints them."""

def keys_of_list(positions: Iterable[_Position]) -> list[int]: ...
def keys_of_arrow(fens: object) -> Array | None: ...
def uci_of_list(
    moves: Iterable[int],
    steps: Iterable[int] | None = None,
    positions: Iterable[_Position] | None = None,
) -> list[str | None]: ...
def uci_of_buffer(moves: object, steps: object = None) -> bytearray: ...
def uci_of_arrow(moves: object, steps: object = None) -> Array | None: ...
def run(
    places: dict[str, Any],
    settings: dict[str, Any],
    options: dict[str, bool],
    progress: Callable[[str, str, tuple[int, ...]], object] | None = None,
) -> dict[str, Any]: ...
