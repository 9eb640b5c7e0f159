#!/usr/bin/env python3
"""Judges the lines that `tabia export pgn`, `epd`, `csv` and `json` write of a book of a PGN.

    PYTHONPATH=tests tests/peers/check_lines.py target/release/tabia FILE.pgn

python-chess reads the game with variations, the games of one line each, the positions and the rows:
all of them have the same moves from the same positions, every one is legal, and none is there
twice. The text of its Polyglot book is changed as jq would, and the new book has what the text
says. Exits 1 if a judge objects.
"""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.polyglot

import tabia
from judge.boards import nodes, positions_of_epd
from judge.report import Failed, main

Edge = tuple[str, str]


def edges_of_game(text: str) -> Counter[Edge]:
    """The moves of all variations, by the position before them."""
    return Counter((node.parent.board().epd(), node.move.uci()) for node in nodes(text))


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
            raise Failed(f"{row['line']}: {row['fen']}, expected {board.fen()}")
        edges[(before.epd(), before.parse_san(row["move"]).uci())] += 1
    return edges


def change(line: dict[str, Any]) -> None:
    """Halves weights, drops the lightest of several moves, and adds one that is not there."""
    moves = line["moves"]
    if len(moves) > 1:
        moves.pop()
    for move in moves:
        move["weight"] = (move["weight"] + 1) // 2
    known = {move["move"] for move in moves}
    # Castling is written otherwise in these books.
    plain = (m for m in chess.Board(line["fen"]).legal_moves if m.from_square not in {chess.E1, chess.E8})
    new = next((move.uci() for move in plain if move.uci() not in known), None)
    if new is not None:
        moves.append({"move": new, "weight": max(move["weight"] for move in moves) + 1})


def entries_of(line: dict[str, Any]) -> list[tuple[str, int]]:
    """The moves of a line as python-chess writes them, castling too, heaviest first."""
    board = chess.Board(line["fen"])
    entries = [(board.parse_uci(move["move"]).uci(), move["weight"]) for move in line["moves"]]
    return sorted(entries, key=lambda entry: -entry[1])


def judge_json(binary: Path, book: Path, folder: Path) -> Iterator[str]:
    """A Polyglot book changed as text is the book that the text describes."""
    old, text, new = folder / "old.bin", folder / "new.jsonl", folder / "new.bin"
    tabia.run(binary, "export", "polyglot", book, "-o", old, "--quiet")
    head, *lines = map(json.loads, tabia.run(binary, "export", "json", old, "--quiet").splitlines())
    reached = [line for line in lines if "fen" in line]
    for line in reached:
        change(line)
    text.write_text("\n".join(json.dumps(line) for line in [head, *reached]), encoding="utf-8")
    tabia.run(binary, "import", "json", text, "-o", new, "--quiet")
    with chess.polyglot.open_reader(new) as reader:
        for line in reached:
            board = chess.Board(line["fen"])
            found = [(entry.move.uci(), entry.weight) for entry in reader.find_all(board)]
            if found != entries_of(line):
                yield f"{line['fen']}: {found}, expected {entries_of(line)}"
        if len(reader) != sum(len(line["moves"]) for line in reached) or len(reached) < len(lines) / 2:
            yield f"{len(reader)} entries of {len(reached)} positions of {len(lines)}"


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
    if positions_of_epd(texts["all.epd"]).keys() != reached:
        yield "the positions are not those that the moves lead to"
    if len(one) < 100:
        yield f"only {len(one)} moves"
    yield from judge_json(binary, book, folder)


if __name__ == "__main__":
    main(__doc__, judge, "pgn")
