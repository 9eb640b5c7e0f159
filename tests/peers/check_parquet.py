#!/usr/bin/env python3
"""Exports a PGN file in every layout and judges the files from outside.

    PYTHONPATH=tests tests/peers/check_parquet.py target/release/tabia
    PYTHONPATH=tests tests/peers/check_parquet.py target/release/tabia FILE.pgn --spark

Without a file it takes the cookbook's club, which has dates, clocks and ratings to group by.
pyarrow, DuckDB, Polars and pandas must agree with a count by python-chess on rows, sums and ten
spot answers; with `--spark` also PySpark in local mode, for the export with signed keys.  Every
row of `moves` and `positions` is compared and every derived number computed again.  Exits 1 with
what is wrong.
"""

import argparse
import importlib
import importlib.util
import itertools
import json
import math
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import chess
import chess.polyglot
import pyarrow.dataset

import export_oracle
import export_structure
import oracle
import replay_rules
import spots
import tabia
from export_oracle import START, Edge, Expected, Group
from judge.boards import board_after
from judge.report import ROOT, SAMPLE, Case, Skipped, main_of_cases
from judge.run import must
from spots import Spot

Z = 1.959963984540054
"""Of the 95 % interval."""

FRACTION = 1e-5
"""How far a 32-bit fraction may differ from the exact one, relatively."""

RATING_LIMIT = 800
"""The greatest difference of a performance from the opponents' mean."""

RESULTS = {"white": "1-0", "draw": "1/2-1/2", "black": "0-1"}

SHOWN = 5
"""Differences of a kind that are printed."""

BOARDS_EVERY = 40
"""One of this many positions is set up on a board."""

E2E4, D2D4, C7C5 = 796, 731, 3234
"""Polyglot's bits."""
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -"
BOOK_MIN_GAMES = 5
WHOLE = oracle.Options(max_ply=0)
GROUPED = ("--by", "speed,rating-band,month", "--ratings")


@dataclass(frozen=True)
class Layout:
    """One way to export."""

    name: str
    counting: tuple[str, ...] = ()
    exporting: tuple[str, ...] = ()

    @property
    def grouped(self) -> bool:
        """Whether edges are split by speed, rating band and month."""
        return GROUPED[1] in self.counting

    @property
    def key_type(self) -> str:
        """`i64` or `u64`."""
        return "i64" if "i64" in self.exporting else "u64"

    def key(self, key: int) -> int:
        """A key as the layout writes it."""
        return key - (1 << 64) if self.key_type == "i64" and key >> 63 else key


LAYOUTS = (
    Layout("plain"),
    Layout("grouped", GROUPED),
    Layout("months", GROUPED, ("--month-folders",)),
    Layout("signed", GROUPED, ("--key-type", "i64")),
)


def rows_of(export: Path, file: str) -> list[dict]:
    """All rows, in order; the column `month` from the folders where there are any."""
    flavor = "hive" if any((export / file).glob("month=*")) else None
    rows = pyarrow.dataset.dataset(export / file, partitioning=flavor).to_table().to_pylist()
    for row in rows if flavor else ():
        row["month"] = row["month"] and int(row["month"].replace("-", ""))
    return rows


def show(wrong: Iterator[str]) -> list[str]:
    """The first of many differences, and how many there are."""
    found = list(wrong)
    rest = [f"… {len(found)} in all"] if len(found) > SHOWN else []
    return found[:SHOWN] + rest


def check_moves(export: Path, expected: Expected, layout: Layout) -> Iterator[str]:
    """Every row of `moves`: counts, and what is derived from them."""
    wanted = {edge: sums for edge, sums in expected.edges.items() if edge.move}
    visits, months = expected.visits(), month_ranges(wanted)
    for row in rows_of(export, "moves"):
        group = Group(*map(row.get, Group._fields))
        edge = Edge(row["key"] % (1 << 64), row["move"], group)
        sums = wanted.pop(edge, None)
        if sums is None:
            yield f"{edge} was not counted"
            continue
        right = derive(sums, expected.movers[edge.key], "--ratings" in layout.counting)
        first, last = months[edge.key, edge.move] if layout.grouped else (None, None)
        right |= {
            "first_month": first,
            "last_month": last,
            "share": sums.games / visits[edge.key, group],
            "child_key": layout.key(expected.children[edge.key, edge.move]),
        }
        yield from different_cells(row, right)
    yield from (f"{edge} is missing" for edge in wanted)


