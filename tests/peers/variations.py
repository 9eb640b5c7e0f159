"""The moves of games with variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

import chess.pgn

from judge.report import Failed


def nodes(handle: TextIO) -> Iterator[chess.pgn.ChildNode]:
    """Every move of every variation of a PGN text without errors."""
    while (game := chess.pgn.read_game(handle)) is not None:
        if game.errors:
            raise Failed(f"{game.headers}: {game.errors}")
        waiting: list[chess.pgn.GameNode] = [game]
        while waiting:
            children = waiting.pop().variations
            yield from children
            waiting.extend(children)
