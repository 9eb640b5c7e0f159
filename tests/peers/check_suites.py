#!/usr/bin/env python3
"""Judges the opening suites that `tabia suite` makes of a PGN.

    PYTHONPATH=tests tests/peers/check_suites.py target/release/tabia FILE.pgn

python-chess reads the suite as EPD and as PGN: every position is legal and not over, its moves lead
to it, and no two are one position. A suite of a Polyglot book has every position that play by its
weights reaches, as often as python-chess finds. Where Debian's Stockfish is installed, it plays a
short match with itself over the suite: each opening once with either colour. Exits 1 if a judge
objects.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.polyglot

import tabia
from judge.boards import board_after, games, positions_of_epd
from judge.report import main

STOCKFISH = Path("/usr/games/stockfish")
OPENINGS_PLAYED = 12
PLIES_OF_BOOK = 5
MIN_SHARE = 0.02
PLIES_PLAYED = 40
LIMIT = chess.engine.Limit(nodes=500)


def check_epd(text: str) -> Iterator[str]:
    """Every line is a legal position that its moves lead to, with their counters, where a game goes on."""
    for epd, opcodes in positions_of_epd(text).items():
        way = board_after(opcodes["c1"])
        counters = (opcodes["fmvn"], opcodes["hmvc"])
        if way.is_game_over() or counters != (way.fullmove_number, way.halfmove_clock):
            yield f"{epd} {opcodes}: the game is over, or its counters are not those of its moves"


def check_pgn(text: str, epd: str) -> Iterator[str]:
    """Every game ends at the position of the same line."""
    for number, (game, fen) in enumerate(itertools.zip_longest(games(text), fens(epd)), 1):
        if not (game and fen) or game.errors or game.end().board().epd() != chess.Board(fen).epd():
            yield f"game {number}, position {fen}: {game}"


def fens(epd: str) -> list[str]:
    """The positions of a suite."""
    return [" ".join(line.split()[:4]) + " 0 1" for line in epd.splitlines()]


def match(epd: str) -> Iterator[str]:
    """Stockfish plays itself from the first openings, each with both colours."""
    if not STOCKFISH.exists():
        print(f"SKIPPED: {STOCKFISH} is not installed")
        return
    played = 0
    with (
        chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as one,
        chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as other,
    ):
        for fen in fens(epd)[:OPENINGS_PLAYED]:
            for players in ((one, other), (other, one)):
                board = chess.Board(fen)
                for ply in range(PLIES_PLAYED):
                    if board.is_game_over():
                        break
                    move = players[ply % 2].play(board, LIMIT).move
                    if move is None:
                        yield f"no move from {board.fen()}"
                        break
                    board.push(move)
                played += 1
    if played != 2 * min(OPENINGS_PLAYED, len(fens(epd))):
        yield f"{played} games"


def played(book: Path, plies: int) -> dict[str, float]:
    """How often play by the weights of a book reaches each position that is so many plies away."""
    with chess.polyglot.open_reader(book) as reader:
        reached, met = {chess.Board().epd(): 1.0}, {chess.Board().epd()}
        for _ in range(plies):
            following: dict[str, float] = {}
            for epd, chance in reached.items():
                board = chess.Board(f"{epd} 0 1")
                entries = [entry for entry in reader.find_all(board) if entry.weight > 0]
                total = sum(entry.weight for entry in entries)
                for entry in entries:
                    if entry.weight < MIN_SHARE * total:
                        continue
                    kept = sum(other.weight for other in entries if other.weight >= MIN_SHARE * total)
                    after = board.copy(stack=False)
                    after.push(entry.move)
                    if after.epd() not in met:
                        part = chance * entry.weight / kept
                        following[after.epd()] = following.get(after.epd(), 0.0) + part
            met.update(following)
            reached = following
    return reached


def judge_polyglot(binary: Path, table: Path, folder: Path) -> Iterator[str]:
    """The suite of a book's own play is that play."""
    book, suite = folder / "book.bin", folder / "played.epd"
    compacted = folder / "book.tabia"
    tabia.run(binary, "compact", table, "-o", compacted, "--min-games", 2, "--quiet")
    tabia.run(binary, "export", "polyglot", compacted, "-o", book, "--quiet")
    wanted = ["--plies", PLIES_OF_BOOK, "--min-share", MIN_SHARE, "--apart", 0, "--lines", 100_000]
    tabia.run(binary, "suite", book, "-o", suite, *wanted, "--quiet")
    text = suite.read_text(encoding="utf-8")
    yield from check_epd(text)
    expected = played(book, PLIES_OF_BOOK)
    found = {epd: int(opcodes["c0"].split()[2]) for epd, opcodes in positions_of_epd(text).items()}
    if set(found) != set(expected) or len(found) < 50:
        yield f"{len(found)} positions are played, expected {len(expected)}"
    for epd in set(found) & set(expected):
        if abs(found[epd] - 1 / expected[epd]) > 0.51 + 1e-6 / expected[epd]:
            yield f"{epd}: 1 in {found[epd]} games, expected {1 / expected[epd]}"


def judge(binary: Path, pgn: Path, folder: Path) -> Iterator[str]:
    """All judges."""
    table = folder / "games.table"
    tabia.run(binary, "count", pgn, "-o", table, "--max-ply", 40, "--quiet")
    texts = {}
    for name in ("s.epd", "s.pgn"):
        wanted = ["--plies", "4..12", "--min-games", 3, "--lines", 300, "--score", "0.3..0.7"]
        tabia.run(binary, "suite", table, "-o", folder / name, *wanted, "--quiet")
        texts[name] = (folder / name).read_text(encoding="utf-8")
    if not texts["s.epd"]:
        yield "no opening"
    yield from check_epd(texts["s.epd"])
    yield from check_pgn(texts["s.pgn"], texts["s.epd"])
    yield from judge_polyglot(binary, table, folder)
    yield from match(texts["s.epd"])


if __name__ == "__main__":
    main(__doc__, judge, "pgn")