def month_ranges(edges: dict[Edge, export_oracle.Sums]) -> dict[tuple[int, int], tuple]:
    """The first and the last known month of each edge over its groups."""
    months = defaultdict(set)
    for key, move, group in edges:
        months[key, move] |= {group.month} - {None}
    return {edge: (min(found, default=None), max(found, default=None)) for edge, found in months.items()}


def derive(sums: export_oracle.Sums, mover: int, ratings: bool) -> dict:
    """A row's numbers from its sums."""
    white, draws, black = sums.outcomes
    games = sums.games
    score = ((white, black)[mover] + draws / 2) / games
    middle = score + Z * Z / (2 * games)
    spread = Z * math.sqrt(score * (1 - score) / games + Z * Z / (4 * games * games))
    rated = ratings and sums.rated
    return {
        "white": white,
        "draws": draws,
        "black": black,
        "games": games,
        "score": score,
        "score_low": (middle - spread) / (1 + Z * Z / games),
        "score_high": (middle + spread) / (1 + Z * Z / games),
        "average_rating": sums.mover_elo / sums.rated if rated else None,
        "performance_rating": performance(sums.opponent_elo / sums.rated, score) if rated else None,
    }


def performance(opponents: float, score: float) -> float:
    """The rating at which this score is expected."""
    if score in (0, 1):
        return opponents + (RATING_LIMIT if score else -RATING_LIMIT)
    surplus = 400 * math.log10(score / (1 - score))
    return opponents + max(-RATING_LIMIT, min(RATING_LIMIT, surplus))


def check_positions(export: Path, expected: Expected, layout: Layout) -> Iterator[str]:
    """Every row of `positions`."""
    wanted, plies, parents = dict(expected.positions), expected.plies(), parents_of(expected)
    for row in rows_of(export, "positions"):
        key = row["key"] % (1 << 64)
        outcomes = wanted.pop(key, None)
        if outcomes is None:
            yield f"position {key:016x} does not occur in the games"
            continue
        parent, move = parents.get(key, (None, None))
        right = dict(zip(("white", "draws", "black"), outcomes, strict=True)) | {
            "games": sum(outcomes),
            "ply": plies[key],
            "turn": ("white", "black")[expected.movers[key]],
            "parent_key": None if parent is None else layout.key(parent),
            "parent_move": move,
        }
        yield from different_cells(row, right)
    yield from (f"position {key:016x} is missing" for key in wanted)


def parents_of(expected: Expected) -> dict[int, tuple[int, int]]:
    """The most played edge into each position from one a ply before, of equal ones the smallest."""
    plies = expected.plies()
    games: dict[tuple[int, int], int] = defaultdict(int)
    for edge, sums in expected.edges.items():
        games[edge.key, edge.move] += sums.games
    best: dict[int, tuple[int, int, int]] = {}
    for (key, move), child in expected.children.items():
        if plies.get(child) == plies.get(key, -1) + 1:
            best[child] = min(best.get(child, (0, 0, 0)), (-games[key, move], key, move))
    return {child: (key, move) for child, (_, key, move) in best.items()}


def different_cells(row: dict, right: dict) -> Iterator[str]:
    """Where a row has another value than it must."""
    for name, value in right.items():
        found = row.get(name)
        if isinstance(value, float) and isinstance(found, float):
            same = math.isclose(found, value, rel_tol=FRACTION, abs_tol=FRACTION)
        else:
            same = found == value
        if not same:
            at = f"key {row['key'] % (1 << 64):016x} {row.get('uci', '')}"
            yield f"{at}: {name} {found}, not {value}"


def check_boards(export: Path) -> Iterator[str]:
    """FEN, EPD, key, UCI and SAN of some positions, on python-chess's boards."""
    boards = {}
    for row in rows_of(export, "positions")[::BOARDS_EVERY]:
        board = boards[row["key"]] = chess.Board(row["fen"])
        key = row["key"] % (1 << 64)
        if chess.polyglot.zobrist_hash(board) != key or board.epd() != row["epd"]:
            yield f"position {key:016x}: FEN {row['fen']}, EPD {row['epd']}"
        if 2 * board.fullmove_number - 1 - board.turn != row["ply"] or board.halfmove_clock:
            yield f"position {key:016x}: FEN {row['fen']} at ply {row['ply']}"
    for row in rows_of(export, "moves"):
        board = boards.get(row["key"])
        if board is not None:
            move = board.parse_san(row["san"])
            played = (move.uci(), board.san(move), replay_rules.pack(board, move))
            if played != (row["uci"], row["san"], row["move"]):
                yield f"{board.fen()}: {played}, not {row['uci']} {row['san']} {row['move']}"


