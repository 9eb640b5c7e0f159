#!/usr/bin/env python3
"""Runs what `tabia sql` prints in DuckDB, and compares it with what the export says and with
python-chess.

    PYTHONPATH=tests tests/peers/check_sql.py target/release/tabia FILE.pgn

A table with groups and ratings, its exports (plain, with signed keys, with folders for months) and
folders with characters that SQL and globs take for their own.  Exits 1 with what is wrong.
"""

from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot
import duckdb

import tabia
from judge.report import main

START_HEX = "463b96181691fc9c"

FIRST_MOVES = f"""
SELECT uci, sum(games)::BIGINT AS games FROM moves WHERE key = key_of('{START_HEX}')
GROUP BY uci ORDER BY games DESC, uci
"""

DERIVED = """
SELECT count(*) FROM moves m JOIN positions p USING (key) WHERE m.score IS DISTINCT FROM
    score(m.white, m.draws, m.black, p.turn)
  OR abs(m.score_low - wilson_low(m.score, m.games)) > 1e-6
  OR abs(m.score_high - wilson_high(m.score, m.games)) > 1e-6
"""
"""Rows of an export whose figures the macros do not give."""

JOINED = """
SELECT count(*), count(*) FILTER (t.uci = e.uci), count(*) FILTER (abs(t.score - e.score) < 1e-12),
  count(*) FILTER (abs(t.score_low - e.score_low) < 1e-6),
  count(*) FILTER (abs(t.score_high - e.score_high) < 1e-6)
FROM counted.moves t JOIN main.moves e
  ON t.key = e.key AND t.move = e.move AND t.rating_band IS NOT DISTINCT FROM e.rating_band
  AND t.month IS NOT DISTINCT FROM e.month
"""
"""Rows of the table beside those of its export: equal figures."""


def opened(binary: Path, folder: Path) -> duckdb.DuckDBPyConnection:
    """DuckDB with the macros and the views of a folder."""
    connection = duckdb.connect()
    connection.execute(tabia.run(binary, "sql", folder))
    return connection


def check_macros(binary: Path) -> Iterator[str]:
    """The macros alone, on values that are known."""
    with duckdb.connect() as connection:
        connection.execute(tabia.run(binary, "sql"))
        known = {
            "uci(0)": None,
            "uci(NULL)": None,
            "uci(263)": "e1g1",
            "uci(3896)": "e8c8",
            "uci(263, 40960)": "e1h1",
            "uci(263, 60416)": "e1g1",
            "squares(263)": "e1h1",
            "uci(19512)": "a7a8q",
            f"key_hex(key_of('{START_HEX}'))": START_HEX,
            "key_hex(1)": "0000000000000001",
            "key_hex(-1)": "f" * 16,
            "signed_key_of('ffffffffffffffff')": -1,
            "turn_of(32768)": "white",
            "turn_of(32767)": "black",
            "turn_of(NULL)": None,
            "score(3, 2, 1, 'black')": 1 / 3,
            "score(0, 0, 0, 'white')": None,
            "round(wilson_low(0.7, 10), 6)": 0.396778,
            "round(wilson_high(0.7, 10), 6)": 0.892209,
            "wilson_low(NULL, 0)": None,
            "wilson_low(NULL, 9)": None,
            "wilson_high(NULL, 9)": None,
            "fen('x', 3)": "x 0 2",
        }
        for call, expected in known.items():
            (got,) = connection.execute(f"SELECT {call}").fetchone()
            if got != expected:
                yield f"{call} is {got!r}, and {expected!r} is expected"


def check_moves(binary: Path, table: Path) -> Iterator[str]:
    """Every first move's name is legal, and each board's moves are named as python-chess names
    them.
    """
    with opened(binary, table) as connection:
        board = chess.Board()
        for _ in range(20):
            key = chess.polyglot.zobrist_hash(board)
            rows = connection.execute("SELECT DISTINCT uci, uci(move), move FROM moves WHERE key = ?", [key])
            named = rows.fetchall()
            for uci, by_bits, move in named:
                if chess.Move.from_uci(uci) not in board.legal_moves:
                    yield f"{uci} ({move}) is not legal in {board.fen()}"
                if uci != by_bits:
                    yield f"{move} is {uci} by its step and {by_bits} by its bits"
            if not named:
                return
            board.push_uci(max(named)[0])


def check_export(binary: Path, table: Path, export: Path, expected: list) -> Iterator[str]:
    """The views of an export, its derived columns, and the views of the table beside it."""
    with opened(binary, export) as connection:
        found = connection.execute(FIRST_MOVES).fetchall()
        if found != expected:
            yield f"{export.name}: the first moves are {found[:3]}, not {expected[:3]}"
        (wrong,) = connection.execute(DERIVED).fetchone()
        if wrong:
            yield f"{export.name}: {wrong} rows have other scores than the macros give"
        start = connection.execute("SELECT fen, key_hex(key) FROM positions WHERE key = start_key()")
        if (found := start.fetchall()) != [(chess.STARTING_FEN, START_HEX)]:
            yield f"{export.name}: the start position is {found}"
        connection.execute("CREATE SCHEMA counted; USE counted")
        connection.execute(tabia.run(binary, "sql", table))
        connection.execute("USE main")
        if export.name == "plain":
            rows, *equal = connection.execute(JOINED).fetchone()
            if not rows or any(count != rows for count in equal):
                yield f"of {rows} rows of the table and the export {equal} are equal"


def check_all(binary: Path, pgn: Path, folder: Path) -> Iterator[str]:
    """Everything, in a folder whose name is quoted and full of patterns."""
    place = folder / "it's [a] *star?"
    place.mkdir()
    table = place / "games.table"
    tabia.run(binary, "count", pgn, "--by", "rating-band,month", "--ratings", "-o", table, "--quiet")
    yield from check_macros(binary)
    yield from check_moves(binary, table)
    with opened(binary, table) as connection:
        expected = connection.execute(FIRST_MOVES).fetchall()
        if len(expected) < 2:
            yield f"the table has {expected} from the start position"
        counted = "SELECT sum(games), (SELECT sum(white + draws + black) FROM counts) FROM positions"
        positions, rows = connection.execute(counted).fetchone()
        if positions != rows:
            yield f"positions have {positions} visits, and rows {rows}"
    for name, flags in (("plain", ()), ("signed", ("--key-type", "i64")), ("months", ("--month-folders",))):
        export = place / name
        tabia.run(binary, "export", "parquet", table, "-o", export, "--quiet", *flags)
        yield from check_export(binary, table, export, expected)


if __name__ == "__main__":
    main(__doc__, check_all, "pgn")
