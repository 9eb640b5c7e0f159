#!/usr/bin/env python3
"""Judges the lines that `tabia export pgn`, `epd` and `csv` write of a book of a PGN.

    tests/peers/check_lines.py target/release/tabia FILE.pgn

python-chess reads the game with variations, the games of one line each, the positions and the rows:
all of them have the same moves from the same positions, every one is legal, and none is there
twice. Exits 1 if a judge objects.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import judging

import tabia

Edge = tuple[str, str]


def edges_of_game(text: str) -> Counter[Edge]:
    """The moves of all variations, by the position before them."""
    edges: Counter[Edge] = Counter()
    handle = io.StringIO(text)
    while (game := chess.pgn.read_game(handle)) is not None:
        if game.errors:
            raise tabia.Failed(f"{game.errors}")
        waiting: list[chess.pgn.GameNode] = [game]
        while waiting:
            node = waiting.pop()
            for child in node.variations:
                edges[(node.board().epd(), child.move.uci())] += 1
                waiting.append(child)
    return edges


def edges_of_rows(text: str) -> Counter[Edge]:
    """The moves of a spreadsheet; each row's line and FEN must agree."""
    edges: Counter[Edge] = Counter()
    for row in csv.DictReader(io.StringIO(text, newline="")):
        board, before = chess.Board(), chess.Board()
        for word in row["line"].split():
            if not word[0].isdigit():
                before = board.copy(stack=False)
                board.push_san(word)
        if board.fen() != row["fen"]:
            raise tabia.Failed(f"{row['line']}: {row['fen']}, expected {board.fen()}")
        edges[(before.epd(), before.parse_san(row["move"]).uci())] += 1
    return edges


def positions_of_epd(text: str) -> set[str]:
    """The positions of a suite, each there once and reached by its moves."""
    positions = set()
    for line in text.splitlines():
        board, way = chess.Board(), chess.Board()
        opcodes = board.set_epd(line)
        for san in str(opcodes.get("c1", "")).split():
            way.push_san(san)
        if way.epd() != board.epd() or not board.is_valid() or board.epd() in positions:
            raise tabia.Failed(line)
        positions.add(board.epd())
    return positions


def judge(binary: Path, pgn: Path, folder: Path) -> Iterator[str]:
    """All judges."""
    book = folder / "book.tabia"
    tabia.run(binary, "build", pgn, "-o", book, "--min-games", 3, "--max-ply", 30, "--quiet")
    texts = {}
    for name, flags in (
        ("one.pgn", ["pgn"]),
        ("lines.pgn", ["pgn", "--games", "lines"]),
        ("all.epd", ["epd"]),
        ("all.csv", ["csv"]),
    ):
        kind, *more = flags
        tabia.run(binary, "export", kind, book, "-o", folder / name, *more, "--quiet")
        texts[name] = (folder / name).read_bytes().decode()
    one, lines = edges_of_game(texts["one.pgn"]), edges_of_game(texts["lines.pgn"])
    rows = edges_of_rows(texts["all.csv"])
    if max(one.values()) > 1 or max(rows.values()) > 1:
        yield "a move is there twice"
    if set(one) != set(lines) or set(one) != set(rows):
        yield f"{len(one)} moves as variations, {len(lines)} in lines, {len(rows)} in rows"
    reached = {chess.Board().epd()}
    for position, move in one:
        board = chess.Board(f"{position} 0 1")
        board.push_uci(move)
        reached.add(board.epd())
    if positions_of_epd(texts["all.epd"]) != reached:
        yield "the positions are not those that the moves lead to"
    if len(one) < 100:
        yield f"only {len(one)} moves"


if __name__ == "__main__":
    judging.main(__doc__, judge)
