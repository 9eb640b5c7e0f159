#!/usr/bin/env python3
"""Compares what `tabia learn exp` reads and `tabia learn export exp` writes with a second implementation.

    PYTHONPATH=tests tests/peers/check_exp.py target/release/tabia [--games 200] [--shashchess PROGRAM]

Games are made up, and positions of one side or of both get searches.  Python writes them as files of each
layout, with hashes of its own; every search must come out of tabia with its value and depth,
and what tabia writes must be read back by Python.  ShashChess, if it is given, must show the same searches
(`showexp`).  Exits 1 after printing what differs.
"""

import argparse
import math
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import chess
import pyarrow.parquet
import tabia
from judge import boards
from judge.report import Case, Skipped, main_of_cases

PLIES = 24
PROGRESS = 14
SEED = 5
MASK = (1 << 64) - 1
SUGAR = b"SugaR Experience version 2"
WIDE_HEADER = bytes([2]) + bytes(8) + struct.pack("<II", 6, 34) + bytes(44)

Search = tuple[int, int]
"""Depth and Stockfish's value, from the mover's view."""

Searches = dict[tuple[str, str], Search]
"""Searches by FEN and UCI."""


def random_numbers(count: int) -> list[int]:
    """The numbers of Stockfish's generator."""
    state, numbers = 1_070_372, []
    for _ in range(count):
        state ^= state >> 12
        state ^= state << 25 & MASK
        state ^= state >> 27
        numbers.append(state * 2_685_821_657_736_338_717 & MASK)
    return numbers


NUMBERS = random_numbers(793)


def stockfish_key(board: chess.Board) -> int:
    """The hash of a position that made progress lately."""
    key = 0 if board.turn else NUMBERS[792]
    for square, piece in board.piece_map().items():
        key ^= NUMBERS[((0 if piece.color else 6) + piece.piece_type - 1) * 64 + square]
    if board.has_pseudo_legal_en_passant():
        key ^= NUMBERS[768 + chess.square_file(board.ep_square or 0)]
    rights = (
        1 * board.has_kingside_castling_rights(chess.WHITE)
        | 2 * board.has_queenside_castling_rights(chess.WHITE)
        | 4 * board.has_kingside_castling_rights(chess.BLACK)
        | 8 * board.has_queenside_castling_rights(chess.BLACK)
    )
    return key ^ NUMBERS[776 + rights]


def stockfish_move(board: chess.Board, move: chess.Move) -> int:
    """The move as Stockfish packs it."""
    if board.is_castling(move):
        king_side = chess.square_file(move.to_square) > chess.square_file(move.from_square)
        rook = chess.square(7 if king_side else 0, chess.square_rank(move.from_square))
        return rook | move.from_square << 6 | 3 << 14
    kind = 2 if board.is_en_passant(move) else 1 if move.promotion else 0
    return (
        move.to_square
        | move.from_square << 6
        | (move.promotion - 2 if move.promotion else 0) << 12
        | kind << 14
    )


def half(board: chess.Board) -> float:
    """The value at which half of the games are won."""
    points = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
    material = sum(points[piece.piece_type] for piece in board.piece_map().values())
    m = min(max(material, 17), 78) / 58
    return ((-37.45051876 * m + 121.19101539) * m - 132.78783573) * m + 420.70576692


def shown(board: chess.Board, value: int) -> tuple[float | None, int | None]:
    """Pawns or moves to mate."""
    plies = 32_000 - abs(value)
    if plies <= 246:
        return None, (plies + 1) // 2 if value > 0 else -(plies // 2)
    return math.floor(100 * value / half(board) + 0.5) / 100, None


def made_up(games: int, both: bool) -> Searches:
    """Searches of random games' moves: White's, or those of both sides."""
    chance, searches = random.Random(SEED), {}
    for _ in range(games):
        board = chess.Board()
        while board.ply() < PLIES and any(board.legal_moves):
            move = chance.choice(list(board.legal_moves))
            if board.halfmove_clock >= PROGRESS:
                break
            if both or board.turn:
                mate = chance.choice([31_991, -31_990])
                value = mate if chance.random() < 0.05 else chance.randint(-900, 900)
                key = " ".join(board.fen(en_passant="xfen").split()[:4]), move.uci()
                deeper = (chance.randint(1, 40), value)
                searches[key] = max(searches.get(key, deeper), deeper)
            board.push(move)
    return searches


