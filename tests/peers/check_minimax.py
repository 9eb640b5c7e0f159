#!/usr/bin/env python3
"""Compares the values that `tabia experience minimax` backs up with a negamax of python-chess.

    PYTHONPATH=tests tests/peers/check_minimax.py target/release/tabia [BOOK] [--plies 60]

A book is a `.tabia` or `.bin`; without one, the sample's book, its repertoire of White, and a book of games
that go round are made.  Evaluations are made up of the keys: some positions and moves have none, some a
mate, some are of moves out of the book.  Every value must be the one that Python finds in rounds, from a
game that is drawn at once to one that no round changes.  Exits 1 after printing what differs.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import chess
import chess.polyglot
import pyarrow.parquet
import tabia
from judge import boards
from judge.report import SAMPLE, Case, main_of_cases

MATE, MATED = 10**6, -(10**6)
CSV = "key,uci,cp,mate,depth\n"

Row = tuple[int, int]
"""A key and a packed move; 0 is the position itself."""

Found = tuple[int, int]
"""A value, and the depth of the search."""


def mixed(*numbers: int) -> int:
    """A hash."""
    state = 0
    for number in numbers:
        state = (state ^ number) * 0x9E3779B97F4A7C15 & (1 << 64) - 1
        state ^= state >> 29
    return state


def made_up(key: int, move: int) -> Found | None:
    """A value and a depth, or none."""
    chance = mixed(key, move, 1)
    if chance % 5 == 0:
        return None
    mate = chance >> 16 & 7
    value = (chance >> 20) % 161 - 80
    if chance >> 8 & 15 == 0:
        value = MATE - 1 - mate if chance >> 12 & 1 else MATED + 1 + mate
    return value, (chance >> 40) % 30


def backed_up(value: int) -> int:
    """The value of a move that leads to a position of this one: a mate is a move farther away."""
    return -value - 1 if value < -(MATE // 2) else -value


def undone(value: int) -> int:
    """The value of a position that a move of this one leads to."""
    return -value - 1 if value > MATE // 2 else -value


def packed(board: chess.Board, move: chess.Move) -> int:
    """A legal move as Polyglot packs it."""
    move = chess.Move.from_uci(boards.name_in_book(board, move))
    return move.to_square | move.from_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12


@dataclass
class Graph:
    """The positions that a book reaches: of each its moves by packed move, and the keys after them."""

    moves: dict[int, dict[int, int]] = field(default_factory=dict)
    over: dict[int, int] = field(default_factory=dict)
    """The values of positions in which the game is over."""
    others: dict[int, list[int]] = field(default_factory=dict)
    """Legal moves that are not in the book."""


def graph(book: Path, sides: set[chess.Color], plies: int) -> Graph:
    """The graph of a Polyglot book that these sides play by, up to a ply."""
    found, of_ply = Graph(), {boards.key(chess.Board()): chess.Board()}
    with chess.polyglot.open_reader(book) as reader:
        keys = {entry.key for entry in reader}
        for ply in range(plies + 1):
            following = {}
            for key, board in of_ply.items():
                of_book = {entry.move for entry in reader.find_all(board, minimum_weight=0)}
                found.moves[key], found.others[key] = {}, []
                for move in board.legal_moves:
                    after = board.copy(stack=False)
                    after.push(move)
                    is_open = move in of_book or (board.turn not in sides and boards.key(after) in keys)
                    if is_open and ply < plies:
                        to = boards.key(after)
                        found.moves[key][packed(board, move)] = to
                        following[to] = after
                    else:
                        found.others[key].append(packed(board, move))
                if board.is_checkmate():
                    found.over[key] = MATED
                elif board.is_stalemate():
                    found.over[key] = 0
            of_ply = {key: board for key, board in following.items() if key not in found.moves}
    return found


def without_moves(book: Graph, given: dict[Row, Found]) -> dict[int, int]:
    """What a position is worth where no move has a value: by its search, one before it, or the rules."""
    led: dict[int, Found] = {}
    for key, moves in book.moves.items():
        for move, to in moves.items():
            if (key, move) in given:
                value, depth = given[key, move]
                led[to] = max(led.get(to, (-1, 0)), (depth, undone(value)))
    own = {key: given[key, 0][0] for key in book.moves if (key, 0) in given}
    return book.over | {key: value for key, (_, value) in led.items()} | own


def out_of_the_book(book: Graph, given: dict[Row, Found]) -> dict[int, int]:
    """The best that the side to move gets by leaving the book."""
    aside = {}
    for key, moves in book.moves.items():
        kept = max((given[key, move][0] for move in moves if (key, move) in given), default=-(10**9))
        others = [given[key, move][0] for move in book.others[key] if (key, move) in given]
        if (key, 0) in given and given[key, 0][0] > kept:
            others.append(given[key, 0][0])
        if others:
            aside[key] = max(others)
    return aside


def expected(book: Graph, given: dict[Row, Found], *, out_of_book: bool) -> dict[Row, int]:
    """The values of all positions and moves, by rounds."""
    last, aside = without_moves(book, given), out_of_the_book(book, given) if out_of_book else {}
    known, unsure = set(book.moves), set(book.moves) - last.keys() - aside.keys()
    while gone := {key for key in known & unsure if not known & set(book.moves[key].values())}:
        known -= gone
    going = {key: [to for to in book.moves[key].values() if to in known] for key in known}
    values = {key: 0 if going[key] else aside.get(key, last.get(key)) for key in known}
    before: dict[int, int] = {}
    while values != before:
        before, values = values, dict(values)
        for key in filter(going.get, going):
            best = [backed_up(before[to]) for to in going[key]]
            values[key] = max(best + ([aside[key]] if key in aside else []))
    rows = {(key, 0): value for key, value in values.items() if value != MATED}
    for key, moves in book.moves.items():
        rows.update({(key, move): backed_up(values[to]) for move, to in moves.items() if to in known})
    return rows


def evaluations(book: Graph) -> dict[Row, Found]:
    """What is made up of a book's positions: of themselves, of their moves, and of one of eight others."""
    rows = [(key, 0) for key in book.moves]
    rows += [(key, move) for key, moves in book.moves.items() for move in moves]
    rows += [
        (key, move) for key, others in book.others.items() for move in others if mixed(key, move) % 8 == 0
    ]
    return {row: found for row in rows if (found := made_up(*row))}


