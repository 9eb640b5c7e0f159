#!/usr/bin/env python3
"""Judges the Polyglot book that `tabia build --polyglot` writes from a PGN.

    PYTHONPATH=tests tests/peers/check_polyglot.py target/release/tabia FILE.pgn --max-ply 40 --sample K

Of every K-th game (of all by default) there are three judges: the file computed here from exact
counts, byte for byte; python-chess, which walks it from the start position; Debian's polyglot,
which reads it, and whose own `make-book` of the same games is explained to the last byte. Exits 1
if a judge objects.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.polyglot
import numpy as np

import oracle
import polyglot_rules
import tabia
from judge.report import main
from judge.run import must

POLYGLOT = Path("/usr/games/polyglot")
DUMP_ENTRIES_MAX = 100_000
"""`polyglot dump-book` writes every line of a book out: larger books only go to `info-book`."""


def build(binary: Path, pgn: Path, folder: Path, max_ply: int) -> Path:
    """Our book of a PGN."""
    book = folder / "ours.bin"
    output = ["-o", folder / "ours.tabia", "--polyglot", book, "--force", "--quiet"]
    tabia.run(binary, "build", pgn, *output, "--max-ply", max_ply, "--min-games", 1)
    return book


def differing_entries(name: str, found: bytes, expected: bytes) -> Iterator[str]:
    """The first entry in which two books differ."""
    if found == expected:
        return
    got, want = (np.frombuffer(book, polyglot_rules.ENTRY) for book in (found, expected))
    yield f"{name}: {len(got)} entries, expected {len(want)}"
    common = min(len(got), len(want))
    unequal = np.flatnonzero(got[:common] != want[:common])
    at = int(unequal[0]) if len(unequal) else common
    for side, book in (("found", got), ("expected", want)):
        shown = [(f"{key:016x}", f"{move:#06x}", int(weight)) for key, move, weight, _ in book[at : at + 3]]
        yield f"    entry {at}: {side} {shown}"


def check_walk(book: Path) -> Iterator[str]:
    """python-chess must find every entry on a walk from the start, and each must be legal."""
    board, found, entries = chess.Board(), 0, book.stat().st_size // 16
    with chess.polyglot.open_reader(book) as reader:
        keys = [entry.key for entry in reader]
        if keys != sorted(keys):
            yield "python-chess: keys do not ascend"
        seen, waiting = set(), [board]
        while waiting:
            board = waiting.pop()
            key = chess.polyglot.zobrist_hash(board)
            if key in seen:
                continue
            seen.add(key)
            for entry in reader.find_all(board):
                found += 1
                child = board.copy(stack=False)
                child.push(entry.move)
                waiting.append(child)
    if found != entries:
        yield f"python-chess: {found} legal entries on the walk, {entries} in the book"


def polyglot(folder: Path, *arguments: object) -> str:
    """Runs Debian's polyglot in a folder of its own; it exits 0 whatever happens."""
    return must(POLYGLOT, *arguments, folder=folder, seconds=3600).text


def check_reading(folder: Path, book: Path) -> Iterator[str]:
    """Polyglot must read our book whole: no position may be out of reach."""
    report = polyglot(folder, "info-book", "-bin", book)
    isolated = re.search(r"Isolated positions\s*:\s*(\d+)", report)
    if isolated is None or int(isolated[1]) != 0:
        yield f"polyglot info-book: {report.strip()!r}"
    if book.stat().st_size // 16 > DUMP_ENTRIES_MAX:
        return
    for color in ("white", "black"):
        dump = folder / f"{color}.txt"
        polyglot(folder, "dump-book", "-bin", book, "-color", color, "-out", dump)
        if "1: 1. " not in dump.read_text("latin-1"):
            yield f"polyglot dump-book -color {color}: no line"


def check_make_book(folder: Path, pgn: Path, max_ply: int, visits: polyglot_rules.Visits) -> Iterator[str]:
    """Polyglot's own book must be what its arithmetic makes of the same visits."""
    theirs = folder / "theirs.bin"
    report = polyglot(folder, "make-book", "-pgn", pgn, "-bin", theirs, "-max-ply", max_ply, "-min-game", 1)
    if not theirs.exists():
        yield f"polyglot make-book wrote nothing: {report[-300:]!r}"
        return
    found = theirs.read_bytes()
    yield from differing_entries("polyglot make-book", found, polyglot_rules.make_book(visits))
    print(explain(visits))


def explain(visits: polyglot_rules.Visits) -> str:
    """In what, and how often, polyglot's book differs from exact counts."""
    edges = [(key, edge) for key, moves in visits.positions.items() for edge in moves.values()]
    lost = sum(edge.exact == 0 for _, edge in edges)
    halved = sum(key in visits.halved for key, _ in edges)
    unlike = sum(edge.total != edge.exact for _, edge in edges)
    return (
        f"    {len(edges)} moves; polyglot drops {lost} that only lost; {halved} moves of "
        f"{len(visits.halved)} positions were halved, {unlike} weights differ for it"
    )


def check(binary: Path, pgn: Path, folder: Path, max_ply: int, sample: int) -> Iterator[str]:
    """Everything the judges object to."""
    if sample > 1:
        oracle.thin(pgn, folder / "thinned.pgn", sample)
        pgn = folder / "thinned.pgn"
    both = folder / "both.pgn"
    visits = polyglot_rules.accepted_games(pgn, both, oracle.Options(max_ply=max_ply))
    if POLYGLOT.exists():
        yield from check_make_book(folder, both, max_ply, visits)
    else:
        print("    SKIPPED: no /usr/games/polyglot (apt-get install polyglot)")
    book = build(binary, both, folder, max_ply)
    yield from differing_entries("our book", book.read_bytes(), polyglot_rules.our_book(visits))
    yield from check_walk(book)
    if POLYGLOT.exists():
        yield from check_reading(folder, book)


if __name__ == "__main__":
    main(__doc__, check, "pgn", max_ply=40, sample=1)