def check_lines(export: Path, positions: list[dict]) -> Iterator[str]:
    """Every line, played by python-chess, ends at its position, and every position has one."""
    wanted = {row["key"]: row for row in positions}
    for row in rows_of(export, "lines"):
        position = wanted.pop(row["key"], None)
        board = board_after(row["line"])
        if position is None or chess.polyglot.zobrist_hash(board) != row["key"] % (1 << 64):
            yield f"line {row['line']}: not of key {row['key'] % (1 << 64):016x}"
        elif (board.ply(), position["games"]) != (row["ply"], row["games"]) or position["ply"] != row["ply"]:
            yield f"line {row['line']}: ply {row['ply']}, games {row['games']}"
    yield from (f"key {key % (1 << 64):016x} has no line" for key in wanted)


def count_spots(expected: Expected, layout: Layout) -> list[tuple[Spot, object]]:
    """Sums of all rows and ten spot answers about counts."""
    moves = {edge: sums for edge, sums in expected.edges.items() if edge.move}
    visits = sum(map(sum, expected.positions.values()))
    asked = [
        (Spot("moves", "count", "key"), len(moves)),
        (Spot("moves", "sum", "games"), sum(sums.games for sums in moves.values())),
        (Spot("positions", "count", "key"), len(expected.positions)),
        (Spot("positions", "sum", "games"), visits),
    ]
    for index, name in enumerate(("white", "draws", "black")):
        total = sum(sums.outcomes[index] for sums in moves.values())
        asked.append((Spot("moves", "sum", name), total))
    return [*asked, *move_spots(moves, expected, layout), *position_spots(expected, layout)]


def move_spots(
    moves: dict[Edge, export_oracle.Sums], expected: Expected, layout: Layout
) -> Iterator[tuple[Spot, object]]:
    """Six answers about moves."""
    after_e4, after_d4 = expected.children[START, E2E4], expected.children[START, D2D4]
    speed = "blitz" if layout.grouped else None

    def at(key: int, *more: tuple) -> tuple:
        return (("key", "=", layout.key(key)), *more)

    def kept(key: int, move: int | None = None) -> list[export_oracle.Sums]:
        return [s for e, s in moves.items() if e.key == key and move in (None, e.move)]

    yield Spot("moves", "count", "move", at(START)), len(kept(START))
    first = at(START, ("move", "=", E2E4))
    yield Spot("moves", "sum", "games", first), sum(s.games for s in kept(START, E2E4))
    sicilian = at(after_e4, ("san", "=", "c5"))
    yield Spot("moves", "sum", "black", sicilian), sum(s.outcomes[2] for s in kept(after_e4, C7C5))
    fast = at(after_d4, ("speed", "=", speed)) if speed else at(after_d4)
    drawn = [s.outcomes[1] for e, s in moves.items() if (e.key, e.group.speed) == (after_d4, speed)]
    yield Spot("moves", "sum", "draws", fast), sum(drawn)
    yield Spot("moves", "max", "games"), max(sums.games for sums in moves.values())
    often = sum(sums.games >= 10 for sums in moves.values())
    yield Spot("moves", "count", "key", (("games", ">=", 10),)), often


def position_spots(expected: Expected, layout: Layout) -> Iterator[tuple[Spot, object]]:
    """Four answers about positions."""
    plies = expected.plies()
    fourth = sum(ply == 4 for ply in plies.values())
    yield Spot("positions", "count", "key", (("ply", "=", 4),)), fourth
    yield Spot("positions", "max", "ply"), max(plies.values())
    won = sum(won for key, (won, _, _) in expected.positions.items() if expected.movers[key])
    yield Spot("positions", "sum", "white", (("turn", "=", "black"),)), won
    after_e4 = layout.key(expected.children[START, E2E4])
    yield Spot("positions", "max", "epd", (("key", "=", after_e4),)), AFTER_E4