def written(given: dict[Row, Found], file: Path) -> None:
    """Writes evaluations as a list that `tabia learn evals` reads."""
    with file.open("w") as out:
        out.write(CSV)
        for (key, move), (value, depth) in given.items():
            promotion = move >> 12 and (move >> 12) + 1
            uci = chess.Move(move >> 6 & 63, move & 63, promotion or None).uci() if move else ""
            scored = f"{value},"
            if abs(value) > MATE // 2:
                scored = f",{MATE - value if value > 0 else MATED - value}"
            out.write(f"{key:016x},{uci},{scored},{depth}\n")


def found_in(path: Path) -> dict[Row, int]:
    """The values of an experience file."""
    rows = pyarrow.parquet.read_table(path).to_pylist()
    assert all(row["kind"] == "minimax" for row in rows)

    def value(row: dict[str, float]) -> int:
        if row["mate"] is None:
            return round(row["eval"] * 100)
        return int((MATE if row["mate"] > 0 else MATED) - row["mate"])

    return {(row["key"], row["move"]): value(row) for row in rows}


def check(given: argparse.Namespace, book: Path, sides: set[chess.Color], plies: int) -> str | list[str]:
    """Compares the values of a book, over its own moves and with others."""
    polyglot = given.place / "judged.bin"
    if book.suffix == ".bin":
        polyglot = book
    else:
        tabia.run(given.binary, "export", "polyglot", book, "-o", polyglot, "--counts-only", "--force", "-q")
    judged = graph(polyglot, sides, plies)
    made = evaluations(judged)
    evals, out = [given.place / f"{name}.experience.parquet" for name in ("evals", "out")]
    written(made, given.place / "evals.csv")
    tabia.run(given.binary, "learn", "evals", given.place / "evals.csv", "-o", evals, "--force", "-q")
    wrong, rows = [], 0
    for how in ("ignore", "evaluation"):
        bounds = ["--plies", plies, "--out-of-book", how]
        minimax = ["experience", "minimax", "--book", book, evals, "-o", out]
        tabia.run(given.binary, *minimax, *bounds, "--force", "-q")
        ours, theirs = found_in(out), expected(judged, made, out_of_book=how == "evaluation")
        rows += len(theirs)
        for row in sorted(ours.keys() | theirs.keys()):
            if ours.get(row) != theirs.get(row):
                wrong.append(
                    f"{row[0]:016x} {row[1]:04x}, {how}: {ours.get(row)}, expected {theirs.get(row)}"
                )
    return wrong or f"{len(judged.moves)} positions, {rows} values"


def books(given: argparse.Namespace) -> Iterator[tuple[Path, set[chess.Color]]]:
    """The books that are made, each with the sides that play by it."""
    both = {chess.WHITE, chess.BLACK}
    table, circles = given.place / "games.table", given.place / "circles.pgn"
    tabia.run(given.binary, "count", SAMPLE, "-o", table, "-q")
    for name, sides, options in (("sample", both, []), ("white", {chess.WHITE}, ["--color", "white"])):
        tabia.run(
            given.binary,
            "compact",
            table,
            "--min-games",
            2,
            *options,
            "-o",
            given.place / f"{name}.tabia",
            "-q",
        )
        yield given.place / f"{name}.tabia", sides
    rounds = (
        "Nf3 Nf6 Ng1 Ng8 Nc3 Nc6 Nb1 Nb8 e4",
        "Nf3 Nc6 Nc3 Nf6 Nb1 Nb8 Ng1 Ng8 d4",
        "Nc3 Nf6 Nb1 Ng8 c4",
    )
    circles.write_text("".join(f'[Event "a"]\n[Result "1-0"]\n\n{moves} 1-0\n\n' for moves in rounds))
    tabia.run(given.binary, "build", circles, "-o", given.place / "circles.tabia", "-q")
    yield given.place / "circles.tabia", both


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """Each book, whole and a part of it."""
    named = [(given.book, {chess.WHITE, chess.BLACK})] if given.book else books(given)
    for book, sides in named:
        for plies in (given.plies, 5):
            yield Case(f"{book.name}, {plies} plies", partial(check, given, book, sides, plies))


if __name__ == "__main__":
    main_of_cases(__doc__, cases, "binary", "book?", plies=60)
