#!/usr/bin/env python3
"""Judges which openings `tabia suite --refine` leaves out, by a second count of the same games.

    PYTHONPATH=tests tests/peers/check_refine.py target/release/tabia FILE.pgn

A suite is made of the games: the positions that their FENs name, and those after eight plies that two
games reached.  python-chess reads the games anew, finds the opening of each, and the pairs.  Every
opening's results, pairs and verdict must be those of Tabia.  Exits 1 if one is not.
"""

import collections
import itertools
import logging
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import pyarrow.parquet

import tabia
from judge.report import main

PLIES = 8
# Games that are read.
GAMES_MOST = 2_000
MIN_PAIRS = 1
DRAWS = (0.2, 0.8)
BIAS = (-0.2, 0.2)
POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}

Game = tuple[str, str, str, str, str]


def key(board: chess.Board) -> str:
    """A position without counters; en passant where a pawn stands ready."""
    return board.epd(en_passant="xfen")


def read(pgn: Path, clean: Path) -> Iterator[tuple[list[str], bool, chess.pgn.Headers]]:
    """The positions before each move of a game with a result, whether it has a FEN, and its tags.

    These games are written to `clean`, so that both read the same.
    """
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    with pgn.open(encoding="utf-8", errors="replace") as file, clean.open("w", encoding="utf-8") as out:
        for game in itertools.islice(iter(lambda: chess.pgn.read_game(file), None), GAMES_MOST):
            is_chess = game.headers.get("Variant", "standard").lower() in {"standard", "chess", ""}
            if game.headers.get("Result") not in POINTS or game.errors or not is_chess:
                continue
            out.write(f"{game.accept(chess.pgn.StringExporter(comments=False, variations=False))}\n\n")
            board, keys = game.board(), []
            for move in game.mainline_moves():
                keys.append(key(board))
                board.push(move)
            yield keys, "FEN" in game.headers, game.headers


def suite_of(games: list[tuple[list[str], bool, chess.pgn.Headers]]) -> list[str]:
    """The openings: positions of FENs, and those after some plies that two games reached."""
    reached = collections.Counter(keys[PLIES] for keys, has_fen, _ in games if not has_fen and len(keys) > PLIES)
    often = [position for position, count in reached.items() if count > 1]
    return sorted({keys[0] for keys, has_fen, _ in games if has_fen and keys} | set(often))


def opening_of(keys: list[str], has_fen: bool, suite: set[str]) -> str | None:
    """The opening that a game began with."""
    if has_fen:
        return keys[0] if keys and keys[0] in suite else None
    return next((position for position in reversed(keys) if position in suite), None)


def near(one: str, other: str) -> int:
    """How near two rounds are: 0 the same, 1 next to each other, 2 unknown, 3 no partners."""
    try:
        apart = abs(int(one.split(".")[0]) - int(other.split(".")[0]))
    except ValueError:
        return 2
    return apart if apart < 2 else 3


def counted(games: list[tuple[list[str], bool, chess.pgn.Headers]], suite: set[str]) -> dict[str, list[int]]:
    """White's wins, draws, Black's wins, and pairs by points, of each opening."""
    results: dict[str, list[int]] = {opening: [0] * 8 for opening in suite}
    waiting: dict[tuple[str, str, str], list[tuple[str, str]]] = collections.defaultdict(list)
    for keys, has_fen, tags in games:
        opening = opening_of(keys, has_fen, suite)
        if opening is None:
            continue
        white, black, result = tags["White"], tags["Black"], tags["Result"]
        results[opening][2 - POINTS[result]] += 1
        partners = waiting[opening, black, white]
        ranks = [near(round_, tags["Round"]) for round_, _ in partners]
        best = min(ranks, default=3)
        if best == 3:
            waiting[opening, white, black].append((tags["Round"], result))
            continue
        place = len(ranks) - 1 - ranks[::-1].index(2) if best == 2 else ranks.index(best)
        whites = 2 - POINTS[partners.pop(place)[1]] + POINTS[result]
        results[opening][3 + (whites if white.encode() < black.encode() else 4 - whites)] += 1
    return results


def verdict(counts: list[int]) -> str | None:
    """Why an opening is left out."""
    games, pairs = sum(counts[:3]), sum(counts[3:])
    if pairs < MIN_PAIRS:
        return None
    draws, bias = counts[1] / games, (counts[0] + counts[1] / 2) / games - 0.5
    if not DRAWS[0] <= draws <= DRAWS[1]:
        return "draws"
    return None if BIAS[0] <= bias <= BIAS[1] else "bias"


def judge(binary: Path, pgn: Path, folder: Path) -> Iterator[str]:
    """The same openings are left out, for the same counts."""
    clean = folder / "clean.pgn"
    games = list(read(pgn, clean))
    suite = suite_of(games)
    old, new, rows = folder / "old.epd", folder / "new.epd", folder / "rows.parquet"
    old.write_text("".join(f"{opening}\n" for opening in suite), encoding="utf-8")
    bounds = ["--match-draws", f"{DRAWS[0]}..{DRAWS[1]}", "--match-bias", f"{BIAS[0]}..{BIAS[1]}"]
    files = ["--games", clean, "-o", new, "--parquet", rows, "--min-pairs", MIN_PAIRS]
    tabia.run(binary, "suite", "--refine", old, *files, *bounds, "--quiet")
    expected = counted(games, set(suite))
    pairs = 0
    for row in pyarrow.parquet.read_table(rows).to_pylist():
        found = [row[name] for name in ("white", "draws", "black", *(f"pairs_{n}" for n in range(5)))]
        wanted = expected.pop(row["opening"])
        pairs += sum(wanted[3:])
        if (found, row["left_out"]) != (wanted, verdict(wanted)):
            yield f"{row['opening']}: {found} {row['left_out']}, expected {wanted} {verdict(wanted)}"
        if (row["left_out"] is None) != (row["opening"] in new.read_text(encoding="utf-8").splitlines()):
            yield f"{row['opening']}: not written as it is judged"
    if expected:
        yield f"{len(expected)} openings have no row"
    print(f"{len(suite)} openings, {len(games)} games, {pairs} pairs")


if __name__ == "__main__":
    main(__doc__, judge, "pgn")
