#!/usr/bin/env python3
"""Judges the Arena book that `tabia export abk` writes of a PGN.

    PYTHONPATH=tests tests/peers/check_abk.py target/release/tabia FILE.pgn

A reader of its own follows the records, python-chess plays them: every move is legal, every record
is met once, and a move has the counts that python-chess finds in the games. Each move of the games
is one record; with repeats to the end, every line of every game is there. Exits 1 if a judge
objects.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

import tabia
from judge.report import Failed, main
from variations import games

PLIES = 8
FIRST, BYTES = 900, 28
PROMOTIONS = [None, chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN]
RESULTS = {"1-0": 0, "1/2-1/2": 1, "0-1": 2}

Tally = tuple[int, int, int]


@dataclass(frozen=True)
class Record:
    """A move of the tree."""

    move: chess.Move
    tally: Tally
    next_move: int
    next_sibling: int


def record(data: bytes, number: int) -> Record:
    """Reads a record by its number."""
    fields = struct.unpack_from("<BBbBiiiIii", data, number * BYTES)
    origin, target, promotion, _, games, won, lost, _, reply, sibling = fields
    move = chess.Move(origin, target, PROMOTIONS[abs(promotion)])
    return Record(move, (won, games - won - lost, lost), reply, sibling)


def lines_of_book(data: bytes) -> dict[tuple[str, ...], Tally]:
    """All lines of the book with the counts of their last moves."""
    found: dict[tuple[str, ...], Tally] = {}
    met: set[int] = set()
    waiting = [(FIRST, chess.Board())]
    while waiting:
        number, board = waiting.pop()
        while number != -1:
            if number in met:
                raise Failed(f"record {number} is met twice")
            met.add(number)
            entry = record(data, number)
            if not board.is_legal(entry.move):
                raise Failed(f"record {number}: {entry.move} in {board.fen()}")
            after = board.copy()
            after.push(entry.move)
            found[tuple(move.uci() for move in after.move_stack)] = entry.tally
            if entry.next_move != -1:
                waiting.append((entry.next_move, after))
            number = entry.next_sibling
    records = len(data) // BYTES - FIRST
    if len(met) != records:
        raise Failed(f"{records} records, and links lead to {len(met)}")
    return found


def games_of(path: Path) -> tuple[dict[tuple[str, str], list[int]], set[tuple[str, ...]]]:
    """Counts by position and move, and all lines, of the games of a PGN."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    lines: set[tuple[str, ...]] = set()
    with path.open(encoding="utf-8", errors="replace") as handle:
        for game in games(handle):
            result = RESULTS.get(game.headers["Result"])
            if result is None or game.errors:
                continue
            board = game.board()
            for move in list(game.mainline_moves())[:PLIES]:
                counts[(board.epd(), move.uci())][result] += 1
                board.push(move)
                lines.add(tuple(played.uci() for played in board.move_stack))
    return counts, lines


def check(binary: Path, pgn: Path, folder: Path) -> Iterator[str]:
    """Compares a book with the games that it was made of."""
    table, book = folder / "games.table", folder / "games.abk"
    tabia.run(binary, "count", pgn, "-o", table, "--max-ply", PLIES)
    counts, lines = games_of(pgn)
    tabia.run(binary, "export", "abk", table, "-o", book, "--max-ply", PLIES)
    moves: list[tuple[str, str]] = []
    for line, tally in lines_of_book(book.read_bytes()).items():
        moves.append(last_move(line))
        if (expected := tuple(counts.get(moves[-1], ()))) != tally:
            yield f"{line}: {tally}, expected {expected}"
    if len(moves) != len(set(moves)) or set(moves) != counts.keys():
        yield f"{len(moves)} records of {len(set(moves))} moves; the games have {len(counts)}"
    tabia.run(binary, "export", "abk", table, "-o", book, "--max-ply", PLIES, "--repeat-plies", PLIES, "-f")
    found = lines_of_book(book.read_bytes())
    if missing := lines - found.keys():
        yield f"{len(missing)} lines of games are not in the book: {min(missing)}"
    print(f"    {len(moves)} moves; {len(found)} lines, {len(lines)} of games")


def last_move(line: tuple[str, ...]) -> tuple[str, str]:
    """The position before the last move of a line, and that move."""
    board = chess.Board()
    for move in line[:-1]:
        board.push_uci(move)
    return board.epd(), line[-1]


if __name__ == "__main__":
    main(__doc__, check)
