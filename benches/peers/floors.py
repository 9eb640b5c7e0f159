"""How fast each work must be, against what: the one list of floors and aims of `make bench-peers` and
`make bench-export`.

Works are the names of measures in `measures.py` and `bench_export.py`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from run import Sample, processor, wall


@dataclass(frozen=True)
class Floor:
    """One work against another's; without a floor the ratio is printed alone."""

    work: str
    ours: str
    base: str
    floor: float | None = None
    aim: float | None = None
    time: Literal["wall", "processor"] = "wall"
    kind: Literal["speed", "cost"] = "speed"
    """Of a speed: how many times as fast ours is, at least. Of a cost: how many times as long, at most."""

    def ratio(self, results: dict[str, list[Sample]], of: Callable[[list[Sample]], float]) -> float:
        """The ratio of two times, of a speed or a cost."""
        ours, base = of(results[self.ours]), of(results[self.base])
        return base / ours if self.kind == "speed" else ours / base

    def holds(self, ratio: float) -> bool:
        """Whether a ratio is on the right side of the floor."""
        return self.floor is None or (ratio >= self.floor if self.kind == "speed" else ratio <= self.floor)


VALIDATE = "pgn-reader 0.29.0 and shakmaty 0.30.1"
CHOSEN, TABLE = "KingBase, whole games", "kingbase table"

PEERS = (
    Floor(f"table against {VALIDATE}, KingBase", "kingbase whole 1t", "kingbase validate", 1.15, 1.5),
    Floor(f"table against {VALIDATE}, Lichess", "lichess whole 1t", "lichess validate", 1.15, 1.5),
    Floor("table of 40 plies against the same, KingBase", "kingbase 40 1t", "kingbase validate", 2.2, 2.5),
    Floor("table of 40 plies against the same, Lichess", "lichess 40 1t", "lichess validate", 1.9, 2.5),
    Floor("40 plies to .bin, Lichess", "lichess bin 2t", "lichess polyglot", 24, 40),
    Floor("60 plies, Lichess", "lichess 60 2t", "lichess fastpopular", 5, 8, "processor"),
    Floor("60 plies, KingBase", "kingbase 60 2t", "kingbase fastpopular", time="processor"),
    Floor("whole games to a book, KingBase", "kingbase book 2t", "kingbase chess_db", 4.5, 6),
    *(
        Floor(f"{CHOSEN}: sums of ready rows{how}", TABLE, f"{engine}{how}", time="processor")
        for engine in ("DuckDB", "Polars", "ClickHouse")
        for how in ("", ", sorted")
    ),
    Floor("2 threads, KingBase", "kingbase whole 2t", "kingbase whole 1t", 1.8, 1.95),
    Floor("2 threads, Lichess", "lichess whole 2t", "lichess whole 1t", 1.8, 1.95),
    Floor("one frame of zstd against plain", "kingbase zst 2t", "kingbase whole 2t", 0.7, 0.95),
    Floor("pzstd against plain", "kingbase pzstd 2t", "kingbase whole 2t", 0.85, 0.95),
    Floor("--memory 128MiB against none", "kingbase spill 2t", "kingbase whole 2t", 0.8, 0.9),
    Floor("table against rewriting, Lichess", "lichess whole 1t", "lichess pgn-extract", 1, 10),
    Floor("copies filtered out", "kingbase filter 1t", "kingbase pgn-extract -D", 8, 12),
    Floor("each game once", "kingbase dedup 2t", "kingbase whole 2t", 1.45, 1.3, kind="cost"),
)

EXPORTS = (
    *(
        Floor(f"{what}, {name}", f"{what}, {name}", f"count, {name}", floor, aim, "processor", "cost")
        for what, aim, floors in (
            ("export", 4, (("KingBase", 6), ("Lichess", 8))),
            ("export of moves", 2, (("KingBase", 3.5), ("Lichess", 4))),
        )
        for name, floor in floors
    ),
    Floor("groups and ratings", f"grouped, {CHOSEN}", f"plain, {CHOSEN}", 1.5, 1.3, "processor", "cost"),
)


def compare(
    floors: tuple[Floor, ...], results: dict[str, list[Sample]]
) -> Iterator[tuple[Floor, float, float]]:
    """Every work whose both sides were measured, with its ratios by wall and by processor time."""
    for floor in floors:
        if floor.ours in results and floor.base in results:
            yield floor, floor.ratio(results, wall), floor.ratio(results, processor)


def print_floors(floors: tuple[Floor, ...], results: dict[str, list[Sample]]) -> bool:
    """The ratios beside their floors, as Markdown; whether all hold."""
    print("\n| work | against | kind | by wall | by processor | floor, of | aim |")
    print("|---|---|---|---:|---:|---:|---:|")
    all_hold = True
    for floor, by_wall, by_processor in compare(floors, results):
        holds = floor.holds(by_wall if floor.time == "wall" else by_processor)
        all_hold &= holds
        allowed = "" if floor.floor is None else f"{floor.floor} {floor.time}{'' if holds else ' (missed)'}"
        print(
            f"| {floor.work} | {floor.base} | {floor.kind} | {by_wall:.2f} | {by_processor:.2f}"
            f" | {allowed} | {floor.aim or ''} |"
        )
    return all_hold
