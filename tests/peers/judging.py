"""What judges share.

The command line of a judge that takes the binary and one more thing, what it prints, and the moves
of games.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn, TextIO

import chess.pgn

import tabia

# Objections that are printed.
SHOWN = 20


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


def verdict(title: object, wrong: list[str]) -> int:
    """Prints a line of what was judged, and below it what is wrong; the exit code."""
    print(f"{'DIFFERS' if wrong else 'equal'}  {title}", flush=True)
    for line in wrong[:SHOWN]:
        print(f"    {line}", flush=True)
    if len(wrong) > SHOWN:
        print(f"    and {len(wrong) - SHOWN} more")
    return 1 if wrong else 0


def main(
    about: str | None,
    judge: Callable[..., Iterator[str]],
    name: str = "pgn",
    kind: Callable[[str], object] = lambda text: Path(text).resolve(),
    **options: int,
) -> NoReturn:
    """Judges in a folder that is gone afterwards, with options and their defaults; exits."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("binary", type=Path)
    parser.add_argument(name, type=kind)
    for option, default in options.items():
        parser.add_argument(f"--{option.replace('_', '-')}", type=int, default=default)
    given = vars(parser.parse_args())
    binary, judged = given.pop("binary").resolve(), given.pop(name)
    with tempfile.TemporaryDirectory(prefix="tabia-judged-") as folder:
        try:
            wrong = list(judge(binary, judged, Path(folder), **given))
        except tabia.Failed as failure:
            wrong = [str(failure)]
    sys.exit(verdict(f"{Path(sys.argv[0]).stem.removeprefix('check_')} {judged}", wrong))
