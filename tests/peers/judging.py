"""What judges share.

The command line of a judge that takes the binary and one more thing, and the moves of games.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, TextIO, TypeVar

import chess.pgn

import tabia

# Objections that are printed.
SHOWN = 20

Judged = TypeVar("Judged")


def nodes(handle: TextIO) -> Iterator[chess.pgn.ChildNode]:
    """Every move of every variation of a PGN text without errors."""
    while (game := chess.pgn.read_game(handle)) is not None:
        if game.errors:
            raise tabia.Failed(f"{game.headers}: {game.errors}")
        waiting: list[chess.pgn.GameNode] = [game]
        while waiting:
            children = waiting.pop().variations
            yield from children
            waiting.extend(children)


def main(
    about: str | None,
    judge: Callable[[Path, Judged, Path], Iterator[str]],
    name: str = "pgn",
    kind: Callable[[str], Judged] = Path,
) -> NoReturn:
    """Judges in a folder that is gone afterwards; prints what is wrong, and exits."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("binary", type=Path)
    parser.add_argument(name, type=kind)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = list(judge(arguments.binary.absolute(), getattr(arguments, name), Path(folder)))
    for line in wrong[:SHOWN]:
        print(line)
    sys.exit(1 if wrong else 0)