def written(searches: Searches, layout: str) -> bytes:
    """The file of the searches, in no order, some of them twice."""
    records = []
    for (fen, uci), (depth, value) in searches.items():
        board = chess.Board(fen + " 0 1")
        key, move = stockfish_key(board), stockfish_move(board, chess.Move.from_uci(uci))
        for plies in {depth, depth // 2} - {0}:
            records.append(
                {
                    "brainlearn": struct.pack("<QiiHHi", key, plies, value, move, 0, 50),
                    "sugar-v1": struct.pack("<QIii4B", key, move, value, plies, 0, 255, 0, 255),
                    "sugar-v2": struct.pack("<QIiiHH", key, move, value, plies, 7, 0),
                    "sugar-wide": struct.pack("<QHhhh3ihhh", key, move, value, plies, 3, 1, 1, 1, 0, 0, 0),
                }[layout]
            )
    random.Random(SEED).shuffle(records)
    head = {"brainlearn": b"", "sugar-v1": b"SugaR", "sugar-v2": SUGAR, "sugar-wide": SUGAR + WIDE_HEADER}
    return head[layout] + b"".join(records)


def check(given: argparse.Namespace, layout: str, both: bool) -> Iterator[str]:
    """Reads a file of this layout with tabia, and what tabia writes with Python."""
    searches, file = made_up(given.games, both), given.place / "a.exp"
    file.write_bytes(written(searches, layout))
    out = given.place / "out.experience.parquet"
    tabia.run(given.binary, "learn", "exp", file, "-o", out, "--force", "--quiet")
    rows = pyarrow.parquet.read_table(out).to_pylist()
    ours = {(row["key"], row["move"]): (row["depth"], row["eval"], row["mate"]) for row in rows}
    best: dict[int, tuple[int, float]] = {}
    for (fen, uci), (depth, value) in searches.items():
        board = chess.Board(fen + " 0 1")
        pawns, mate = shown(board, value)
        move = chess.Move.from_uci(boards.name_in_book(board, chess.Move.from_uci(uci)))
        packed = move.to_square | move.from_square << 6 | (move.promotion - 1 if move.promotion else 0) << 12
        found = ours.pop((boards.key(board), packed), None)
        if (
            found is None
            or (found[0], found[2]) != (depth, mate)
            or abs((found[1] or 0) - (pawns or 0)) > 0.0051
        ):
            yield f"{fen} {uci}: {found}, expected {depth, pawns, mate}"
        best[boards.key(board)] = max(best.get(boards.key(board), (0, 0)), (depth, 0))
    for (key, move), (depth, *_) in ours.items():
        if move or best[key][0] != depth:
            yield f"{key:016x} {move:04x}: {depth}, which no search gives"
    yield from round_trip(given, out)


def round_trip(given: argparse.Namespace, out: Path) -> Iterator[str]:
    """What tabia writes is read by tabia as the same rows, and written again as the same bytes."""
    for layout in ["brainlearn", "sugar-v2"]:
        file, again, third = (
            given.place / "w.exp",
            given.place / "again.experience.parquet",
            given.place / "v.exp",
        )
        export = partial(tabia.run, given.binary, "learn", "export", "exp")
        export(out, "-o", file, "--layout", layout, "--force", "--quiet")
        tabia.run(given.binary, "learn", "exp", file, "-o", again, "--force", "--quiet")
        export(again, "-o", third, "--layout", layout, "--force", "--quiet")
        if file.read_bytes() != third.read_bytes():
            yield f"{layout}: written again, the file differs"
        columns = ["key", "move", "depth", "eval", "mate"]
        one, two = (pyarrow.parquet.read_table(path, columns=columns) for path in (out, again))
        if one != two:
            yield f"{layout}: read again, the rows differ"


def shashchess(given: argparse.Namespace) -> Iterator[str]:
    """ShashChess shows each search of a file that tabia wrote."""
    if given.shashchess is None:
        raise Skipped("neither SHASHCHESS nor --shashchess names the program")
    searches = made_up(20, True)
    folder = given.place / "shashchess"
    folder.mkdir()
    program = shutil.copy(given.shashchess, folder)
    (given.place / "s.exp").write_bytes(written(searches, "sugar-v2"))
    out = given.place / "s.experience.parquet"
    tabia.run(given.binary, "learn", "exp", given.place / "s.exp", "-o", out, "--force", "--quiet")
    tabia.run(
        given.binary, "learn", "export", "exp", out, "-o", folder / "experience.exp", "--force", "--quiet"
    )
    asked = [f"position fen {fen} 0 1\nshowexp" for fen, _ in searches]
    words = ["setoption name Persisted learning value Standard", "isready", *asked, "quit"]
    told = "".join(f"{word}\n" for word in words)
    printed = subprocess.run(
        [program], input=told, capture_output=True, text=True, cwd=folder, timeout=120, check=True
    ).stdout
    blocks = printed.split("Experience: ")[1:]
    for ((fen, uci), (depth, _)), block in zip(searches.items(), blocks, strict=True):
        if not any(line.startswith(f"move: {uci} depth: {depth} ") for line in block.splitlines()):
            yield f"{fen}: no {uci} of depth {depth} in {block.splitlines()[:4]}"


def cases(given: argparse.Namespace) -> Iterator[Case]:
    """A case for each layout, of one side and of both, and ShashChess."""
    for layout in ["brainlearn", "sugar-v1", "sugar-v2", "sugar-wide"]:
        for both in [False, True]:
            yield Case(f"{layout}, {'both sides' if both else 'White'}", partial(check, given, layout, both))
    yield Case("shown by ShashChess", partial(shashchess, given))


if __name__ == "__main__":
    program = os.environ.get("SHASHCHESS")
    main_of_cases(__doc__, cases, "binary", games=200, shashchess=Path(program) if program else None)