def game_spots(expected: Expected, key: Callable[[int], int]) -> list[tuple[Spot, object]]:
    """Spot answers: ten about games, three about their moves."""
    games = expected.games
    plies = [len(game.moves) for game, _ in games]
    white = [int(tags[b"WhiteElo"]) for _, tags in games if b"WhiteElo" in tags]
    black = [int(tags[b"BlackElo"]) for _, tags in games if b"BlackElo" in tags]
    results = [tags[b"Result"].decode() for _, tags in games]
    last = games[-1][0].keys[-1]
    won = (("Result", "=", "1-0"),)
    return [
        (Spot("games", "count", "Event"), len(games)),
        (Spot("games", "count", "WhiteElo"), len(white)),
        (Spot("games", "sum", "plies"), sum(plies)),
        (Spot("games", "max", "plies"), max(plies)),
        (Spot("games", "min", "plies"), min(plies)),
        (Spot("games", "sum", "WhiteElo"), sum(white)),
        (Spot("games", "max", "BlackElo"), max(black)),
        (Spot("games", "min", "Result"), min(results)),
        (
            Spot("games", "sum", "plies", won),
            sum(count for count, result in zip(plies, results, strict=True) if result == "1-0"),
        ),
        (
            Spot("games", "count", "plies", (("end_key", "=", key(last)),)),
            sum(game.keys[-1] == last for game, _ in games),
        ),
        (Spot("observations", "count", "move"), sum(plies)),
        (Spot("observations", "max", "ply"), max(plies) - 1),
        (Spot("observations", "count", "key", (("key", "=", key(START)),)), len(games)),
    ]


def check_games(export: Path, expected: Expected) -> Iterator[str]:
    """Every game's moves and end."""
    rows = rows_of(export, "games")
    if len(rows) != len(expected.games):
        yield f"{len(rows)} games, not {len(expected.games)}"
    for row, (game, tags) in zip(rows, expected.games, strict=False):
        board = chess.Board()
        packed = []
        for uci in row["moves"]:
            move = chess.Move.from_uci(uci)
            packed.append(replay_rules.pack(board, move))
            board.push(move)
        if (packed, row["end_key"]) != (game.moves, game.keys[-1]):
            yield f"game of {tags.get(b'Round')}: other moves"


def check_observations(export: Path, expected: Expected) -> Iterator[str]:
    """Every game's moves, a row each."""
    lists = [row["moves"] for row in rows_of(export, "games")]
    wanted = (
        (number, ply, key, move, uci, RESULTS[game.outcome])
        for number, ((game, _), moves) in enumerate(zip(expected.games, lists, strict=True), 1)
        for ply, (key, move, uci) in enumerate(zip(game.keys, game.moves, moves, strict=False))
    )
    for row, right in itertools.zip_longest(rows_of(export, "observations"), wanted):
        if row is None or tuple(row.values()) != right:
            yield f"observation {row}, not {right}"


def check_spots(
    export: Path, asked: list[tuple[Spot, object]], engines: dict[str, Callable]
) -> Iterator[str]:
    """Every engine's answer to every question."""
    for spot, right in asked:
        for name, ask in engines.items():
            found = ask(export, spot)
            if found != right:
                yield f"{name}: {spot.sql(spot.file)} is {found}, not {right}"


def check_book(export: Path, expected: Expected, color: str | None) -> Iterator[str]:
    """A book's moves: those played often enough, with their counts, as far as the start leads."""
    kept = {
        (edge.key, edge.move): sums.outcomes
        for edge, sums in expected.edges.items()
        if edge.move and sums.games >= BOOK_MIN_GAMES
        if color is None or color == ("white", "black")[expected.movers[edge.key]]
    }
    found = {
        (row["key"], row["move"]): [row[name] for name in ("white", "draws", "black")]
        for row in rows_of(export, "moves")
    }
    reported = json.loads((export / "export.json").read_text())
    if found != kept:
        yield f"{len(found)} moves, {len(kept)} kept; {reported}"


