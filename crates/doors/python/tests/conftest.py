"""A book, a Polyglot book and a table of the sample games, and positions of random games."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

import tabia

ROOT = Path(__file__).resolve().parents[4]
SAMPLE = ROOT / "data" / "sample.pgn"
POSITIONS = 10_000
MEMORY = {"memory": "64MiB", "threads": 2}


class Made:
    """What was made of the sample."""

    def __init__(self, folder: Path) -> None:
        """Makes all of it in `folder`."""
        self.book, self.bin = folder / "book.tabia", folder / "book.bin"
        self.plain, self.grouped = folder / "plain.table", folder / "grouped.table"
        tabia.build(
            SAMPLE,
            self.book,
            polyglot=self.bin,
            table=self.plain,
            min_games=2,
            progress=False,
            **MEMORY,
        )
        tabia.count(
            SAMPLE,
            self.grouped,
            by=["rating-band", "month"],
            ratings=True,
            progress=False,
            **MEMORY,
        )


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """What was made of the sample."""
    return Made(tmp_path_factory.mktemp("made"))


@pytest.fixture(scope="session")
def boards() -> list[chess.Board]:
    """Positions of random games, the same in every run."""
    draw, boards = random.Random(20), []
    while len(boards) < POSITIONS:
        board = chess.Board()
        while not board.is_game_over() and len(boards) < POSITIONS and board.ply() < 200:
            boards.append(board.copy(stack=False))
            board.push(draw.choice(list(board.legal_moves)))
    return boards
