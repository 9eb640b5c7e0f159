#!/usr/bin/env python3
"""Probes, keys and names of moves a second from Python, beside python-chess in the same run.

    .venv-python/bin/python benches/python/bench_probes.py FILE.pgn.zst

Counts the file into a table and a book, asks each for keys that are there in random order, and
hashes boards of random games.  Prints the best of five rounds of each.
"""

import argparse
import random
import tempfile
import time
from collections.abc import Callable, Sized
from pathlib import Path

import chess
import chess.polyglot
import numpy as np
import polars as pl

import tabia

KEYS = 100_000
BOARDS = 10_000
ROUNDS = 5


def rate(work: Callable[[], Sized]) -> float:
    """Results a second, of the quickest round."""
    best = 0.0
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        done = len(work())
        best = max(best, done / (time.perf_counter() - begun))
    return best


def boards_of_random_games(draw: random.Random) -> list[chess.Board]:
    """Boards of games of random moves."""
    boards = []
    while len(boards) < BOARDS:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 100:
            boards.append(board.copy(stack=False))
            board.push(draw.choice(list(board.legal_moves)))
    return boards[:BOARDS]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pgn", type=Path)
    pgn = parser.parse_args().pgn
    draw = random.Random(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, counted, polyglot = folder / "b.tabia", folder / "g.table", folder / "b.bin"
        tabia.build(pgn, path, table=counted, polyglot=polyglot, progress=False)
        book, table = tabia.Book(path), tabia.Table(counted)
        rows = pl.DataFrame(table.scan(["key", "move", "step"]))
        keys = rows["key"].unique().sample(KEYS, shuffle=True, seed=1).to_list()
        boards = boards_of_random_games(draw)
        fens = [board.fen(en_passant="fen") for board in boards]
        moves, steps = rows["move"].to_numpy(), rows["step"].to_numpy()
        bits = np.random.default_rng(1).permutation(len(moves))[:KEYS]
        theirs = chess.polyglot.open_reader(polyglot)
        ours = tabia.Book(polyglot)
        some = keys[: KEYS // 10]
        measured = {
            "book, a key": lambda: [book.probe(key) for key in keys],
            "book, a list of keys": lambda: book.probe_many(keys),
            "book, a key, names of its moves": lambda: [
                [move.uci for move in probe] if (probe := book.probe(key)) else None for key in keys
            ],
            "book, a board": lambda: [book.probe(board) for board in boards],
            "table, a key": lambda: [table.probe(key) for key in some],
            "table, a list of keys": lambda: table.probe_many(keys),
            ".bin, entries of a key": lambda: [list(ours.find_all(key)) for key in some],
            ".bin, entries of a key (python-chess)": lambda: [list(theirs.find_all(key)) for key in some],
            "keys of boards": lambda: tabia.keys(boards),
            "keys of boards (python-chess)": lambda: [chess.polyglot.zobrist_hash(b) for b in boards],
            "keys of FENs, a list": lambda: tabia.keys(fens),
            "keys of FENs, Polars": lambda: tabia.keys(pl.Series(fens)),
            "names of moves, numpy": lambda: tabia.uci(moves[bits], steps[bits]),
        }
        print(f"{table!r}: {rows.height:,} rows, {rows['key'].n_unique():,} positions")
        for what, work in measured.items():
            print(f"{what:40} {rate(work):12,.0f} a second")


if __name__ == "__main__":
    main()