class Judge:
    """Runs the binary in one folder and collects what is wrong."""

    def __init__(self, binary: Path, pgn: Path, folder: Path, engines: dict[str, Callable]) -> None:
        """`engines` answer the spot questions."""
        self.binary, self.pgn, self.folder, self.engines = binary, pgn, folder, engines
        self.plain = export_oracle.expect(pgn, export_oracle.ungrouped)
        self.grouped = export_oracle.expect(pgn, export_oracle.by_speed_band_month)

    def run(self, *arguments: object) -> None:
        """One command."""
        tabia.run(self.binary, *arguments, "--quiet")

    def colors(self) -> Iterator[str]:
        """The games of the first game's White, split by its colour."""
        player = self.plain.games[0][1][b"White"]
        expected = export_oracle.expect(self.pgn, export_oracle.by_color_of(player))
        counting = ("--by", "player-color", "--player", player.decode())
        yield from self.layout(Layout("colours", counting), expected)

    def layout(self, layout: Layout, expected: Expected) -> Iterator[str]:
        """One layout of an export of counts."""
        table, export = self.folder / f"{layout.name}.table", self.folder / layout.name
        self.run("count", self.pgn, "-o", table, *layout.counting)
        self.run("export", "parquet", table, "-o", export, "--with", "fen", "--lines", *layout.exporting)
        yield from show(export_structure.check_export(export, layout.key_type))
        yield from show(check_moves(export, expected, layout))
        yield from show(check_positions(export, expected, layout))
        yield from show(check_boards(export))
        yield from show(check_lines(export, rows_of(export, "positions")))
        yield from check_spots(export, count_spots(expected, layout), self.engines)

    def cut(self) -> Iterator[str]:
        """What is cut away is missing from an export, and nothing else is."""
        table, whole, export = (self.folder / name for name in ("plain.table", "plain", "cut"))
        cuts = ("--max-ply", 9, "--min-games", 3, "--color", "black", "--lines")
        self.run("export", "parquet", table, "-o", export, *cuts)
        yield from show(export_structure.check_export(export, "u64"))
        positions = rows_of(whole, "positions")
        black = {row["key"]: row["ply"] for row in positions if row["turn"] == "black"}
        kept = [row for row in positions if row["key"] in black and row["ply"] <= 9 and row["games"] >= 3]
        moves = [row for row in rows_of(whole, "moves") if black.get(row["key"], 9) < 9 and row["games"] >= 3]
        for row in kept:
            del row["fen"]
        if not kept or rows_of(export, "positions") != kept:
            yield "positions are not those of the whole export"
        if not moves or rows_of(export, "moves") != moves:
            yield "moves are not those of the whole export"
        yield from show(check_lines(export, kept))

    def book(self, color: str | None) -> Iterator[str]:
        """The export of a book."""
        book, export = self.folder / f"{color}.tabia", self.folder / f"book-{color}"
        flags = ["--color", color] if color else []
        table = self.folder / "plain.table"
        self.run("compact", table, "-o", book, "--min-games", BOOK_MIN_GAMES, *flags)
        self.run("export", "parquet", book, "-o", export)
        yield from show(export_structure.check_export(export, "u64"))
        yield from show(check_book(export, self.plain, color))

    def games(self) -> Iterator[str]:
        """The export of games."""
        export = self.folder / "games"
        self.run("export", "games", self.pgn, "-o", export, "--observations")
        whole = Expected({}, {}, {}, {}, list(export_oracle.read_games(self.pgn, WHOLE)))
        yield from show(export_structure.check_export(export, "u64"))
        yield from show(check_games(export, whole))
        yield from show(check_observations(export, whole))
        yield from check_spots(export, game_spots(whole, lambda key: key), self.engines)

    def cases(self, spark: bool) -> Iterator[Case]:
        """Everything; Spark asks an export that is made before."""
        for layout in LAYOUTS:
            expected = self.grouped if layout.grouped else self.plain
            yield Case(layout.name, partial(self.layout, layout, expected))
        yield Case("cut", self.cut)
        yield Case("colours", self.colors)
        for color in (None, "white"):
            yield Case(f"book {color or 'of both colours'}", partial(self.book, color))
        yield Case("games", self.games)
        if spark:
            yield Case("spark", self.spark)

    def spark(self) -> list[str]:
        """PySpark's answers about the export with signed keys."""
        if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
            raise Skipped("PySpark or Java is not installed")
        engine = importlib.import_module("spark_engine")
        signed = next(layout for layout in LAYOUTS if layout.key_type == "i64")
        asked = count_spots(self.grouped, signed)
        with engine.spark() as answer:
            return list(check_spots(self.folder / signed.name, asked, {"spark": answer}))


def cases(args: argparse.Namespace) -> Iterator[Case]:
    """All of one file; without one, of the cookbook's club."""
    if not args.pgn:
        must(sys.executable, ROOT / "data/tag_sample.py", SAMPLE, args.place)
    judge = Judge(args.binary, args.pgn or args.place / "club.pgn", args.place, spots.ENGINES)
    return judge.cases(args.spark)


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "pgn?", spark=False)
