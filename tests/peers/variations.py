"""Games and lines by python-chess, and the moves of games with variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

import chess
import chess.pgn

from judge.report import Failed


def games(handle: TextIO) -> Iterator[chess.pgn.Game]:
    """The games of a PGN text."""
    return iter(lambda: chess.pgn.read_game(handle), None)


def nodes(handle: TextIO) -> Iterator[chess.pgn.ChildNode]:
    """Every move of every variation of a PGN text without errors."""
    for game in games(handle):
        if game.errors:
            raise Failed(f"{game.headers}: {game.errors}")
        waiting: list[chess.pgn.GameNode] = [game]
        while waiting:
            children = waiting.pop().variations
            yield from children
            waiting.extend(children)


def board_after(line: str) -> chess.Board:
    """The position after moves in SAN."""
    board = chess.Board()
    for san in line.split():
        board.push_san(san)
    return board
