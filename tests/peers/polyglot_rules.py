"""What Debian's polyglot does to a PGN, and what a `.bin` of ours must be, byte for byte.

`make_book` follows polyglot 2.0.4 `book_make.c`: entries in the order of their first visit, 16-bit
counts, all moves of a position halved whenever one reaches 16,384 visits, moves without a point
dropped, and a stable sort by key and falling weight.  `our_book` follows docs: exact counts, scaled
once for each position, at least 1.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import oracle
import pgn_rules

COUNT_MAX = 16_384
WEIGHT_MAX = 65_535
ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
RESULT_TAGS = (b"1-0", b"0-1", b"1/2-1/2")


@dataclass
class Edge:
    """One move of one position: exact counts and polyglot's 16-bit ones."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    n: int = 0
    total: int = 0
    """Polyglot's `sum`: 2 a win, 1 a draw, halved now and then."""

    def add(self, points: int) -> None:
        """Counts one visit and the half points that it gave the mover."""
        self.losses += points == 0
        self.draws += points == 1
        self.wins += points == 2
        self.n += 1
        self.total += points

    def halve(self) -> None:
        """Polyglot's `halve_stats`."""
        self.n, self.total = (self.n + 1) // 2, (self.total + 1) // 2

    @property
    def exact(self) -> int:
        """The weight if nothing were ever halved."""
        return 2 * self.wins + self.draws


@dataclass
class Visits:
    """Positions in the order of their first visit, each with its moves in that order."""

    positions: dict[int, dict[int, Edge]] = field(default_factory=dict)
    halved: set[int] = field(default_factory=set)

    def add_game(self, outcome: str, keys: list[int], moves: list[int]) -> None:
        """Counts one game from the start position."""
        white_points = {"white": 2, "draw": 1, "black": 0}[outcome]
        for ply, (key, move) in enumerate(zip(keys, moves, strict=False)):
            edges = self.positions.setdefault(key, {})
            edge = edges.setdefault(move, Edge())
            edge.add(2 - white_points if ply % 2 else white_points)
            if edge.n >= COUNT_MAX:
                self.halved.add(key)
                for sibling in edges.values():
                    sibling.halve()


def accepted_games(path: Path, output: Path, options: oracle.Options) -> Visits:
    """Visits of the games that both sides read alike; writes those games to `output`.

    Left out are games that the rules reject (polyglot stops at an illegal move and takes `*` for a
    draw) and those whose result only the terminator names (polyglot reads the tag alone).
    """
    visits = Visits()
    with output.open("wb") as sink:
        for span, text, lines in oracle.texts(path):
            tags, _, _ = pgn_rules.read_tags(text, lines)
            if span.fragment or tags.get(b"Result") not in RESULT_TAGS:
                continue
            game = oracle.count_game(text, 0, lines, options)
            if not isinstance(game, oracle.Rejection):
                sink.write(text.strip() + b"\n\n")
                visits.add_game(game.outcome, game.keys, game.moves)
    return visits


def make_book(visits: Visits) -> bytes:
    """The file `polyglot make-book -min-game 1` writes."""
    entries = []
    for key in sorted(visits.positions):
        edges = visits.positions[key]
        kept = [(move, edge.total) for move, edge in edges.items() if edge.total > 0]
        kept.sort(key=lambda entry: -entry[1])
        entries.extend((key, move, weight) for move, weight in kept)
    return to_bytes(entries)


def our_book(visits: Visits) -> bytes:
    """The file `tabia … --polyglot --min-games 1` must write."""
    entries = []
    for key in sorted(visits.positions):
        edges = visits.positions[key]
        largest = max(edge.exact for edge in edges.values())
        kept = [(move, scale(edge.exact, largest)) for move, edge in edges.items()]
        kept.sort(key=lambda entry: (-entry[1], entry[0]))
        entries.extend((key, move, weight) for move, weight in kept)
    return to_bytes(entries)


def scale(weight: int, largest: int) -> int:
    """Ratios are kept where the largest does not fit 16 bits; halves are rounded up."""
    if largest > WEIGHT_MAX:
        weight = (2 * weight * WEIGHT_MAX + largest) // (2 * largest)
    return max(1, weight)


def to_bytes(entries: Iterable[tuple[int, int, int]]) -> bytes:
    """Entries as they are in a book."""
    rows = [(key, move, weight, 0) for key, move, weight in entries]
    return np.array(rows, ENTRY).tobytes()
