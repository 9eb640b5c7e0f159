#!/usr/bin/env python3
"""Compares the evaluations that `tabia learn evals` keeps with those that python-chess reads.

    PYTHONPATH=tests tests/peers/check_evals.py target/release/tabia [FILE] [--games 40]

Without a file, lines are made up as Lichess's database has them: positions of random games, both ways
to write castling, mates, one position several times.  Of each position and of each first move the deeper
search must be kept; of equal depth the one with more nodes; then the list that comes first by name; then
the higher value.  Exits 1 after printing what differs.
"""

import argparse
import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import chess
import pyarrow.parquet

import tabia
from judge import boards
from judge.report import Case, main_of_cases

PLIES = 60
SEED = 1
MATE = 10**6

Row = tuple[int, int]
"""A key and a move as Polyglot packs it; 0 is the position itself."""

Search = tuple[int, int, str, int]
"""Depth, nodes, the list's name and the value for the mover: centipawns, or mates beyond them."""


def packed(board: chess.Board, uci: str) -> int:
    """A legal move as Polyglot packs it."""
    move = board.parse_uci(uci)
    move = chess.Move.from_uci(boards.name_in_book(board, move))
    return move.to_square | move.from_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12


def unpacked(move: int) -> str:
    """A move as UCI, of the number that `packed` gives."""
    promotion = move >> 12
    return chess.Move(move >> 6 & 63, move & 63, promotion + 1 if promotion else None).uci()


def value(pv: dict[str, int]) -> int:
    """A number that is larger the better the value is for White."""
    if "cp" in pv:
        return pv["cp"]
    return MATE - pv["mate"] if pv["mate"] > 0 else -MATE - pv["mate"]


def is_better(one: Search, other: Search | None) -> bool:
    """Whether the first search is kept."""
    if other is None or one[:2] != other[:2]:
        return other is None or one[:2] > other[:2]
    return (other[2], one[3]) > (one[2], other[3])


def expected(files: list[Path]) -> dict[Row, Search]:
    """What must be kept."""
    kept: dict[Row, Search] = {}
    for file in files:
        for line in file.read_text("utf-8").splitlines():
            read = json.loads(line)
            board = chess.Board(read["fen"] + " 0 1")
            view = 1 if board.turn == chess.WHITE else -1
            for search in read["evals"]:
                for number, pv in enumerate(search["pvs"]):
                    move = packed(board, pv["line"].split()[0])
                    found = (search["depth"], search["knodes"] * 1000, file.name, view * value(pv))
                    for row in [move] if number else [0, move]:
                        if is_better(found, kept.get((boards.key(board), row))):
                            kept[boards.key(board), row] = found
    return kept


def found_in(path: Path) -> dict[Row, Search]:
    """What an experience file holds."""
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert all(row["kind"] == "evaluation" for row in rows)
    return {
        (row["key"], row["move"]): (
            row["depth"],
            row["nodes"],
            row["sources"][0]["source"],
            round(row["eval"] * 100) if row["mate"] is None else value({"mate": row["mate"]}),
        )
        for row in rows
    }


def made_up(folder: Path, games: int) -> list[Path]:
    """Two lists of made-up lines."""
    chance = random.Random(SEED)

    def line(board: chess.Board) -> dict[str, object]:
        def pv() -> dict[str, object]:
            move = chance.choice(list(board.legal_moves))
            castling = chance.random() < 0.5
            mate = {"mate": chance.choice([-20, -1, 1, 9])}
            scored = mate if chance.random() < 0.1 else {"cp": chance.randint(-900, 900)}
            return {**scored, "line": f"{board.uci(move, chess960=castling)} a1a1"}

        def search() -> dict[str, object]:
            pvs = [pv() for _ in range(chance.randint(1, 5))]
            return {"pvs": pvs, "knodes": chance.randint(0, 3), "depth": chance.randint(1, 6)}

        fen = " ".join(board.fen(en_passant="xfen").split()[:4])
        return {"fen": fen, "evals": [search() for _ in range(chance.randint(1, 3))]}

    files = [folder / "b.jsonl", folder / "a.jsonl"]
    for file in files:
        with file.open("w") as out:
            for _ in range(games):
                board = chess.Board()
                while board.ply() < PLIES and any(board.legal_moves):
                    out.write(json.dumps(line(board), separators=(",", ":")) + "\n")
                    board.push(chance.choice(list(board.legal_moves)))
    return files


def check(given: argparse.Namespace, files: list[Path], how: list[object]) -> Iterator[str]:
    """Compares what is kept of files."""
    out = given.place / "out.experience.parquet"
    tabia.run(given.binary, "learn", "evals", *files, "-o", out, "--force", "--quiet", *how)
    ours, theirs = found_in(out), expected(files)
    assert theirs
    for row in sorted(ours.keys() | theirs.keys()):
        if ours.get(row) != theirs.get(row):
            yield f"{row[0]:016x} {row[1]:04x}: {ours.get(row)}, expected {theirs.get(row)}"


def check_parquet(given: argparse.Namespace, files: list[Path]) -> Iterator[str]:
    """Reads what was kept of files once more, as a Parquet file that pyarrow wrote of it."""
    out, again = given.place / "out.experience.parquet", given.place / "again.experience.parquet"
    tabia.run(given.binary, "learn", "evals", *files, "-o", out, "--force", "--quiet")
    rows = pyarrow.parquet.read_table(out, columns=["key", "move", "eval", "mate", "depth", "nodes"])
    moves = [unpacked(move) if move else None for move in rows["move"].to_pylist()]
    values = [None if value is None else round(value * 100) for value in rows["eval"].to_pylist()]
    columns = {"key": rows["key"], "uci": moves, "cp": pyarrow.array(values, pyarrow.int32())}
    columns |= {name: rows[name] for name in ("mate", "depth", "nodes")}
    pyarrow.parquet.write_table(pyarrow.table(columns), given.place / "evals.parquet")
    tabia.run(
        given.binary, "learn", "evals", given.place / "evals.parquet", "-o", again, "--force", "--quiet"
    )
    one, other = (
        {row: (*found[:2], found[3]) for row, found in found_in(file).items()} for file in (out, again)
    )
    for row in one.keys() | other.keys():
        if one.get(row) != other.get(row):
            yield f"{row}: {one.get(row)}, again {other.get(row)}"


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """A list, or those that are made up, with much memory and with little."""
    files = [given.file] if given.file else made_up(given.place, given.games)
    name = " ".join(file.name for file in files)
    yield Case(name, partial(check, given, files, []))
    yield Case(f"{name} spilled", partial(check, given, files, ["--memory", "32MiB", "-j", 2]))
    yield Case(f"{name} as Parquet", partial(check_parquet, given, files))


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "file?", games=40)
