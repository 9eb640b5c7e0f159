"""Books and tables: probes of one position, moves drawn from it, and a table's rows."""

from __future__ import annotations

import random as random_module
import secrets
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from tabia._tabia import Artefact, Scan

if TYPE_CHECKING:
    import os

    import chess

    Position = int | str | chess.Board
    Setting = str | int | float | bool

SETTINGS: Mapping[str, Any] = {}
"""No settings."""


class Entry(NamedTuple):
    """A move of a position as python-chess's Polyglot reader has it."""

    key: int
    raw_move: int
    """Polyglot's bits."""
    weight: int
    """Of a counted book: two for each win of the mover and one for each draw."""
    learn: int
    move: chess.Move
    """By key alone castling is king takes rook, since no board says otherwise."""


@dataclass(frozen=True)
class Pick:
    """A move that was drawn; `uci` is None where there is nothing to choose."""

    uci: str | None
    san: str | None
    probability: float | None
    policy: str
    seed: int
    fen: str
    notes: list[str]

    @property
    def move(self) -> chess.Move | None:
        """The move for python-chess."""
        import chess  # noqa: PLC0415 -- only who asks for moves of python-chess needs it

        return None if self.uci is None else chess.Move.from_uci(self.uci)


class Book(Artefact):
    """A book, a table or a Polyglot book, opened once and probed from any thread."""

    def __enter__(self) -> Self:
        """The book itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """The file is closed when nothing refers to the book."""

    def find_all(
        self,
        board: Position,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = (),
    ) -> Iterator[Entry]:
        """The moves of a position, as `chess.polyglot.MemoryMappedReader.find_all` has them."""
        import chess  # noqa: PLC0415 -- only who asks for moves of python-chess needs it

        probe = self.probe(board)
        if probe is None:
            return
        by_key, moves = probe.fen is None, probe.moves
        if probe.games is not None:
            # As they are in an exported `.bin`.
            moves = tuple(sorted(moves, key=lambda found: (-found.weight, found.move)))
        for found in moves:
            if found.weight < minimum_weight or found.legal is False:
                continue
            if by_key:
                bits = found.move
                promotion = (bits >> 12) + 1 if bits >> 12 else None
                move = chess.Move(bits >> 6 & 63, bits & 63, promotion)
            else:
                move = chess.Move.from_uci(found.uci)
            if move not in exclude_moves:
                yield Entry(probe.key, found.move, found.weight, found.learn, move)

    def find(
        self,
        board: Position,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = (),
    ) -> Entry:
        """The first entry of the greatest weight; IndexError if there is none."""
        entries = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        try:
            return max(entries, key=lambda entry: entry.weight)
        except ValueError:
            raise IndexError(f"{self} has no move there") from None

    def get(
        self,
        board: Position,
        default: Entry | None = None,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = (),
    ) -> Entry | None:
        """As `find`, and `default` if there is none."""
        try:
            return self.find(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        except IndexError:
            return default

    def choice(
        self,
        board: Position,
        *,
        minimum_weight: int = 1,
        exclude_moves: Container[chess.Move] = (),
        random: random_module.Random | None = None,
    ) -> Entry:
        """An entry drawn with equal chances; IndexError if there is none."""
        chosen, draw = None, (random or random_module).randint
        entries = self.find_all(board, minimum_weight=minimum_weight, exclude_moves=exclude_moves)
        for place, entry in enumerate(entries):
            if chosen is None or draw(0, place) == place:
                chosen = entry
        if chosen is None:
            raise IndexError(f"{self} has no move there")
        return chosen

    def weighted_choice(
        self,
        board: Position,
        *,
        exclude_moves: Container[chess.Move] = (),
        random: random_module.Random | None = None,
    ) -> Entry:
        """An entry drawn by weight; IndexError if there is none. A generator in the same state
        draws what python-chess draws from the exported `.bin`.
        """
        entries = list(self.find_all(board, exclude_moves=exclude_moves))
        total = sum(entry.weight for entry in entries)
        if not total:
            raise IndexError(f"{self} has no move there")
        drawn, sum_so_far = (random or random_module).randint(0, total - 1), 0
        for entry in entries:
            sum_so_far += entry.weight
            if sum_so_far > drawn:
                return entry
        raise AssertionError("a number below the sum is below a partial sum")

    def pick(
        self,
        board: Position,
        policy: str = "polyglot",
        *,
        seed: int | None = None,
        settings: Mapping[str, Setting] = SETTINGS,
    ) -> Pick:
        """A move drawn by a policy (`tabia.policies()` lists them). The same seed draws the same
        move.
        """
        seed = secrets.randbits(64) if seed is None else seed
        return Pick(**self.pick_json(board, policy, texts(settings), seed))

    def explain(
        self,
        board: Position,
        policy: str | None = None,
        *,
        settings: Mapping[str, Setting] = SETTINGS,
    ) -> dict[str, Any]:
        """All that is known of a position, as `tabia probe --json` prints it: what was learned, and
        with a policy the chance of each move and the reasons.
        """
        return self.explain_json(board, policy, texts(settings))

    def why(self, board: Position, move: str | chess.Move) -> dict[str, Any]:
        """Where the numbers for a move in a book came from, as `tabia why --json` prints it."""
        return self.why_json(board, str(move))


class Table(Book):
    """A table of counts: a book of every move, and its rows for any library that takes Arrow.

    With `games = Table(path)`, `polars.DataFrame(games)`, `pyarrow.table(games)` and, in DuckDB,
    `SELECT … FROM games` read all rows; `scan` reads some of its columns.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the table at `path`."""
        self.column_names = tuple(self.columns())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """All rows, by the Arrow C stream interface."""
        return self.scan().__arrow_c_stream__(requested_schema)

    def scan(self, columns: list[str] | None = None, *, batch_rows: int = 131_072) -> Scan:
        """All rows, or some columns of them, in the order of the table; read anew by each who takes
        them.
        """
        return self.scan_columns(columns, batch_rows)


def texts(settings: Mapping[str, Setting]) -> list[tuple[str, str]]:
    """Settings of a policy as the command line takes them."""

    def text(value: Setting) -> str:
        return str(value).lower() if isinstance(value, bool) else str(value)

    return [(name.replace("_", "-"), text(value)) for name, value in settings.items()]
