#!/usr/bin/env python3
"""Judges the way of a repertoire: PGN to book, checked, compared, edited, written as PGN, and back.

    PYTHONPATH=tests tests/peers/check_repertoire.py target/release/tabia --pages 200

python-chess reads every variation of every text; no move of a line may be lost or added on the way.
Exits 1 if a judge objects.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import chess

import repertoire_pgn
import tabia
from judge.boards import key, moves_of, name_in_book, nodes
from judge.report import main

# Records that fill a page.
RECORDS_A_PAGE = 3
SEED = 20150101

Edge = tuple[int, str]


def edges_of_games(path: Path) -> set[Edge]:
    """Every move of every variation of a PGN file."""
    boards = ((node.parent.board(), node.move) for node in nodes(path.read_text("utf-8")))
    return {(key(board), name_in_book(board, move)) for board, move in boards}


def edges_of_book(binary: Path, book: Path) -> set[Edge]:
    """Every move of a book."""
    lines = tabia.run(binary, "export", "json", book, "--quiet").splitlines()[1:]
    positions = map(json.loads, lines)
    return {(int(at["key"], 16), move["move"]) for at in positions for move in at.get("moves", [])}


def reached(edges: set[Edge]) -> set[Edge]:
    """Those that lines from the start position play."""
    moves: dict[int, list[str]] = {}
    for at, move in edges:
        moves.setdefault(at, []).append(move)
    seen, waiting, played = set(), [chess.Board()], set()
    while waiting:
        board = waiting.pop()
        at = key(board)
        if at in seen:
            continue
        seen.add(at)
        by_name = {name_in_book(board, move): move for move in board.legal_moves}
        for name in moves.get(at, []):
            played.add((at, name))
            after = board.copy(stack=False)
            after.push(by_name[name])
            waiting.append(after)
    return played


def differ(what: str, expected: set[Edge], got: set[Edge]) -> Iterator[str]:
    """What is lost, and what is new."""
    lost, new = expected - got, got - expected
    if lost or new:
        yield f"{what}: {len(lost)} moves lost, {len(new)} new, of {len(expected)}"


def judge_edits(binary: Path, book: Path, edges: set[Edge], folder: Path) -> Iterator[str]:
    """A line that is added and dropped again leaves the book's moves as they were."""
    script, added, back = folder / "line.edits", folder / "added.tabia", folder / "back.tabia"
    script.write_text("# not in the repertoire\nadd a4 h5 a5 Rh6 a6: !?\n", encoding="utf-8")
    tabia.run(binary, "edit", book, "--script", script, "-o", added, "--quiet")
    new = edges_of_book(binary, added) - edges
    if not 1 <= len(new) <= 5:
        yield f"{len(new)} moves were added by a line of five"
    compared = json.loads(tabia.run(binary, "diff", book, added, "--json"))
    if compared["moves"]["only_second"] != len(new) or compared["moves"]["only_first"]:
        yield f"diff: {compared['moves']}, and {len(new)} moves were added"
    first = min(place for place, at in enumerate(moves_of("a4 h5 a5 Rh6 a6")) if at in new)
    line = " ".join(["a4", "h5", "a5", "Rh6", "a6"][: first + 1])
    tabia.run(binary, "edit", added, f"drop {line}", "-o", back, "--quiet")
    yield from differ("a line added and dropped", edges, edges_of_book(binary, back))


def judge(binary: Path, folder: Path, pages: int) -> Iterator[str]:
    """All judges."""
    pgn, book = folder / "repertoire.pgn", folder / "repertoire.tabia"
    records = repertoire_pgn.records(pages * RECORDS_A_PAGE, SEED)
    pgn.write_text(repertoire_pgn.text(records), encoding="utf-8")
    edges = edges_of_games(pgn)
    tabia.run(binary, "build", pgn, "--repertoire", "-o", book, "--quiet")
    tabia.run(binary, "verify", book)
    yield from differ("PGN to book", edges, edges_of_book(binary, book))
    tabia.run(binary, "check", book)
    yield from judge_edits(binary, book, edges, folder)
    from_start = reached(edges)
    for games in ("variations", "lines"):
        out, again = folder / f"{games}.pgn", folder / f"{games}.tabia"
        tabia.run(binary, "export", "pgn", book, "-o", out, "--games", games, "--quiet")
        yield from differ(f"book to PGN ({games})", edges, edges_of_games(out))
        tabia.run(binary, "build", out, "--repertoire", "-o", again, "--quiet")
        yield from differ(f"and back ({games})", edges, edges_of_book(binary, again))
    if len(edges) < 20 * pages or len(from_start) == len(edges):
        yield f"only {len(edges)} moves, {len(from_start)} of them from the start position"


if __name__ == "__main__":
    main(__doc__, judge, pages=200)
