"""Games, lines and suites as python-chess reads them; positions and moves by the names that books have."""

import io
from collections.abc import Iterator
from typing import Any

import chess
import chess.pgn
import chess.polyglot

from judge.report import Failed


def key(board: chess.Board) -> int:
    """Polyglot's key."""
    return chess.polyglot.zobrist_hash(board)


def name_in_book(board: chess.Board, move: chess.Move) -> str:
    """A move as books have it: castling is king takes own rook."""
    return board.uci(move, chess960=True)


def games(text: str) -> Iterator[chess.pgn.Game]:
    """The games of a PGN text."""
    handle = io.StringIO(text)
    return iter(lambda: chess.pgn.read_game(handle), None)


def nodes(text: str) -> Iterator[chess.pgn.ChildNode]:
    """Every move of every variation of a PGN text without errors."""
    for game in games(text):
        if game.errors:
            raise Failed(f"{game.headers}: {game.errors}")
        waiting: list[chess.pgn.GameNode] = [game]
        while waiting:
            children = waiting.pop().variations
            yield from children
            waiting.extend(children)


def moves_of(line: str) -> list[tuple[int, str]]:
    """The moves of a line in SAN, as books have them, each behind the key of its position."""
    board, moves = chess.Board(), []
    for san in line.split():
        move = board.parse_san(san)
        moves.append((key(board), name_in_book(board, move)))
        board.push(move)
    return moves


def board_after(line: str) -> chess.Board:
    """The position after moves in SAN."""
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return board


def positions_of_epd(text: str) -> dict[str, dict[str, Any]]:
    """The positions of a suite with their opcodes, each there once and reached by its moves."""
    found: dict[str, dict[str, Any]] = {}
    for line in text.splitlines():
        board = chess.Board()
        opcodes = board.set_epd(line)
        way = board_after(str(opcodes.get("c1", "")))
        if way.epd() != board.epd() or not board.is_valid() or board.epd() in found:
            raise Failed(f"{line}: not valid, there before, or its moves lead to {way.epd()}")
        found[board.epd()] = opcodes
    return found
