#!/usr/bin/env python3
"""Compares the values that `tabia learn engine` keeps with those that python-chess gets of the same engine.

    PYTHONPATH=tests tests/peers/check_engine_evals.py target/release/tabia data/sample.pgn [--nodes 5000]

A book is made of the games, and all its positions and kept moves are searched.  Of each the last exact value,
its depth and its nodes must be equal.  So must be the bytes of the file for several engines at once in
another order, and after a kill.  Exits 1 after printing what differs.
"""

import argparse
import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import chess
import chess.engine

import tabia
from check_evals import MATE, Row, Search, found_in, packed
from judge import boards
from judge.report import Case, Failed, Skipped, main_of_cases

# Positions that a book must have.
POSITIONS_MIN = 50
# Searches before the run is killed.
SEARCHES_BEFORE = 10
SECONDS_MAX = 600


def learn(given: argparse.Namespace, *more: object) -> Sequence[object]:
    """The command, without its output."""
    search = ("--engine", given.engine, "--nodes", given.nodes, "--moves", "--quiet")
    return (given.binary, "learn", "engine", given.place / "b.tabia", *search, *more)


def positions_of(given: argparse.Namespace) -> Iterator[tuple[chess.Board, list[chess.Move]]]:
    """The positions of the book with their kept moves, found by playing from the start."""
    seen, left = set(), [chess.Board()]
    while left:
        board = left.pop()
        if boards.key(board) in seen:
            continue
        seen.add(boards.key(board))
        probe = json.loads(
            tabia.run(given.binary, "probe", given.place / "b.tabia", "--fen", board.fen(), "--json")
        )
        moves = [board.parse_uci(mv["uci"]) for mv in probe["moves"]]
        yield board, moves
        for move in moves:
            left.append(board.copy(stack=False))
            left[-1].push(move)


def searched(
    engine: chess.engine.SimpleEngine, fen: str, nodes: int, moves: list[chess.Move]
) -> dict[chess.Move | None, chess.engine.InfoDict]:
    """The last exact line of a position, or of each of some moves."""
    found: dict[chess.Move | None, chess.engine.InfoDict] = {}
    limit, board = chess.engine.Limit(nodes=nodes), chess.Board(fen)
    options = {"multipv": len(moves), "root_moves": moves} if moves else {}
    # Another game: the engine's table is empty.
    with engine.analysis(board, limit, game=object(), **options) as lines:
        for line in lines:
            is_exact = "score" in line and not line.get("lowerbound") and not line.get("upperbound")
            if is_exact and (moves or line.get("multipv", 1) == 1):
                found[line["pv"][0] if moves else None] = line
    return found


def expected(given: argparse.Namespace) -> dict[Row, Search]:
    """What python-chess gets."""
    kept: dict[Row, Search] = {}
    with chess.engine.SimpleEngine.popen_uci(str(given.engine)) as engine:
        engine.configure({"Threads": 1, "Hash": 16})
        name = f"{engine.id['name']} at {given.nodes} nodes"
        for board, moves in positions_of(given):
            if not any(board.legal_moves):
                continue
            fen = " ".join([*board.fen().split()[:4], "0 1"])
            lines = searched(engine, fen, given.nodes, [])
            lines |= searched(engine, fen, given.nodes, moves) if moves else {}
            for move, line in lines.items():
                score = line["score"].relative
                mate = score.mate()
                value = score.score() if mate is None else (MATE if mate > 0 else -MATE) - mate
                row = (boards.key(board), packed(board, move.uci()) if move else 0)
                kept[row] = (line["depth"], line["nodes"], name, value)
    return kept


def check_values(given: argparse.Namespace) -> Iterator[str]:
    """Compares every value."""
    ours, theirs = found_in(given.place / "one.parquet"), expected(given)
    positions = sum(move == 0 for _, move in theirs)
    if positions < POSITIONS_MIN:
        raise Failed(f"only {positions} positions")
    for row in sorted(ours.keys() | theirs.keys()):
        if ours.get(row) != theirs.get(row):
            yield f"{row[0]:016x} {row[1]:04x}: {ours.get(row)}, expected {theirs.get(row)}"


def check_bytes(given: argparse.Namespace, *how: object) -> Iterator[str]:
    """Compares a file that was made in another way."""
    other = given.place / "other.parquet"
    tabia.run(*learn(given, "-o", other, "--force", *how))
    if other.read_bytes() != (given.place / "one.parquet").read_bytes():
        yield "the bytes differ"


def check_kill(given: argparse.Namespace) -> Iterator[str]:
    """Kills a run, and goes on."""
    other, record = given.place / "other.parquet", given.place / ".other.parquet.searches"
    command = [str(word) for word in learn(given, "-o", other, "--force", "--jobs", 2)]
    with subprocess.Popen(command) as run:
        until = time.monotonic() + SECONDS_MAX
        while not record.exists() or record.read_bytes().count(b"\n") <= SEARCHES_BEFORE:
            if run.poll() is not None or time.monotonic() > until:
                raise Failed("it ended before it was killed")
            time.sleep(0.01)
        run.kill()
    yield from check_bytes(given, "--resume")
    if record.exists():
        yield "its record is left"


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """Values, and bytes."""
    if not given.engine.exists():
        raise Skipped(f"no {given.engine}")
    tabia.run(
        given.binary,
        "build",
        given.games,
        "-o",
        given.place / "b.tabia",
        "--min-games",
        given.min_games,
        "--quiet",
    )
    tabia.run(*learn(given, "-o", given.place / "one.parquet", "--jobs", 1))
    yield Case("values", partial(check_values, given))
    yield Case("three engines, leaves first", partial(check_bytes, given, "--jobs", 3, "--leaves-first"))
    yield Case("a kill", partial(check_kill, given))


if __name__ == "__main__":
    main_of_cases(
        __doc__, cases, "binary", "games", engine=Path("/usr/games/stockfish"), nodes=5000, min_games=40
    )
