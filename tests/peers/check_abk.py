#!/usr/bin/env python3
"""Judges the Arena book that `tabia export abk` writes of a PGN.

    PYTHONPATH=tests tests/peers/check_abk.py target/release/tabia FILE.pgn

A reader of its own follows the records, python-chess plays them: every move is legal, every record
is met once, and a move has the counts that python-chess finds in the games. Each move of the games
is one record; with repeats to the end, every line of every game is there. Exits 1 if a judge
objects.
"""

import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import chess

import tabia
from judge.boards import games
from judge.report import Failed, main

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


def lines_of_book(data: bytes) -> dict[tuple[str, ...], tuple[tuple[str, str], Tally]]:
    """All lines of the book; of each the position before its last move, that move, and its counts."""
    found: dict[tuple[str, ...], tuple[tuple[str, str], Tally]] = {}
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
            last = (board.epd(), entry.move.uci())
            found[tuple(move.uci() for move in after.move_stack)] = (last, entry.tally)
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
    for game in games(path.read_text("utf-8", "replace")):
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
    for line, (move, tally) in lines_of_book(book.read_bytes()).items():
        moves.append(move)
        if (expected := tuple(counts.get(move, ()))) != tally:
            yield f"{line}: {tally}, expected {expected}"
    if len(moves) != len(set(moves)) or set(moves) != counts.keys():
        yield f"{len(moves)} records of {len(set(moves))} moves; the games have {len(counts)}"
    tabia.run(binary, "export", "abk", table, "-o", book, "--max-ply", PLIES, "--repeat-plies", PLIES, "-f")
    found = lines_of_book(book.read_bytes())
    if missing := lines - found.keys():
        yield f"{len(missing)} lines of games are not in the book: {min(missing)}"
    print(f"    {len(moves)} moves; {len(found)} lines, {len(lines)} of games")


if __name__ == "__main__":
    main(__doc__, check, "pgn")
